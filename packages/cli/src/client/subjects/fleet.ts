// client/subjects/fleet.ts: the fleet as v1 shows it: in numbers, monitor by monitor, and its open incidents.
import { type CallOptions, type Client, NotFoundError, type v1 } from '@pulseward/client'
import { codes, type Stale, statuses, v1Limits } from '@pulseward/contract'
import { reasonSentence, staleWords } from '@pulseward/contract/v1/words'
import { lastValue, type ParsedArguments } from '../../arguments.ts'
import { audienceFacts } from '../audience-facts.ts'
import { given, oneOfWords, switchValue, wholeNumber } from '../flag-values.ts'
import { locationBlocks } from '../location-blocks.ts'
import { hasLeft, isNumber, shownId, withMonitor } from '../named-monitor.ts'
import { pushFacts } from '../push-facts.ts'
import { notItsAnswer } from '../recognize.ts'
import { type Block, type Cell, type Column, type FactsBlock, facts, note, table } from '../table/block.ts'
import { exactMoment, listed, milliseconds, moment, percent, tally, wholeId } from '../table/values.ts'
import { subject } from './subject.ts'
import { actionWord, spaced, statusWord } from './words.ts'

type MonitorRow = v1.MonitorRow | v1.MainMonitorRow | v1.NextMonitorRow
type Incident = v1.Incident | v1.MainIncident | v1.NextIncident

const largestPage = 2_147_483_647

function pageOf(parsed: ParsedArguments) {
  return {
    page: wholeNumber(parsed, 'page', { minimum: 1, maximum: largestPage }),
    size: wholeNumber(parsed, 'size', { minimum: 1, maximum: v1Limits.sizeCap }),
  }
}

function pageNote(
  { page, size, total }: { page: number; size: number; total: number },
  many: string,
): Block[] {
  const pages = Math.max(1, Math.ceil(total / size))
  return pages === 1 ? [] : [note(`Page ${page} of ${pages}; ${total} ${many} in all.`)]
}

export const overview = subject({
  summary: 'the fleet in numbers',
  version: 'v1',
  id: 'none',
  filters: [],
  prepare: () => async (client, options) => (await client.v1.getOverview({}, options)).data,
  blocks: (data) => [
    ...staleNote(data),
    facts([
      ['Monitors', data.total],
      ['Incidents', openIncidents(data)],
      ...('tells_nobody' in data ? [['Tell nobody', data.tells_nobody] as const] : []),
      ['Up', percent(data.up_percent)],
      ['Healthy samples', percent(data.healthy_sample_percent)],
      ['By status', tally(countsByLook(data))],
      ['By check', tally(data.by_pulse_type)],
      ['Pending colors', tally(data.by_code)],
      ['As of', exactMoment(data.generated)],
    ]),
    ...(data.index_capped ? [note('The index is capped: monitors and incidents cannot be listed.')] : []),
  ],
})

type Overview = v1.Overview | v1.NextOverview

function snoozedIn(data: Overview): number {
  return 'snoozed' in data ? data.snoozed : 0
}

/** The wire counts snoozed monitors as disabled; each monitor is counted once here. */
function countsByLook(data: Overview): Readonly<Record<string, number>> {
  const snoozed = snoozedIn(data)
  const { disabled = 0, ...others } = data.by_status
  return { snoozed, disabled: disabled - snoozed, ...others }
}

/** An incident stays open while its monitor is verified or snoozed, and so has another status. */
function openIncidents(data: Overview): Cell {
  const elsewhere = data.incidents - (data.by_status['incident'] ?? 0)
  if (elsewhere <= 0) return data.incidents
  const states = [
    ...((data.by_status['verifying'] ?? 0) > 0 ? ['verifying'] : []),
    ...(snoozedIn(data) > 0 ? ['snoozed'] : []),
  ]
  return [data.incidents, ', of which ', elsewhere, ` ${states.join(' or ')}`]
}

/** The status as people see it: the wire calls a snoozed monitor disabled. */
function statusCell(row: Parameters<typeof statusWord>[0]): Cell {
  const word = statusWord(row)
  return word === 'snoozed' ? ['snoozed until ', moment(row.snoozed_until)] : word
}

