// bench/fleet.ts: the whole service under a fleet, with its targets on the same machine. A real
// `pulseward serve` process checks monitors that each have a different id, name, path and configuration; its
// cost is read from the kernel, its results from its own API and from the counters of its targets. With
// --against, the service of another checkout alternates with ours in the same run, and with --beside ours over
// another store, so that a slow hour affects both alike.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { duration, oneOf, percent, text, UsageError, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { compareRuns, printComparison } from './fleet-comparison.ts'
import type { FleetShape } from './fleet-file.ts'
import { type FleetRun, measureFleet } from './fleet-run.ts'
import { launcherPath } from './service-process.ts'
import { storeFlag, storeNames } from './store-place.ts'

export const fleet = defineBenchmark({
  about: 'The whole service under a fleet: rate, CPU of a check, memory, punctuality.',
  flags: {
    monitors: wholeNumber(100_000, 'monitors of the fleet'),
    interval: duration(60, 'how often each is checked'),
    type: oneOf(['tcp', 'http'], 'tcp', 'the kind of check'),
    dead: percent(0, 'share of targets that accept and never answer'),
    hosts: oneOf(
      ['addresses', 'names'],
      'addresses',
      'how targets are written; names are resolved by a DNS server',
    ),
    edition: oneOf(['candidate', 'main'], 'candidate', 'the edition that is served'),
    'warm-up': duration(0, 'how long a run goes on before it is measured, after its first checks'),
    seconds: wholeNumber(30, 'how long a run is measured'),
    rounds: wholeNumber(1, 'how many runs; the median of each figure counts'),
    store: storeFlag,
    against: text('FOLDER', null, 'a checkout with its dependencies that takes turns with this one'),
    beside: oneOf(['none', ...storeNames], 'none', 'another store that takes turns with this one'),
  },
  async run(wanted) {
    const shape: FleetShape = {
      monitors: wanted.monitors,
      intervalSeconds: wanted.interval,
      type: wanted.type,
      deadPercent: wanted.dead,
      names: wanted.hosts === 'names',
    }
    const { edition, seconds, rounds, against, beside } = wanted
    const checkout = against === null ? undefined : checkoutAt(against)
    const run = { shape, edition, warmUpSeconds: wanted['warm-up'], seconds }
    const ours = () => measureFleet({ ...run, checkout: undefined, store: wanted.store })
    const store = beside === 'none' ? wanted.store : beside
    const theirs = () => measureFleet({ ...run, checkout, store })
    if (against !== null || beside !== 'none')
      return await inTurns({ ours, theirs }, `${against ?? 'this checkout'} on ${store}`, rounds)
    const runs: FleetRun[] = []
    for (let round = 0; round < rounds; round++) runs.push(await ours())
    return summaryOf(runs)
  },
})

function checkoutAt(folder: string): string {
  const checkout = resolve(folder)
  if (!existsSync(join(checkout, launcherPath)) || !existsSync(join(checkout, 'node_modules')))
    throw new UsageError(`${checkout} is not a checkout with its dependencies: run npm ci there first.`)
  return checkout
}

function summaryOf(runs: readonly FleetRun[]): Measurement {
  const { summary } = compareRuns({ ours: runs })
  const figures = runs.length === 1 ? runs[0]!.figures : { rounds: runs.length, ...summary['ours'] }
  for (const [name, value] of Object.entries(figures)) console.error(`${name.padEnd(26)} ${shown(value)}`)
  return { figures, undone: runs.flatMap(({ undone }) => undone) }
}

/** The order alternates from round to round: the second of two runs may find a warmer or a busier machine. */
async function inTurns(
  measure: Readonly<Record<'ours' | 'theirs', () => Promise<FleetRun>>>,
  other: string,
  rounds: number,
): Promise<Measurement> {
  const runs = { ours: [] as FleetRun[], theirs: [] as FleetRun[] }
  const undone: string[] = []
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const)) {
      const run = await measure[side]()
      runs[side].push(run)
      undone.push(...run.undone.map((sentence) => `Round ${round + 1} of ${side}: ${sentence}`))
      const { cpu_us_per_check: cpu, rss_bytes: rss } = run.figures
      console.error(`round ${round + 1} ${side.padEnd(7)} ${shown(cpu)} µs per check, ${shown(rss / 1e6)} MB`)
    }
  }
  const comparison = compareRuns(runs)
  printComparison(comparison)
  return { figures: { rounds, against: other, ...comparison }, undone }
}

function shown(value: unknown): string {
  return typeof value === 'number'
    ? value.toLocaleString('en', { maximumFractionDigits: 3 })
    : JSON.stringify(value)
}
