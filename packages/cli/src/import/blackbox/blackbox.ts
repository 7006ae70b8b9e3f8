// import/blackbox/blackbox.ts: modules of blackbox_exporter, and the targets that Prometheus has it probe.
// They are in two files, or in one.
import type { MonitorDocument } from '@pulseward/server'
import { durationOf } from '../durations.ts'
import { Fields, isMapping } from '../fields.ts'
import { FleetDraft, NotCarried } from '../fleet-draft.ts'
import { ImportError } from '../import-error.ts'
import { Markings, monitorName, timing } from '../monitor-parts.ts'
import { readDocuments } from '../read-source.ts'
import { readModule } from './modules.ts'
import type { Module } from './prober.ts'
import { type ProbeTarget, readJob } from './scrape-job.ts'

/** The default of Prometheus, if neither the job nor the file sets it. */
const defaultIntervalMs = 60_000

export async function readBlackbox(files: readonly string[]): Promise<FleetDraft> {
  const documents: Record<string, unknown>[] = []
  for (const file of files) documents.push(...(await readDocuments(file)))
  const withModules = documents.filter(({ modules }) => isMapping(modules))
  const withJobs = documents.filter((document) => Array.isArray(document['scrape_configs']))
  requireBoth(withModules.length > 0, withJobs.length > 0, files)
  const draft = new FleetDraft()
  const modules = new Modules(draft)
  for (const document of withModules) modules.add(document)
  for (const document of withJobs) readPrometheus(document, draft, modules)
  modules.close()
  return draft
}

function requireBoth(hasModules: boolean, hasJobs: boolean, files: readonly string[]): void {
  const named = files.join(' and ')
  const both = 'name both files: pulseward import blackbox blackbox.yml prometheus.yml'
  if (!hasModules && !hasJobs)
    throw new ImportError(
      `${named}: there are neither modules of blackbox_exporter nor scrape_configs of Prometheus.`,
    )
  if (!hasModules)
    throw new ImportError(`${named}: there are no modules, which blackbox_exporter keeps; ${both}`)
  if (!hasJobs)
    throw new ImportError(`${named}: there are no scrape_configs, which say what is probed; ${both}`)
}

class Modules {
  readonly #draft: FleetDraft
  readonly #written = new Map<string, Record<string, unknown>>()
  readonly #read = new Map<string, Module | NotCarried>()

  constructor(draft: FleetDraft) {
    this.#draft = draft
  }

  add(document: Record<string, unknown>): void {
    const whole = new Fields(document, 'the file of blackbox_exporter', this.#draft.notes)
    const modules = whole.fields('modules')
    for (const name of modules?.keys ?? []) {
      const module = modules!.take(name)
      if (isMapping(module)) this.#written.set(name, module)
      else modules!.note(name, 'is not carried over: it is not a mapping')
    }
    whole.pass('scrape_configs', 'global')
    whole.close()
  }

  /** Reads a module once, however many targets use it. */
  get(name: string): Module {
    const read = this.#read.get(name) ?? this.#open(name)
    this.#read.set(name, read)
    if (read instanceof NotCarried) throw read
    return read
  }

  close(): void {
    for (const name of this.#written.keys())
      if (!this.#read.has(name))
        this.#draft.notes.add(name, '', 'is not carried over: no target is probed with this module')
  }

  #open(name: string): Module | NotCarried {
    const written = this.#written.get(name)
    if (written === undefined) return new NotCarried('module', 'there is no module of this name')
    const fields = new Fields(written, `module ${name}`, this.#draft.notes)
    try {
      const module = readModule(fields, name, this.#draft.secrets)
      fields.close()
      return module
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error
      return new NotCarried('module', `${error.field} of the module: ${error.message}`)
    }
  }
}

function readPrometheus(document: Record<string, unknown>, draft: FleetDraft, modules: Modules): void {
  const whole = new Fields(document, 'the file of Prometheus', draft.notes)
  const global = whole.fields('global')
  const intervalMs = global === null ? undefined : durationOf(global, 'scrape_interval')
  const timeoutMs = global === null ? undefined : durationOf(global, 'scrape_timeout')
  global?.pass('evaluation_interval', 'external_labels')
  whole.refuse('is not carried over: set up who is told in the fleet file', 'rule_files', 'alerting')
  whole.refuse(
    'is about Prometheus and not about what is watched',
    'remote_write',
    'remote_read',
    'storage',
    'tracing',
  )
  whole.pass('modules')
  for (const fields of whole.subjects('scrape_configs', (job, index) => `job ${jobName(job, index)}`))
    draft.carry(fields, () => {
      const times = {
        intervalMs: durationOf(fields, 'scrape_interval') ?? intervalMs ?? defaultIntervalMs,
        timeoutMs: durationOf(fields, 'scrape_timeout') ?? timeoutMs ?? null,
      }
      for (const target of readJob(fields)) addTarget(target, times, draft, modules)
    })
  whole.close()
}

function jobName({ job_name: name }: Record<string, unknown>, index: number): string {
  return typeof name === 'string' ? name : `scrape_configs[${index}]`
}

function addTarget(
  target: ProbeTarget,
  times: { intervalMs: number; timeoutMs: number | null },
  draft: FleetDraft,
  modules: Modules,
): void {
  const fields = new Fields({}, target.name, draft.notes)
  draft.carry(fields, () => {
    if (target.module === null) throw new NotCarried('module', 'the job names no module')
    const module = modules.get(target.module)
    const id = draft.monitorId(target.name)
    const markings = new Markings(fields)
    markings.label('job', target.job)
    for (const [label, value] of Object.entries(target.labels)) markings.label(label, value)
    const timeoutMs = module.timeoutMs ?? times.timeoutMs
    const name = monitorName(target.name, fields)
    // One failed probe counts: how many of them make an alert is up to alerting rules, which are not carried over.
    const { type, config } = module.check(target.address, id)
    const check = { type, ...timing({ ...times, timeoutMs }, fields), config }
    draft.monitors.push({ id, name, ...markings.written(), check } as MonitorDocument)
  })
}
