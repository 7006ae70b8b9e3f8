// client/subjects/fleet.ts: the fleet as v1 shows it: in numbers, monitor by monitor, and its open incidents.
import type { v1 } from '@pulseward/client'
import { codes, type Stale, type StaleReason, statuses, v1Limits } from '@pulseward/contract'
import { lastValue, type ParsedArguments } from '../../arguments.ts'
import { given, oneOfWords, wholeNumber } from '../flag-values.ts'
import { type Block, type Column, facts, note, table } from '../table/block.ts'
import { listed, milliseconds, moment, percent, tally, wholeId } from '../table/values.ts'
import { subject } from './subject.ts'

type MonitorRow = v1.MonitorRow | v1.MainMonitorRow | v1.NextMonitorRow
type Incident = v1.Incident | v1.MainIncident | v1.NextIncident

const largestPage = 2_147_483_647

function pageOf(parsed: ParsedArguments) {
  return {
    page: wholeNumber(parsed, 'page', { minimum: 1, maximum: largestPage }),
    size: wholeNumber(parsed, 'size', { minimum: 1, maximum: v1Limits.sizeCap }),
  }
}

function monitorId(row: object): string | null {
  return 'monitor_id' in row ? String(row.monitor_id) : null
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
      ['Incidents', data.incidents],
      ['Up', percent(data.up_percent)],
      ['Healthy samples', percent(data.healthy_sample_percent)],
      ['By status', tally(data.by_status)],
      ['By check', tally(data.by_pulse_type)],
      ['Pending colors', tally(data.by_code)],
      ['As of', moment(data.generated)],
    ]),
    ...(data.index_capped ? [note('The index is capped: monitors and incidents cannot be listed.')] : []),
  ],
})

const monitorColumns: readonly Column<MonitorRow>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'STATUS', cell: ({ status }) => status, state: true },
  { title: 'NAME', cell: ({ name }) => name, minimum: 12 },
  { title: 'CHECK', cell: ({ pulse_type }) => pulse_type, dispensable: 2 },
  { title: 'TARGET', cell: ({ target }) => target, minimum: 14, dispensable: 3 },
  { title: 'LATENCY', cell: ({ latency_ms }) => milliseconds(latency_ms), dispensable: 1 },
  { title: 'FAILURES', cell: (row) => row.consecutive_failures, dispensable: 5 },
  { title: 'LAST CHECK', cell: ({ last_check }) => moment(last_check), dispensable: 6 },
  { title: 'MONITOR ID', cell: monitorId, minimum: 10, dispensable: 4 },
  { title: 'COLOR', cell: ({ pending_code }) => pending_code, wide: true, state: true, dispensable: 7 },
  { title: 'HEALTHY', cell: (row) => percent(row.healthy_sample_percent), wide: true, dispensable: 7 },
  { title: 'TAGS', cell: ({ tags }) => listed(tags), wide: true, minimum: 8, dispensable: 8 },
]

export const listedMonitors = subject({
  summary: 'monitors, filtered, in pages',
  version: 'v1',
  id: 'none',
  filters: ['page', 'size', 'status', 'type', 'code', 'q'],
  prepare(parsed) {
    const query = given({
      ...pageOf(parsed),
      status: oneOfWords(parsed, 'status', statuses),
      type: lastValue(parsed, 'type'),
      code: oneOfWords(parsed, 'code', codes),
      q: lastValue(parsed, 'q'),
    })
    return async (client, options) => (await client.v1.listMonitors(query, options)).data
  },
  blocks: (data) => [
    ...staleNote(data),
    table<MonitorRow>(monitorColumns, data.monitors, { empty: 'No monitor is like this.' }),
    ...pageNote(data, 'monitors'),
  ],
})

export const numberedMonitor = subject({
  summary: 'one monitor by its number',
  version: 'v1',
  id: 'required',
  filters: [],
  prepare(_, text) {
    const id = Number(text)
    return async (client, options) => (await client.v1.getMonitor({ id }, options)).data
  },
  blocks: (data) => [
    ...staleNote(data),
    facts([
      ['Name', data.name],
      ['Status', data.status],
      ['Why', data.status_reason],
      ['ID', data.id],
      ['Monitor ID', monitorId(data)],
      ['Check', `${data.pulse_type} ${data.target}`],
      ['Interval', milliseconds(data.interval_ms)],
      ['Timeout', milliseconds(data.timeout_ms)],
      ['Last check', moment(data.last_check)],
      ['Last success', moment(data.last_success)],
      ['Next check', moment(data.next_check)],
      ['Latency', milliseconds(data.latency_ms)],
      ['Failures in a row', data.consecutive_failures],
      ['Last error', data.last_error],
      ['Warning', data.warning],
      ['Healthy samples', percent(data.healthy_sample_percent)],
      ['Certificate ends', moment(data.certificate_expires_at)],
      ['Certificate seen', moment(data.certificate_observed_at)],
      ['Recovery', data.recovery.configured ? data.recovery.driver : null],
      ['Unknown actions', data.unknown_actions],
      ['Maintenance', data.maintenance.active ? ['until ', moment(data.maintenance.until) ?? 'told'] : null],
      ['Snoozed until', moment(data.snoozed_until)],
      ['Suppressed by', data.suppressed_by],
      ['Colors', listed(data.active_codes)],
      ['Tags', listed(data.tags)],
    ]),
  ],
})

const incidentColumns: readonly Column<Incident>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'INCIDENT', cell: ({ incident_id }) => incident_id, minimum: wholeId, dispensable: 1 },
  { title: 'NAME', cell: ({ name }) => name, minimum: 12 },
  { title: 'OPENED', cell: ({ opened_at }) => moment(opened_at), dispensable: 2 },
  { title: 'ACKNOWLEDGED', cell: (row) => row.acknowledged_by, minimum: 12, dispensable: 4 },
  { title: 'LAST ERROR', cell: ({ last_error }) => last_error, minimum: 16, dispensable: 3 },
  { title: 'DISMISSED', cell: ({ dismissed }) => dismissed, wide: true, dispensable: 5 },
  { title: 'MONITOR ID', cell: monitorId, minimum: 10, wide: true, dispensable: 6 },
  { title: 'SUPPRESSES', cell: ({ suppresses }) => suppresses, wide: true, dispensable: 7 },
  {
    title: 'LAST ACTION',
    cell: ({ last_action: action }) => action && `${action.kind} ${action.outcome ?? action.state}`,
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

const staleWords: Readonly<Record<StaleReason, string>> = {
  storage_unavailable: 'decisions cannot be stored, so no checks run and no notifications are sent',
  controller_stalled: 'the controller makes no progress, so no checks run and no notifications are sent',
  stale_snapshot: 'no newer snapshot of the fleet was taken',
}

/** The line over a table that the service does not keep up to date; an earlier version says nothing about it. */
function staleNote({ stale = null }: { readonly stale?: Stale | null }): Block[] {
  if (stale === null) return []
  // A newer service may have further reasons.
  return [note(['Stale, as of ', moment(stale.since), `: ${staleWords[stale.reason] ?? stale.reason}.`])]
}
