// scripts/crash.ts: `npm run crash -- --rounds N [--monitors M] [--seed S] [--ready-within-ms T]` kills the real service
// at random moments and checks that nothing is lost, told twice or made up. Ends with 1 when something is wrong; the
// data stay then.
import { parseArgs } from 'node:util'
import { runCrashes } from '../packages/testing/src/crash/crash-run.ts'
import { temporaryFolder } from '../packages/testing/src/temporary-folder.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    monitors: { type: 'string', default: '200' },
    'ready-within-ms': { type: 'string', default: '3000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
})
const folder = temporaryFolder()
const report = await runCrashes({
  rounds: Number(values.rounds),
  monitors: Number(values.monitors),
  seed: Number(values.seed),
  readyWithinMs: Number(values['ready-within-ms']),
  folder,
  onRound: (words) => console.error(words),
})
const { violations, ...figures } = report
for (const [name, value] of Object.entries({ seed: values.seed, ...figures }))
  console.error(`${name.padEnd(20)} ${typeof value === 'number' ? Math.round(value) : value}`)
if (violations.length === 0) folder[Symbol.dispose]()
else {
  for (const words of violations.slice(0, 20)) console.error(`WRONG: ${words}`)
  console.error(`${violations.length} violations; the data are kept in ${folder.root}`)
  process.exitCode = 1
}
