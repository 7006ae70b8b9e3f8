// import/gatus/gatus.ts: the configuration of Gatus: endpoints with their conditions and alerts, alerting
// providers, maintenance windows, and the page that shows them by groups. Its environment variables stay variables.
import type { MonitorDocument } from '@pulseward/server'
import { durationOf } from '../durations.ts'
import { Fields, isMapping, noCounterpart } from '../fields.ts'
import { FleetDraft, NotCarried } from '../fleet-draft.ts'
import { ImportError } from '../import-error.ts'
import { Markings, monitorName, stated, timing } from '../monitor-parts.ts'
import { pageDraft } from '../page-draft.ts'
import { readDocuments } from '../read-source.ts'
import { Secrets } from '../secrets.ts'
import { GatusAlerting } from './alerting.ts'
import { endpointCheck } from './endpoint-checks.ts'
import { maintenanceWindow } from './maintenance.ts'

const defaultIntervalMs = 60_000

/** Settings of Gatus itself. */
const ofTheProgram = [
  'metrics',
  'storage',
  'web',
  'ui',
  'security',
  'concurrency',
  'disable-monitoring-lock',
  'skip-invalid-config-update',
  'announcements',
  'connectivity',
  'remote',
  'tunneling',
  'debug',
]

export async function readGatus([file = '']: readonly string[]): Promise<FleetDraft> {
  const [document = {}, ...others] = await readDocuments(file)
  recognize(document, others.length, file)
  const draft = new FleetDraft(new Secrets({ expandsVariables: true }))
  const whole = new Fields(document, 'the configuration', draft.notes)
  const alerting = new GatusAlerting(draft, whole)
  const window = whole.fields('maintenance')
  const everywhere = window === null ? null : maintenanceWindow(window)
  const reading: Reading = { draft, alerting, everywhere }
  const shownEndpoints: ShownEndpoint[] = []
  for (const fields of whole.subjects('endpoints', nameOf))
    draft.carry(fields, () => {
      const { group, monitors } = readEndpoint(fields, reading)
      draft.monitors.push(...monitors)
      shownEndpoints.push({
        group,
        name: monitors[0]!.name,
        monitors: monitors.flatMap(({ id }) => id ?? []),
      })
    })
  carryStatusPage(shownEndpoints, draft)
  notWatched(
    whole,
    'external-endpoints',
    'is not carried over: add a monitor with a check of type push, and call its address instead',
  )
  notWatched(whole, 'suites', 'is not carried over: a monitor here is one request, not several in a row')
  whole.refuse('is about the program and not about what it watches', ...ofTheProgram)
  alerting.close()
  whole.close()
  return draft
}

function recognize(document: Record<string, unknown>, others: number, file: string): void {
  if (others > 0) throw new ImportError(`${file} holds several documents; a configuration of Gatus is one.`)
  if (Array.isArray(document['services']) && document['endpoints'] === undefined)
    throw new ImportError(
      `${file} is of a version of Gatus before 4, which had services; rename services to endpoints and try again.`,
    )
  const parts = ['endpoints', 'external-endpoints', 'suites'].filter((key) => Array.isArray(document[key]))
  if (parts.length === 0)
    throw new ImportError(`${file} is not a configuration of Gatus: it has no list of endpoints.`)
}

function nameOf(endpoint: Record<string, unknown>, index: number): string {
  const { name, group } = endpoint
  const own = typeof name === 'string' && name !== '' ? name : `endpoints[${index}]`
  return typeof group === 'string' && group !== '' ? `${group}/${own}` : own
}

function notWatched(whole: Fields, key: string, reason: string): void {
  whole.list(key).forEach((item, index) => {
    whole.notes.add(isMapping(item) ? nameOf(item, index) : key, key, reason)
  })
}

interface Reading {
  readonly draft: FleetDraft
  readonly alerting: GatusAlerting
  readonly everywhere: object | null
}

/** An endpoint as the page of Gatus shows it. */
interface ShownEndpoint {
  /** Empty if it is in none. */
  readonly group: string
  readonly name: string
  readonly monitors: readonly string[]
}