/** What people copy into the next command; never cut. */
const idOfMonitor: Pick<Column<MonitorRow>, 'cell' | 'minimum'> = { cell: shownId, minimum: wholeId }

const monitorColumns: readonly Column<MonitorRow>[] = [
  { title: 'ID', ...idOfMonitor },
  { title: 'STATUS', cell: statusCell, state: true },
  { title: 'NAME', cell: ({ name }) => name, minimum: 12, dispensable: 1 },
  { title: 'LATENCY', cell: ({ latency_ms }) => milliseconds(latency_ms), dispensable: 2 },
  { title: 'CHECK', cell: ({ pulse_type }) => pulse_type, dispensable: 4 },
  { title: 'FAILURES', cell: (row) => row.consecutive_failures, dispensable: 5 },
  { title: 'LAST CHECK', cell: ({ last_check }) => moment(last_check), dispensable: 3 },
  { title: 'TARGET', cell: ({ target }) => target, minimum: 14, dispensable: 6 },
  { title: 'COLOR', cell: ({ pending_code }) => pending_code, wide: true, state: true, dispensable: 7 },
  { title: 'HEALTHY', cell: (row) => percent(row.healthy_sample_percent), wide: true, dispensable: 7 },
  { title: 'TAGS', cell: ({ tags }) => listed(tags), wide: true, minimum: 8, dispensable: 8 },
  { title: 'NUMBER', cell: ({ id }) => id, wide: true, dispensable: 9 },
]

export const listedMonitors = subject({
  summary: 'monitors, filtered, in pages',
  version: 'v1',
  id: 'none',
  filters: ['page', 'size', 'status', 'check', 'color', 'name', 'tells-nobody'],
  prepare(parsed) {
    const query = given({
      ...pageOf(parsed),
      status: oneOfWords(parsed, 'status', statuses),
      type: lastValue(parsed, 'check'),
      code: oneOfWords(parsed, 'color', codes),
      q: lastValue(parsed, 'name'),
      tells_nobody: switchValue(parsed, 'tells-nobody') ? ('true' as const) : undefined,
    })
    return async (client, options) => (await client.v1.listMonitors(query, options)).data
  },
  blocks: (data) => [
    ...staleNote(data),
    table<MonitorRow>(monitorColumns, data.monitors, { empty: 'No monitor is like this.' }),
    ...pageNote(data, 'monitors'),
  ],
})

export type MonitorDetail = v1.MonitorDetail | v1.MainMonitorDetail | v1.NextMonitorDetail

/** By its id, or else by its number; the edition main has numbers only. */
export async function readDetail(
  client: Client,
  named: string,
  options: CallOptions,
): Promise<MonitorDetail> {
  const ofId = async (id: string) => (await readWithState(client, id, options)).detail
  if (!isNumber(named)) return withMonitor(client, named, options, ofId)
  try {
    return await ofId(named)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    return (await client.v1.getMonitor({ id: Number(named) }, options)).data
  }
}

/** A monitor with what is done about it: its state names the number under which v1 has the rest. */
export async function readWithState(client: Client, id: string, options: CallOptions) {
  const state = (await client.v1.getState({ monitor_id: id }, options)).data
  const { monitor_number: number } = state
  // A service that does not name it is of another version.
  if (number === undefined) throw notItsAnswer('getState')
  if (number === null) throw hasLeft(id)
  const detail: MonitorDetail = (await client.v1.getMonitor({ id: number }, options)).data
  return { state, detail }
}

