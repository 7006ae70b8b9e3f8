// client/subjects/records.ts: what the service keeps and promises, as v1 shows it: settings, state, events,
// and the punctuality of checks.
import type { CallOptions, Client, v1 } from '@pulseward/client'
import { v1Limits } from '@pulseward/contract'
import { conditionWords, describeEvent } from '@pulseward/contract/v1/words'
import { lastValue, type ParsedArguments } from '../../arguments.ts'
import { given, oneOfWords, wholeNumber } from '../flag-values.ts'
import { withMonitor } from '../named-monitor.ts'
import { type Column, facts, note, table } from '../table/block.ts'
import { bytes, milliseconds, moment, percent, tally, wholeId } from '../table/values.ts'
import { orders, type Read, subject } from './subject.ts'
import { actionWord, pipelineWord, spaced } from './words.ts'

export const config = subject({
  summary: 'the public settings of the service',
  version: 'v1',
  id: 'none',
  filters: [],
  prepare: () => async (client, options) => (await client.v1.getConfig({}, options)).data,
  blocks: (data) => [
    facts([
      ['Edition', data.edition],
      ['Version', data.version],
      ['Listens on', data.listen],
      ['Needs a token', data.authentication],
      ['Store', data.store.mode],
      ['Queue capacity', tally(data.queue_capacity, pipelineWord)],
      ['Batch size', data.batch_size],
      ['Snapshots every', milliseconds(data.snapshot_interval_ms)],
      ['Alert cooldown', milliseconds(data.alert_cooldown_ms)],
      ['Recovery bypass', data.recovery_bypass],
      ['Events kept', `${data.history_retention_days} days`],
      ['Index cap', data.index_cap],
      ['Started', moment(data.started_at)],
    ]),
  ],
})

type Action = v1.ActionEntry | v1.NextActionEntry

export const actionColumns: readonly Column<Action>[] = [
  { title: 'ACTION', cell: ({ id }) => id, minimum: wholeId, dispensable: 1 },
  { title: 'KIND', cell: ({ kind }) => actionWord(kind), dispensable: 3 },
  { title: 'STATE', cell: ({ state }) => state, state: true },
  { title: 'COLOR', cell: ({ color }) => color, state: true, dispensable: 4 },
  { title: 'ENDPOINT', cell: ({ endpoint }) => endpoint, minimum: 8, dispensable: 5 },
  { title: 'WAITS FOR', cell: (action) => spaced(action.waiting_for), dispensable: 2 },
  { title: 'OUTCOME', cell: ({ outcome }) => spaced(outcome), dispensable: 6 },
  { title: 'REASON', cell: ({ reason }) => reason, minimum: 12, dispensable: 2 },
  { title: 'ATTEMPT', cell: ({ attempt }) => attempt, wide: true, dispensable: 7 },
  { title: 'FINISHED', cell: (action) => moment(action.finished_at), wide: true, dispensable: 8 },
]

export const state = subject({
  summary: 'the store and the process; with --monitor its actions',
  version: 'v1',
  id: 'none',
  filters: ['monitor'],
  prepare(parsed) {
    return ofMonitor(
      parsed,
      async (query, client, options) => (await client.v1.getState(query, options)).data,
    )
  },
  blocks: ({ storage, storage_usage: usage, process, unknown_actions, actions, held_back = null }) => [
    // First: people must see a monitor that fails while nothing is done about it.
    ...(held_back === null ? [] : [note(`It fails, yet no incident is open: ${held_back}.`)]),
    facts([
      ['Store', `${storage.mode}, ${storage.ready ? 'ready' : 'not ready'}`],
      ['Error', storage.error],
      ['Committed position', storage.committed_position],
      ['Commit latency', milliseconds(storage.commit_latency_ms)],
      ['Commit latency p99', milliseconds(storage.commit_latency_p99_ms)],
      ['Last backup', moment(storage.last_backup?.at)],
      ['Size', bytes(usage.bytes)],
      ['Free', bytes(usage.available_bytes)],
      ['Memory', bytes(process.rss_bytes)],
      ['CPU', milliseconds(process.cpu_seconds * 1_000)],
      ['Up for', milliseconds(process.uptime_seconds * 1_000)],
      ['Unknown actions', unknown_actions],
    ]),
    ...(actions === undefined ? [] : [table(actionColumns, actions, { empty: 'It has no actions.' })]),
  ],
})

type Event = v1.HistoryEvent | v1.NextHistoryEvent

