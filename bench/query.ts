// bench/query.ts: how long the list, the search, the incidents and the map of a large fleet take, one query
// after the other through the query thread as in the API, while the statuses of the fleet change; and for how
// long they block the calling thread, which is the controller's.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '@pulseward/server'
import { checks } from '../packages/server/src/checks/registry.ts'
import { DefinitionBuilder } from '../packages/server/src/config/fleet-file/definition-builder.ts'
import { arrange } from '../packages/server/src/fleet/arrangement.ts'
import { statusNumber } from '../packages/server/src/fleet/columns.ts'
import { Fleet } from '../packages/server/src/fleet/fleet.ts'
import { FleetQueries } from '../packages/server/src/projection/query/fleet-queries.ts'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'

const pageSize = 50
const warmRounds = 5
const incidentShare = 0.01
/** Statuses that change between two queries: more than in a busy fleet. */
const changesBetween = 2_000

/** As the page lists monitors. */
const troubleFirst = { by: 'status', isDescending: false } as const

/** More texts than the search caches, so that each is searched anew. */
const frequentTexts = (word: string) => [
  ` ${word}`,
  word,
  `${word} `,
  word.slice(1),
  `e ${word}`,
  word.slice(2),
]
const texts = {
  half: frequentTexts('eastern'),
  other: frequentTexts('western'),
  all: ['region', 'regio', ' region', 'n region', 'service', 'service ', ' of the '],
  none: ['nowhere', 'elsewhere', 'zzz', 'north', 'qqq', 'southern'],
}
const turn = (of: keyof typeof texts, round: number) => texts[of][round % texts[of].length]!

interface Figures {
  readonly p50_ms: number
  readonly p99_ms: number
  /** CPU time of the whole process per query: other work on the same machine does not change it. */
  readonly cpu_ms: number
}

interface Answer {
  readonly kind: string
  readonly value?: { readonly total?: number; readonly generation: number }
}

type Ask = (queries: FleetQueries, monitors: number, round: number) => Promise<Answer>

const kinds: Record<string, Ask> = {
  first_page: (queries) => queries.find({}, 1, pageSize),
  deep_page: (queries, monitors) => queries.find({}, Math.floor(monitors / pageSize), pageSize),
  status_page: (queries) => queries.find({ status: 'incident' }, 3, pageSize),
  rare_search: (queries, _, round) => queries.find({ q: `Service ${77_000 + round} ` }, 1, pageSize),
  no_hit_search: (queries, _, round) => queries.find({ q: turn('none', round) }, 1, pageSize),
  half_hit_search: (queries, _, round) => queries.find({ q: turn('half', round) }, 1, pageSize),
  all_hit_search: (queries, _, round) => queries.find({ q: turn('all', round) }, 1, pageSize),
  combined_search: (queries, _, round) =>
    queries.find({ q: turn('other', round), status: 'up', type: 'tcp' }, 9, pageSize),
  search_next_page: (queries, _, round) => queries.find({ q: 'eastern' }, 1 + round, pageSize),
  trouble_first: (queries) => queries.find({}, 1, pageSize, troubleFirst),
  trouble_first_search: (queries, _, round) =>
    queries.find({ q: turn('half', round) }, 1, pageSize, troubleFirst),
  slowest_first: (queries) => queries.find({}, 1, pageSize, { by: 'latency_ms', isDescending: true }),
  incidents: (queries) => queries.incidents(1, pageSize),
  map: (queries) => queries.map({}),
}

/** The smallest and the largest share of the fleet that a query must find, if known. */
const hitShares: Record<string, readonly [least: number, most: number]> = {
  first_page: [1, 1],
  deep_page: [1, 1],
  no_hit_search: [0, 0],
  half_hit_search: [0.5, 1],
  all_hit_search: [1, 1],
  search_next_page: [0.5, 0.5],
  trouble_first: [1, 1],
  trouble_first_search: [0.5, 1],
  slowest_first: [1, 1],
}

export const query = defineBenchmark({
  about: 'Lists, searches and the map of a large fleet through the query thread.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors of the fleet', pageSize),
    rounds: wholeNumber(200, 'how often each question is asked'),
  },
  run: ({ monitors, rounds }) => askAll(monitors, rounds),
})