export const detailedMonitor = subject({
  summary: 'one monitor by its id',
  version: 'v1',
  id: 'required',
  filters: [],
  prepare: (_, id) => (client, options) => readDetail(client, id, options),
  blocks: (data) => [
    ...staleNote(data),
    facts([
      ['Name', data.name],
      ['ID', shownId(data)],
      ...stateFacts(data),
      ...(data.push ? [] : [['Next check', moment(data.next_check)] as const]),
      ['Healthy samples', percent(data.healthy_sample_percent)],
      ['Certificate ends', moment(data.certificate_expires_at)],
      ['Certificate seen', moment(data.certificate_observed_at)],
      ['Recovery', data.recovery.configured ? data.recovery.driver : null],
      ['Unknown actions', data.unknown_actions],
      ['Colors', listed(data.active_codes)],
      ['Tags', listed(data.tags)],
      ...('audience' in data ? audienceFacts(data.audience) : []),
    ]),
    ...locationBlocks(data),
  ],
})

/** What holds for a monitor now, and how it is checked. */
export function stateFacts(data: MonitorDetail): FactsBlock['facts'] {
  return [
    ['Status', statusCell(data)],
    ['Why', whyOf(data)],
    ['Last error', data.last_error],
    ['Warning', data.warning],
    ['Maintenance', data.maintenance.active ? ['until ', moment(data.maintenance.until) ?? 'told'] : null],
    ['Suppressed by', data.suppressed_by],
    ...checkFacts(data),
    ['Failures in a row', data.consecutive_failures],
    ['Latency', milliseconds(data.latency_ms)],
    ['Last success', moment(data.last_success)],
    ['Last check', moment(data.last_check)],
  ]
}

/** Nothing is run for a job that reports by itself. */
function checkFacts(data: MonitorDetail): FactsBlock['facts'] {
  if (data.push) return [['Check', data.pulse_type], ...pushFacts(data)]
  return [
    ['Check', `${data.pulse_type} ${data.target}`],
    ['Interval', milliseconds(data.interval_ms)],
    ['Timeout', milliseconds(data.timeout_ms)],
  ]
}

function whyOf({ status, status_reason: reason, snoozed_until: snoozedUntil }: MonitorDetail): Cell {
  if (snoozedUntil === null || status !== 'disabled') return reasonSentence(status, reason)
  return 'It is not checked and nobody is notified until the snooze ends.'
}

const incidentColumns: readonly Column<Incident>[] = [
  { title: 'MONITOR', ...idOfMonitor },
  { title: 'OPENED', cell: ({ opened_at }) => moment(opened_at), dispensable: 1 },
  { title: 'LAST ERROR', cell: ({ last_error }) => last_error, minimum: 16 },
  { title: 'ACKNOWLEDGED', cell: (row) => row.acknowledged_by, minimum: 12, dispensable: 2 },
  // Rather no name than little room for the error: the id says which it is.
  { title: 'NAME', cell: ({ name }) => name, minimum: 24, dispensable: 3 },
  { title: 'INCIDENT', cell: ({ incident_id }) => incident_id, minimum: wholeId, dispensable: 4 },
  { title: 'DISMISSED', cell: ({ dismissed }) => dismissed, wide: true, dispensable: 5 },
  { title: 'SUPPRESSES', cell: ({ suppresses }) => suppresses, wide: true, dispensable: 7 },
  {
    title: 'LAST ACTION',
    cell: ({ last_action: action }) =>
      action && `${actionWord(action.kind)} ${spaced(action.outcome ?? action.state)}`,
    wide: true,
    dispensable: 8,
  },
]

export const incidents = subject({
  summary: 'open incidents, in pages',
  version: 'v1',
  id: 'none',
  filters: ['page', 'size'],
  prepare(parsed) {
    const query = given(pageOf(parsed))
    return async (client, options) => (await client.v1.listIncidents(query, options)).data
  },
  blocks: (data) => [
    ...staleNote(data),
    table<Incident>(incidentColumns, data.incidents, { empty: 'No incident is open.' }),
    ...pageNote(data, 'incidents'),
  ],
})

/** The line over a table that the service does not keep up to date; an earlier version says nothing about it. */
function staleNote({ stale = null }: { readonly stale?: Stale | null }): Block[] {
  if (stale === null) return []
  // A newer service may have further reasons.
  const why = staleWords[stale.reason] ?? `${stale.reason}.`
  return [note(['Stale, as of ', moment(stale.since), `: ${why[0]!.toLowerCase()}${why.slice(1)}`])]
}
