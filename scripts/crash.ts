// scripts/crash.ts: `npm run crash` kills the real service at random moments and checks that nothing is lost,
// sent twice or made up; with --bulk in the middle of an operation of many items, with --workers together
// with external workers. Exits with 1 if something is wrong, and then keeps the data.
import { temporaryFolder } from '@pulseward/testing/files'
import { runCommand } from './command-line/command.ts'
import { toggle, wholeNumber } from './command-line/flags.ts'

const flags = {
  rounds: wholeNumber(50, 'how often the service is killed and started again'),
  monitors: wholeNumber(200, 'monitors of the fleet'),
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
  const seed = wanted.seed ?? Math.floor(Math.random() * 2 ** 32)
  const folder = temporaryFolder()
  const { rounds, monitors, items } = wanted
  const onRound = (words: string) => console.error(words)
  const plan = { rounds, seed, folder, onRound }
  const report = wanted.bulk
    ? await runBulkCrashes({ ...plan, items })
    : wanted.workers
      ? await runWorkerCrashes({ ...plan, monitors })
      : await runCrashes({ ...plan, monitors, readyWithinMs: wanted['ready-within-ms'] })
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
