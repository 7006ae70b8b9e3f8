// bench/store-copy.ts: a store with history moves to PostgreSQL and back. Then both directories are compared row by row, and
// services on the source, on PostgreSQL and on what came back must answer v1 and v2 alike. The database is started here, on
// this machine; only the two moves are measured.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fillStore } from '@pulseward/testing/store'
import { compareStoresAt, moveStores } from '../packages/server/src/editions/move-stores.ts'
import { SqliteStore } from '../packages/server/src/store/sqlite/sqlite-store.ts'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { storedAnswers } from './stored-answers.ts'
import { TemporaryFolder } from './temporary-folder.ts'

interface Amounts {
  readonly monitors: number
  readonly events: number
}

const longestSeconds = 180
/** Checked once a day: next to nothing happens while the answers are compared. */
const spec = JSON.stringify({
  check: { driver: { type: 'tcp', config: { host: '127.0.0.1', port: 9 } }, interval: '24h', timeout: '5s' },
})

export const storeCopy = defineBenchmark({
  about:
    'A store moves to PostgreSQL and back: how long it takes, and whether it is the same. Needs PostgreSQL.',
  flags: {
    monitors: wholeNumber(100_000, 'managed monitors'),
    events: wholeNumber(1_000_000, 'events of their history'),
  },
  run: measure,
})

async function measure(amounts: Amounts): Promise<Measurement> {
  const { postgresPlace, postgresql, startPostgresql } = await import('@pulseward/testing/servers')
  const program = postgresql.find()
  if (program === null) throw new Error('PostgreSQL is not installed (apt-get install postgresql).')
  using folder = new TemporaryFolder()
  await using server = await startPostgresql(program)
  using there = postgresPlace(server)
  const directory = (name: string) => join(folder.path, name)
  {
    await using store = await SqliteStore.open({ directory: directory('from'), now: Date.now })
    await fillStore(store, { ...amounts, spec })
  }
  cpSync(directory('from'), directory('before'), { recursive: true })

  const thereSeconds = await move(directory('from'), there.url)
  const backSeconds = await move(there.url, directory('back'))
  const peakMb = process.resourceUsage().maxRSS / 1_024
  const verifyBegan = performance.now()
  const places = { from: directory('before'), to: directory('back'), passwordFile: null }
  const { differences, rows } = await compareStoresAt(places, () => {})
  const verifySeconds = (performance.now() - verifyBegan) / 1_000

  // Without the mark a service starts there as if it had not been moved back.
  await there.run('UPDATE head SET moved_to = NULL')
  using children = new ChildProcesses()
  const expected = await storedAnswers(children, { data: directory('before'), store: 'sqlite' })
  const undone = [...differences]
  for (const place of [
    { data: directory('for-postgres'), store: there.url },
    { data: directory('back'), store: 'sqlite' },
  ]) {
    const answers = await storedAnswers(children, place)
    for (const [path, text] of expected.byPath)
      if (answers.byPath.get(path) !== text)
        undone.push(
          `${path} is answered otherwise with ${place.store === 'sqlite' ? 'what came back' : 'PostgreSQL'}.`,
        )
  }
  const least = amounts.monitors * 3 + amounts.events
  if (rows < least) undone.push(`Only ${rows} rows were compared, of at least ${least}.`)
  if (expected.items < amounts.monitors) undone.push(`Only ${expected.items} items were in the answers.`)
  const seconds = thereSeconds + backSeconds
  if (seconds > longestSeconds)
    undone.push(`Both ways took ${rounded(seconds)} s; ${longestSeconds} s are the bound.`)
  const figures = {
    rows,
    there_seconds: rounded(thereSeconds),
    back_seconds: rounded(backSeconds),
    verify_seconds: rounded(verifySeconds),
    peak_mb: rounded(peakMb),
    answers_compared: expected.byPath.size,
    items_compared: expected.items,
  }
  for (const [name, value] of Object.entries(figures))
    console.error(`${name.replaceAll('_', ' ').padEnd(24)}${value.toLocaleString('en-US').padStart(14)}`)
  return { figures, undone }
}

/** Returns how many seconds it took. */
async function move(from: string, to: string): Promise<number> {
  const began = performance.now()
  const signal = new AbortController().signal
  const access = { passwordFile: null, data: null, keyFile: null }
  await moveStores({ from, to, ...access, now: Date.now(), signal, onProgress: () => {} })
  return (performance.now() - began) / 1_000
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
