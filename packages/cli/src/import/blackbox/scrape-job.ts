// import/blackbox/scrape-job.ts: one job of Prometheus: which targets it has blackbox_exporter probe, and with which module.
import type { Fields } from '../fields.ts'
import { NotCarried } from '../fleet-draft.ts'
import { looksSecret } from '../secrets.ts'

export interface ProbeTarget {
  readonly job: string
  /** For people: without user info and parameters, which may be secrets. */
  readonly name: string
  readonly address: string
  readonly module: string | null
  readonly labels: Readonly<Record<string, string>>
}

/** How Prometheus reaches the exporter, and what it does with the answer. */
const ofTheScrape = [
  'scheme',
  'honor_labels',
  'honor_timestamps',
  'basic_auth',
  'authorization',
  'tls_config',
  'metric_relabel_configs',
  'sample_limit',
]

export function readJob(fields: Fields): ProbeTarget[] {
  const job = fields.text('job_name') ?? 'a job without a name'
  fields.pass(...ofTheScrape)
  const path = fields.text('metrics_path') ?? '/metrics'
  if (!path.endsWith('/probe')) throw new NotCarried('', 'it does not probe: its metrics_path is not /probe')
  const params = fields.fields('params')
  const [ofJob = null, ...others] = params?.texts('module') ?? []
  if (others.length > 0) params?.note('module', 'has several; the first is taken, as the exporter does')
  params?.pass('debug')
  const relabeling = readRelabeling(fields)
  const [ofParameters] = params?.texts('target') ?? []
  for (const key of fields.keys.filter((key) => key.endsWith('_sd_configs')))
    fields.refuse('is not carried over: targets that are discovered are not in the file', key)
  return fields.items('static_configs').flatMap((group) => {
    const labels = group.textMap('labels')
    const targets = group.texts('targets')
    // Without relabeling the listed address is that of the exporter.
    const isFixed = ofParameters !== undefined && !relabeling.setsTarget
    return (isFixed ? [ofParameters] : targets).map((address) => ({
      job,
      name: `${shownAddress(address)} (${job})`,
      address,
      module: (relabeling.moduleLabel === null ? null : labels[relabeling.moduleLabel]) ?? ofJob,
      labels: visible(labels),
    }))
  })
}

/** Labels that start with two underscores are only for relabeling. */
function visible(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith('__')))
}

/** The default expression of a rule. */
const wholeValue = '(.*)'

/**
 * Handles the usual relabeling: it passes the target to the exporter, and a label may select the
 * module. Anything else is noted.
 */
function readRelabeling(fields: Fields): { moduleLabel: string | null; setsTarget: boolean } {
  let moduleLabel: string | null = null
  let setsTarget = false
  for (const rule of fields.items('relabel_configs')) {
    const from = rule.texts('source_labels')
    const to = rule.text('target_label')
    const replacement = rule.text('replacement')
    const regex = rule.text('regex') ?? wholeValue
    const changes = regex !== wholeValue || (rule.text('action') ?? 'replace').toLowerCase() !== 'replace'
    const isWhole = replacement === undefined || /^\$(1|\{1\})$/.test(replacement)
    const isCopy = !changes && from.length === 1 && isWhole
    const isUsual = isCopy && (from[0] === '__address__' || from[0] === '__param_target')
    if (to === '__param_target') setsTarget = true
    if (to === '__address__' && from.length === 0) continue
    if (isUsual && (to === '__param_target' || to === 'instance' || to === 'target')) continue
    if (isCopy && to === '__param_module') moduleLabel = from[0]!
    else rule.note('', 'is not carried over: it changes targets or labels in a way that is not known here')
  }
  return { moduleLabel, setsTarget }
}

function shownAddress(address: string): string {
  const shown = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?(?:[^/?#]*@)?/i, '').replace(/[?#].*$/s, '')
  return shown.split('/').some(looksSecret) ? shown.replace(/\/.*$/s, '') : shown
}
