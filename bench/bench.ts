// bench/bench.ts: `npm run bench -- NAME [--option value]`. A table for people on stderr, and one JSON object
// as the last line of stdout for machines.
import { api } from './api.ts'
import { check } from './check.ts'
import { dashboard } from './dashboard.ts'
import { fleet } from './fleet.ts'
import { fuzz } from './fuzz.ts'
import { idle } from './idle.ts'
import { load } from './load.ts'
import { peers } from './peers.ts'
import { query } from './query.ts'
import { snapshot } from './snapshot.ts'
import { store } from './store.ts'
import { storm } from './storm.ts'
import { wheel } from './wheel.ts'

type Benchmark = (
  options: Record<string, string>,
) => Record<string, unknown> | Promise<Record<string, unknown>>

const benchmarks: Record<string, Benchmark> = {
  load,
  fleet,
  check,
  peers,
  idle,
  fuzz,
  snapshot,
  query,
  api,
  dashboard,
  store,
  storm,
  wheel: () => wheel(),
}

// Signals end a benchmark by way of its exit handlers, so that it leaves no process and no file behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const [name = '', ...rest] = process.argv.slice(2)
const benchmark = benchmarks[name]
if (benchmark === undefined) {
  console.error(
    `Usage: npm run bench -- NAME [--option value]; NAME is one of ${Object.keys(benchmarks).join(', ')}.`,
  )
  process.exitCode = 2
} else {
  const options: Record<string, string> = {}
  for (let index = 0; index < rest.length; index += 2)
    options[rest[index]!.replace(/^--/, '')] = rest[index + 1] ?? ''
  console.log(JSON.stringify(await benchmark(options)))
}