/** Gatus shows everything by groups. Where there are none, nothing was arranged for visitors, and no page is made. */
function carryStatusPage(endpoints: readonly ShownEndpoint[], draft: FleetDraft): void {
  const groups = Map.groupBy(endpoints, ({ group }) => group)
  const others = groups.get('') ?? []
  groups.delete('')
  if (groups.size === 0) return
  const named = [...groups].map(([name, members]) => ({ name, members }))
  const rest = others.length === 0 ? [] : [{ name: 'Others', members: others }]
  const subject = 'the page of Gatus'
  draft.statusPage('status', pageDraft('Status', [...named, ...rest], { subject, notes: draft.notes }))
}

interface ReadEndpoint {
  readonly group: string
  readonly monitors: readonly MonitorDocument[]
}

function readEndpoint(fields: Fields, { draft, alerting, everywhere }: Reading): ReadEndpoint {
  const name = monitorName(shown(fields, 'name', draft.secrets) ?? fields.subject, fields)
  const group = shown(fields, 'group', draft.secrets) ?? ''
  const id = draft.monitorId(`${group} ${name}`)
  const markings = new Markings(fields)
  if (group !== '') markings.label('group', group)
  for (const [label, value] of Object.entries(fields.textMap('extra-labels'))) markings.label(label, value)
  const client = fields.fields('client') ?? fields.within('client', {})
  refuseClients(client)
  const { type, config, certificate } = endpointCheck({
    fields,
    client,
    url: fields.text('url') ?? missing('url'),
    conditions: fields.texts('conditions'),
    owner: id,
    secrets: draft.secrets,
  })
  const { notify, ...thresholds } = alerting.plan(fields, group)
  const windows = fields.items('maintenance-windows').map((window) => maintenanceWindow(window))
  const maintenance = [everywhere, ...windows].filter((window) => window !== null)
  fields.refuse('is about how Gatus shows it', 'ui')
  const common = {
    ...(fields.flag('enabled') === false ? { enabled: false } : {}),
    ...markings.written(),
    ...stated({ notify, maintenance: maintenance.length === 0 ? undefined : maintenance }),
  }
  const timeoutMs = durationOf(client, 'timeout') ?? 0
  const times = timing(
    {
      intervalMs: durationOf(fields, 'interval') ?? defaultIntervalMs,
      // A number without a unit is nanoseconds; for such a timeout Gatus uses its default.
      timeoutMs: timeoutMs < 1 ? null : timeoutMs,
      ...thresholds,
    },
    fields,
  )
  const monitor = { id, name, ...common, check: { type, ...times, config } }
  if (certificate === undefined) return { group, monitors: [monitor as MonitorDocument] }
  const lasting = {
    id: draft.monitorId(`${group} ${name} certificate`),
    name: monitorName(`${name} (certificate)`, fields),
    ...common,
    check: { type: 'tls', ...times, config: certificate },
  }
  return { group, monitors: [monitor as MonitorDocument, lasting as MonitorDocument] }
}

/** Text for people only. */
function shown(fields: Fields, key: string, secrets: Secrets): string | undefined {
  const text = fields.text(key)
  const plain = text === undefined ? undefined : secrets.plain(text)
  if (plain === null) fields.note(key, 'has variables, which are shown as they stand')
  return plain ?? text
}

function missing(field: string): never {
  throw new NotCarried(field, 'it is missing')
}

/** Client options that would change the answer. */
function refuseClients(client: Fields): void {
  for (const key of ['oauth2', 'identity-aware-proxy', 'tunnel'])
    if (client.take(key) !== undefined)
      throw new NotCarried(`client.${key}`, 'checks here cannot ask in this way')
  client.refuse(noCounterpart, 'dns-resolver', 'store-cookies')
  // Only some kinds of endpoints use them; Gatus ignores them elsewhere too.
  client.pass('ignore-redirect', 'insecure', 'network')
}
