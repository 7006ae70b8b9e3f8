// scripts/crash.ts: `npm run crash` kills the real service at random moments and checks that nothing is lost,
// sent twice or made up; with --bulk in the middle of an operation of many items, with --workers together
// with external workers. With --store postgres it does so on a PostgreSQL that it starts. Exits with 1 if something is
// wrong, and then keeps the data.
import { temporaryFolder } from '@pulseward/testing/files'
import { runCommand } from './command-line/command.ts'
import { oneOf, toggle, UsageError, wholeNumber } from './command-line/flags.ts'

const flags = {
  rounds: wholeNumber(50, 'how often the service is killed and started again'),
  monitors: wholeNumber(200, 'monitors of the fleet'),
  store: oneOf(['sqlite', 'postgres'], 'sqlite', 'where the state is kept'),
  'ready-within-ms': wholeNumber(3_000, 'the longest that a start may take'),
  bulk: toggle('kills it in the middle of an operation of many items, in every phase of it'),
  items: wholeNumber(100_000, 'with --bulk, the items of the operation'),
  workers: toggle('kills it and its workers in turns, and audits what they did'),
  seed: wholeNumber(null, 'the seed of every random choice (another one in each run unless given)', 0),
}
const about =
  'Kills the real service at random moments and checks that nothing is lost, told twice or made up.'

await runCommand({ call: 'npm run crash --', about, flags }, async (wanted) => {
  // Loads the service, which --help does not need.
  const { runBulkCrashes, runCrashes, runWorkerCrashes } = await import('@pulseward/testing/crash')
  const { postgresPlace, postgresql, startPostgresql } = await import('@pulseward/testing/servers')
  const seed = wanted.seed ?? Math.floor(Math.random() * 2 ** 32)
  const folder = temporaryFolder()
  const { rounds, monitors, items } = wanted
  await using server = wanted.store === 'postgres' ? await startPostgresql(programOf(postgresql)) : null
  using place = server === null ? null : postgresPlace(server)
  const store = server === null || place === null ? {} : { store: { ...place, files: server.data } }
  // A start waits five seconds for a process that was killed.
  const readyWithinMs = wanted['ready-within-ms'] + (server === null ? 0 : 5_000)
  const onRound = (words: string) => console.error(words)
  const plan = { rounds, seed, folder, onRound }
  const report = wanted.bulk
    ? await runBulkCrashes({ ...plan, ...store, items })
    : wanted.workers
      ? await runWorkerCrashes({ ...plan, ...store, monitors })
      : await runCrashes({ ...plan, ...store, monitors, readyWithinMs })
  const { violations, ...figures } = report
  for (const [name, value] of Object.entries({ seed, ...figures }))
    console.error(
      `${name.padEnd(20)} ${typeof value === 'number' ? Math.round(value) : JSON.stringify(value)}`,
    )
  if (violations.length === 0) folder[Symbol.dispose]()
  else {
    for (const words of violations.slice(0, 20)) console.error(`WRONG: ${words}`)
    console.error(`${violations.length} violations; the data are kept in ${folder.root}`)
    process.exitCode = 1
  }
})

function programOf({
  name,
  debianPackages,
  find,
}: {
  name: string
  debianPackages: readonly string[]
  find(): string | null
}): string {
  const program = find()
  if (program === null)
    throw new UsageError(`${name} is not installed (apt-get install ${debianPackages.join(' ')}).`)
  return program
}