const eventColumns: readonly Column<Event>[] = [
  { title: 'AT', cell: ({ at }) => moment(at) },
  { title: 'MONITOR', cell: ({ monitor_id }) => monitor_id, minimum: 10 },
  { title: 'EVENT', cell: describeEvent, minimum: 20 },
  { title: 'REASON', cell: ({ reason }) => reason, minimum: 12, dispensable: 1 },
  { title: 'TYPE', cell: ({ type }) => type, wide: true, dispensable: 2 },
  { title: 'OUTCOME', cell: ({ outcome }) => spaced(outcome), wide: true, dispensable: 3 },
  { title: 'COLOR', cell: ({ color }) => color, state: true, wide: true, dispensable: 4 },
  { title: 'INCIDENT', cell: ({ incident_id }) => incident_id, minimum: 8, wide: true, dispensable: 7 },
  { title: 'ACTION', cell: ({ action_id }) => action_id, minimum: 8, wide: true, dispensable: 8 },
  { title: 'ID', cell: ({ id }) => id, wide: true, dispensable: 9 },
]

/** Reads what concerns the monitor of the filter, if there is one. */
function ofMonitor<Data>(
  parsed: ParsedArguments,
  read: (query: { monitor_id?: string }, client: Client, options: CallOptions) => Promise<Data>,
): Read<Data> {
  const named = lastValue(parsed, 'monitor')
  return (client, options) =>
    named === null
      ? read({}, client, options)
      : withMonitor(client, named, options, (id) => read({ monitor_id: id }, client, options))
}

export const history = subject({
  summary: 'retained events, in pages',
  version: 'v1',
  id: 'none',
  filters: ['monitor', 'limit', 'cursor', 'order'],
  prepare(parsed) {
    const query = given({
      limit: wholeNumber(parsed, 'limit', { minimum: 1, maximum: v1Limits.historyLimitMaximum }),
      cursor: lastValue(parsed, 'cursor'),
      order: oneOfWords(parsed, 'order', orders),
    })
    return ofMonitor(
      parsed,
      async (monitor, client, options) =>
        (await client.v1.getHistory({ ...query, ...monitor }, options)).data,
    )
  },
  blocks: ({ events, next_cursor: cursor }) => [
    table<Event>(eventColumns, events, { empty: 'No event is kept.' }),
    ...(cursor === null ? [] : [note(`There is more: --cursor ${cursor}`)]),
  ],
})

const reportColumns: readonly Column<v1.SloReport>[] = [
  { title: 'CHECK', cell: ({ driver }) => driver },
  { title: 'CONDITION', cell: ({ condition }) => conditionWords[condition].toLowerCase(), minimum: 12 },
  { title: 'RESULT', cell: (report) => share(report.result_attainment) },
  { title: 'QUEUE', cell: (report) => share(report.queue_attainment), dispensable: 1 },
  { title: 'P50', cell: (report) => milliseconds(report.scheduled_result.p50_ms), dispensable: 5 },
  { title: 'P95', cell: (report) => milliseconds(report.scheduled_result.p95_ms), dispensable: 4 },
  { title: 'P99', cell: (report) => milliseconds(report.scheduled_result.p99_ms), dispensable: 2 },
  { title: 'SAMPLES', cell: ({ samples }) => samples, dispensable: 3 },
  { title: 'MISSED', cell: ({ missed }) => missed, dispensable: 6 },
  { title: 'TIMEOUTS', cell: ({ timeouts }) => timeouts, wide: true, dispensable: 7 },
  { title: 'OVERDUE', cell: ({ overdue }) => overdue, wide: true, dispensable: 8 },
  { title: 'PENDING', cell: ({ pending }) => pending, wide: true, dispensable: 9 },
]

function share(value: number | null): string | null {
  return percent(value === null ? null : value * 100)
}

export const slo = subject({
  summary: 'how well checks kept to their times',
  version: 'v1',
  id: 'none',
  filters: [],
  prepare: () => async (client, options) => (await client.v1.getSLO({}, options)).data,
  blocks: (data) => [
    table(reportColumns, data.reports, { empty: 'Nothing was checked in this window.' }),
    note(
      `The last ${milliseconds(data.window_seconds * 1_000)}: in the queue at most ${milliseconds(data.queue_target_ms)}, a result within ${milliseconds(data.result_target_ms)}.`,
    ),
    ...(data.coverage_complete
      ? []
      : [
          note([
            'Not all of it was observed: from ',
            moment(data.gap_start),
            ' to ',
            moment(data.gap_end) ?? 'now',
            '.',
          ]),
        ]),
  ],
})
