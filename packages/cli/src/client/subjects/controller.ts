// client/subjects/controller.ts: the work of the controller as v1 shows it: stages, queues and pools, now and over time.
import type { Client, v1 } from '@pulseward/client'
import type { Location, LocationProbe, ServiceProcess } from '@pulseward/contract'
import { conditionWords } from '@pulseward/contract/v1/words'
import type { ParsedArguments } from '../../arguments.ts'
import { switchValue } from '../flag-values.ts'
import { type Block, type Column, note, table } from '../table/block.ts'
import { milliseconds, moment } from '../table/values.ts'
import { type Read, subject } from './subject.ts'
import { pipelineWord } from './words.ts'

const systemColumns: readonly Column<v1.System>[] = [
  { title: 'STAGE', cell: ({ name }) => name },
  { title: 'UPDATES', cell: ({ updates }) => updates },
  { title: 'ENTITIES', cell: ({ entities }) => entities },
  { title: 'LAST', cell: ({ last_ms }) => milliseconds(last_ms), dispensable: 2 },
  { title: 'AVERAGE', cell: ({ avg_ms }) => milliseconds(avg_ms), dispensable: 1 },
  { title: 'MOST', cell: ({ max_ms }) => milliseconds(max_ms), dispensable: 3 },
  { title: 'PROGRESS', cell: ({ last_progress }) => moment(last_progress), dispensable: 4 },
  { title: 'BATCHES', cell: ({ batches }) => batches, wide: true, dispensable: 5 },
]

const processColumns: readonly Column<ServiceProcess>[] = [
  { title: 'PROCESS', cell: ({ name }) => name, minimum: 12 },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'FILES', cell: ({ same_files }) => (same_files ? 'same' : 'differ') },
  { title: 'URL', cell: ({ url }) => url, minimum: 16 },
]

/** A probe, or a location that has none. */
interface ProbeRow extends Partial<LocationProbe> {
  readonly location: string
}

const locationColumns: readonly Column<ProbeRow>[] = [
  { title: 'LOCATION', cell: ({ location }) => location, minimum: 8 },
  { title: 'PROBE', cell: ({ name = 'none' }) => name, minimum: 8 },
  { title: 'STATE', cell: ({ state = 'not connected' }) => state },
  { title: 'MONITORS', cell: ({ monitors = null }) => monitors, dispensable: 1 },
  { title: 'IN FLIGHT', cell: ({ in_flight = null }) => in_flight, dispensable: 2 },
  { title: 'VERSION', cell: ({ version = null }) => version, dispensable: 3 },
  { title: 'SINCE', cell: ({ connected_since = null }) => moment(connected_since), dispensable: 4 },
]

function probesOf(locations: readonly Location[]): ProbeRow[] {
  return locations.flatMap(({ name: location, probes }): ProbeRow[] =>
    probes.length === 0 ? [{ location }] : probes.map((probe) => ({ location, ...probe })),
  )
}

export const systems = subject({
  summary: 'the stages of the controller, the processes of the service, and probes elsewhere',
  version: 'v1',
  id: 'none',
  filters: [],
  prepare: () => async (client, options) => (await client.v1.getSystems({}, options)).data,
  blocks: ({ systems, aggregate, processes, locations }) => [
    table(systemColumns, systems, { empty: 'No stage has reported yet.' }),
    note([
      aggregate.entities_per_second,
      ' entities/s, ',
      aggregate.updates_per_second,
      ' updates/s, ',
      'event loop lag p99 ',
      milliseconds(aggregate.event_loop_lag_p99_ms),
      '.',
    ]),
    ...(processes === undefined ? [] : [table(processColumns, processes, { empty: 'No process is known.' })]),
    ...(locations === undefined
      ? []
      : [table(locationColumns, probesOf(locations), { empty: 'There is no other location.' })]),
  ],
})

type Named<Row> = Row & { readonly name: string }

function named<Row extends object>(rows: Readonly<Record<string, Row>>): Named<Row>[] {
  return Object.entries(rows).map(([name, row]) => ({ name: pipelineWord(name), ...row }))
}

/** A table of samples per pipeline, oldest first. */
function seriesOf<Sample extends { at: string }>(
  { series }: { readonly series: Readonly<Record<string, readonly Sample[]>> },
  columns: readonly Column<Named<Sample>>[],
): Block[] {
  return Object.entries(series).map(([name, samples]) =>
    table(
      [{ title: 'AT', cell: ({ at }) => moment(at) }, ...columns],
      samples.map((sample) => ({ name, ...sample })),
      { heading: pipelineWord(name), empty: 'Nothing was sampled yet.' },
    ),
  )
}

function nowOrSeries<Now, Series>(
  parsed: ParsedArguments,
  read: {
    now: (client: Client, options: Parameters<Read<Now>>[1]) => Promise<{ data: Now }>
    series: (client: Client, options: Parameters<Read<Now>>[1]) => Promise<{ data: Series }>
  },
): Read<Now | Series> {
  const wantsSeries = switchValue(parsed, 'series')
  return async (client, options) => (await (wantsSeries ? read.series : read.now)(client, options)).data
}