async function askAll(monitors: number, rounds: number): Promise<Measurement> {
  const fleet = fleetOf(monitors)
  await using queries = new FleetQueries({
    types: fleet.types,
    clock: systemClock,
    onThreadLost: (words) => {
      throw new Error(words)
    },
  })
  const rssBefore = process.memoryUsage.rss()
  const began = performance.now()
  queries.fleetChanged(fleet)
  await queries.find({}, 1, pageSize)
  const firstAnswerMs = performance.now() - began
  const threadBytes = process.memoryUsage.rss() - rssBefore

  console.error(`query: ${monitors.toLocaleString('en-US')} monitors, ${rounds} rounds`)
  printRow('milliseconds', 'p50', 'p99', 'CPU')
  const lag = monitorEventLoopDelay({ resolution: 1 })
  lag.enable()
  const figures: Record<string, Figures> = {}
  for (const [kind, ask] of Object.entries(kinds)) {
    const measured = await measure(queries, fleet, { ask, hits: hitShares[kind] ?? [0, 1] }, rounds)
    figures[kind] = measured
    printRow(kind, ...Object.values(measured).map((ms) => ms.toFixed(2)))
  }
  lag.disable()
  const result = {
    monitors,
    rounds,
    first_answer_ms: firstAnswerMs,
    thread_bytes: threadBytes,
    order_bytes: monitors * Uint32Array.BYTES_PER_ELEMENT,
    asking_thread_lag_p99_ms: lag.percentile(99) / 1e6,
    asking_thread_lag_max_ms: lag.max / 1e6,
  }
  for (const [name, value] of Object.entries(result)) console.error(`${name.padEnd(26)} ${value}`)
  // A query that is not answered, or finds too little or too much, throws.
  return { figures: { ...result, ...figures }, undone: [] }
}

interface Question {
  readonly ask: Ask
  readonly hits: readonly [least: number, most: number]
}

async function measure(
  queries: FleetQueries,
  fleet: Fleet,
  { ask, hits }: Question,
  rounds: number,
): Promise<Figures> {
  const [least, most] = hits.map((share) => share * fleet.rows) as [number, number]
  for (let round = 0; round < warmRounds; round++) await ask(queries, fleet.rows, round)
  const took: number[] = []
  let cpuMicroseconds = 0
  for (let round = warmRounds; round < warmRounds + rounds; round++) {
    changeStatuses(fleet, round)
    const before = process.cpuUsage()
    const asked = performance.now()
    const { kind, value } = await ask(queries, fleet.rows, round)
    took.push(performance.now() - asked)
    const used = process.cpuUsage(before)
    cpuMicroseconds += used.user + used.system
    if (kind !== 'answered') throw new Error(`a query was ${kind}`)
    const total = value?.total ?? least
    if (total < Math.floor(least) || total > most)
      throw new Error(`a query found ${total} monitors; it should find ${least} to ${most}`)
  }
  took.sort((left, right) => left - right)
  const at = (share: number) => took[Math.min(rounds - 1, Math.floor(rounds * share))]!
  return { p50_ms: at(0.5), p99_ms: at(0.99), cpu_ms: cpuMicroseconds / rounds / 1000 }
}

function printRow(label: string, ...cells: string[]): void {
  console.error(label.padEnd(18) + cells.map((cell) => cell.padStart(10)).join(''))
}

function fleetOf(monitors: number): Fleet {
  const builder = new DefinitionBuilder()
  for (let number = 0; number < monitors; number++) {
    builder.add({
      id: `service-${number}`,
      name: `Service ${(number * 7919) % monitors} of the ${number % 2 ? 'eastern' : 'western'} region`,
      tags: [`team-${number % 40}`],
      check: { type: number % 3 ? 'tcp' : 'http', config: { host: '127.0.0.1', port: 1 } },
    })
  }
  const fleet = new Fleet(Object.keys(checks))
  fleet.apply(arrange(builder.finish({}), null))
  for (let row = 0; row < monitors; row++) {
    fleet.columns.numericId[row] = row + 1
    const incident = (row * 31) % 1000 < incidentShare * 1000
    fleet.setStatus(row, incident ? statusNumber.incident : statusNumber.up)
    fleet.setOpenedAt(row, incident ? 1 + ((row * 7) % 86_400_000) : 0)
  }
  return fleet
}

function changeStatuses(fleet: Fleet, round: number): void {
  for (let change = 0; change < changesBetween; change++) {
    const row = (round * 104_729 + change * 499) % fleet.rows
    fleet.setStatus(row, round % 2 ? statusNumber.up : statusNumber.down)
  }
}
