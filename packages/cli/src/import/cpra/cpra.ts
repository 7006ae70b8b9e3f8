// import/cpra/cpra.ts: manifests of CPRa: monitors with a pulse check, codes and an intervention, endpoints
// and notification groups. A monitor without an id keeps the identity derived from its name: both programs
// derive it in the same way.
import type { MonitorDocument } from '@pulseward/server'
import { durationOf } from '../durations.ts'
import { entryOf, Fields, isMapping } from '../fields.ts'
import { FleetDraft, NotCarried } from '../fleet-draft.ts'
import { ImportError } from '../import-error.ts'
import { Markings, monitorName, stated, timing } from '../monitor-parts.ts'
import { readDocuments } from '../read-source.ts'
import { checks } from './checks.ts'
import { CpraDestinations } from './destinations.ts'
import { recovery } from './interventions.ts'

const defaultIntervalMs = 60_000
const mostRetries = 10

export async function readCpra([file = '']: readonly string[]): Promise<FleetDraft> {
  const documents = await readDocuments(file)
  for (const document of documents) recognize(document, file)
  const draft = new FleetDraft()
  const whole = documents.map((document) => new Fields(document, 'the manifest', draft.notes))
  const destinations = new CpraDestinations(draft)
  for (const manifest of whole) destinations.addEndpoints(manifest)
  for (const manifest of whole) destinations.addGroups(manifest)
  for (const manifest of whole) {
    manifest.pass('version')
    const nameOf = ({ name }: Record<string, unknown>, index: number) =>
      typeof name === 'string' ? name : `monitors[${index}]`
    for (const fields of manifest.subjects('monitors', nameOf))
      draft.carry(fields, () => draft.monitors.push(readMonitor(fields, draft, destinations)))
    manifest.close()
  }
  return draft
}

function recognize(document: Record<string, unknown>, file: string): void {
  const { apiVersion, version, monitors } = document
  if (typeof apiVersion === 'string')
    throw new ImportError(
      `${file} holds resources of an API (apiVersion), not a manifest of CPRa; a manifest has monitors with a pulse_check.`,
    )
  if (version !== undefined && ![0, 1].includes(version as number))
    throw new ImportError(`${file} is of a version of CPRa's manifests that is not known here; version 1 is.`)
  const hasPulse = Array.isArray(monitors) && monitors.some((one) => isMapping(one) && 'pulse_check' in one)
  const isEmpty = Array.isArray(monitors) ? monitors.length === 0 : monitors === undefined
  const hasHead = 'endpoints' in document || 'notification_groups' in document
  if (!hasPulse && !(isEmpty && hasHead))
    throw new ImportError(`${file} is not a manifest of CPRa: it has no monitors with a pulse_check.`)
}

function readMonitor(fields: Fields, draft: FleetDraft, destinations: CpraDestinations): MonitorDocument {
  const name = monitorName(fields.text('name') ?? '', fields)
  const { id, owner } = identity(fields.text('id'), name, fields, draft)
  const pulse = fields.fields('pulse_check')
  if (pulse === null) throw new NotCarried('pulse_check', 'it is missing')
  const type = pulse.text('type') ?? ''
  const read = entryOf(checks, type)
  if (read === undefined) throw new NotCarried('pulse_check.type', 'there is no check of this type')
  const config = pulse.fields('config') ?? pulse.within('config', {})
  const markings = new Markings(fields)
  for (const tag of [...fields.texts('tags'), ...pulse.texts('groups')]) markings.tag(tag)
  const intervention = fields.fields('intervention')
  const retries = retriesOf(config.number('retries') || (pulse.number('retries') ?? 0), pulse)
  return {
    ...(id === null ? {} : { id }),
    name,
    ...(fields.flag('enabled') === false ? { enabled: false } : {}),
    ...markings.written(),
    check: {
      type,
      ...pulseTiming(pulse),
      ...(retries > 0 ? { retries } : {}),
      config: read({ fields: config, owner, secrets: draft.secrets }),
    },
    ...stated({
      recovery: intervention === null ? undefined : recovery(intervention, owner, draft.secrets),
      notify: destinations.notify(fields, name),
      maintenance: maintenance(fields),
    }),
  } as MonitorDocument
}

/** An explicit id that is not allowed here is replaced by one made from the name, which is noted. */
function identity(written: string | undefined, name: string, fields: Fields, draft: FleetDraft) {
  if (written === undefined && draft.claimId(`name ${name}`)) return { id: null, owner: name }
  const isRight = written !== undefined && /^(?!name:)[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(written)
  if (isRight && draft.claimId(written)) return { id: written, owner: written }
  const id = draft.monitorId(name)
  fields.note('id', 'is another one here: the written one, or the name, is taken or not allowed')
  return { id, owner: id }
}

function pulseTiming(pulse: Fields) {
  const failures = pulse.number('unhealthy_threshold') || pulse.number('max_failures') || undefined
  pulse.pass('max_failures')
  const successes = pulse.number('healthy_threshold') || undefined
  return timing(
    {
      intervalMs: durationOf(pulse, 'interval') ?? defaultIntervalMs,
      timeoutMs: durationOf(pulse, 'timeout') ?? null,
      ...(failures === undefined ? {} : { failures }),
      ...(successes === undefined ? {} : { successes }),
    },
    pulse,
  )
}

function retriesOf(count: number, pulse: Fields): number {
  if (count > mostRetries) pulse.note('retries', `are set to ${mostRetries}, the most that is allowed`)
  return Math.max(0, Math.min(Math.round(count), mostRetries))
}

function maintenance(fields: Fields): object[] | undefined {
  const windows = fields.items('maintenance').map((window) => {
    const ms = durationOf(window, 'duration')
    return stated({
      cron: window.text('cron'),
      duration: ms === undefined ? undefined : `${Math.round(ms / 1_000)}s`,
      timezone: window.text('timezone'),
    })
  })
  return windows.length === 0 ? undefined : windows
}