const queueColumns: readonly Column<Named<v1.Queue>>[] = [
  { title: 'QUEUE', cell: ({ name }) => name },
  { title: 'DEPTH', cell: ({ depth }) => depth },
  { title: 'CAPACITY', cell: ({ capacity }) => capacity, dispensable: 2 },
  { title: 'IN/S', cell: ({ enqueue_rate }) => enqueue_rate, dispensable: 1 },
  { title: 'OUT/S', cell: ({ dequeue_rate }) => dequeue_rate, dispensable: 1 },
  { title: 'OLDEST', cell: ({ oldest_ms }) => milliseconds(oldest_ms), dispensable: 1 },
  { title: 'WAIT', cell: ({ avg_wait_ms }) => milliseconds(avg_wait_ms), dispensable: 3 },
  { title: 'DROPPED', cell: ({ dropped }) => dropped },
  { title: 'MOST WAIT', cell: ({ max_wait_ms }) => milliseconds(max_wait_ms), wide: true, dispensable: 4 },
  { title: 'ENQUEUED', cell: ({ enqueued }) => enqueued, wide: true, dispensable: 5 },
  { title: 'LAST IN', cell: ({ last_enqueue }) => moment(last_enqueue), wide: true, dispensable: 6 },
]

const destinationColumns: readonly Column<v1.Destination>[] = [
  { title: 'DESTINATION', cell: ({ name }) => name, minimum: 11 },
  { title: 'DRIVER', cell: ({ driver }) => driver, dispensable: 4 },
  { title: 'STATE', cell: ({ state }) => state, state: true },
  { title: 'QUEUED', cell: ({ queued }) => queued },
  { title: 'SINCE', cell: ({ since }) => moment(since), dispensable: 2 },
  { title: 'UNTIL', cell: ({ until }) => moment(until), dispensable: 3 },
  { title: 'REASON', cell: ({ reason }) => reason, minimum: 16, dispensable: 1 },
]

export const queues = subject<v1.Queues | v1.QueueSeries>({
  summary: 'the queues now, or their recent past with --series',
  version: 'v1',
  id: 'none',
  filters: ['series'],
  prepare: (parsed) =>
    nowOrSeries(parsed, {
      now: (client, options) => client.v1.getQueues({}, options),
      series: (client, options) => client.v1.getQueueHistory({}, options),
    }),
  blocks(data) {
    if ('series' in data)
      return seriesOf<v1.QueueSample>(data, [
        { title: 'DEPTH', cell: ({ depth }) => depth },
        { title: 'IN/S', cell: (sample) => sample.enqueue_rate, dispensable: 2 },
        { title: 'OUT/S', cell: (sample) => sample.dequeue_rate, dispensable: 3 },
        { title: 'OLDEST', cell: (sample) => milliseconds(sample.oldest_ms), dispensable: 4 },
        { title: 'DROPPED', cell: ({ dropped }) => dropped, dispensable: 1 },
      ])
    return [
      table(queueColumns, named<v1.Queue>(data.queues), { empty: 'There is no queue.' }),
      ...(data.destinations.length === 0
        ? []
        : [table(destinationColumns, data.destinations, { empty: '' })]),
    ]
  },
})

const poolColumns: readonly Column<Named<v1.Pool>>[] = [
  { title: 'POOL', cell: ({ name }) => name },
  { title: 'BUSY', cell: ({ busy }) => busy },
  { title: 'CAPACITY', cell: ({ capacity }) => capacity },
  { title: 'WAITING', cell: ({ waiting }) => waiting },
  { title: 'RECOMMENDED', cell: ({ recommended }) => recommended, dispensable: 1 },
  { title: 'SERVICE', cell: (pool) => milliseconds(pool.service_time_ms), dispensable: 2 },
  { title: 'ARRIVALS/S', cell: ({ arrival_rate }) => arrival_rate, dispensable: 3 },
  {
    title: 'SLO',
    cell: ({ slo_condition: condition }) => condition && conditionWords[condition].toLowerCase(),
    dispensable: 4,
  },
  { title: 'REASON', cell: ({ reason }) => reason, minimum: 16, wide: true, dispensable: 5 },
]

export const pools = subject<v1.Pools | v1.PoolSeries>({
  summary: 'the worker pools now, or their recent past with --series',
  version: 'v1',
  id: 'none',
  filters: ['series'],
  prepare: (parsed) =>
    nowOrSeries(parsed, {
      now: (client, options) => client.v1.getPools({}, options),
      series: (client, options) => client.v1.getPoolHistory({}, options),
    }),
  blocks(data) {
    if ('series' in data)
      return seriesOf<v1.PoolSample>(data, [
        { title: 'BUSY', cell: ({ busy }) => busy },
        { title: 'CAPACITY', cell: ({ capacity }) => capacity, dispensable: 2 },
        { title: 'WAITING', cell: ({ waiting }) => waiting, dispensable: 1 },
        { title: 'SERVICE', cell: (sample) => milliseconds(sample.service_time_ms), dispensable: 3 },
      ])
    return [table(poolColumns, named<v1.Pool>(data.pools), { empty: 'There is no pool.' })]
  },
})
