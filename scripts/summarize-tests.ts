// scripts/summarize-tests.ts: `node scripts/summarize-tests.ts FOLDER EXIT_CODE…` prints what failed in the test runs that
// left their outcomes in the folder, so that nobody has to look for it in their output, and one closing line. A run that ended badly without naming a failed test is one failure more, and so
// is a folder without any test that passed.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { countLine, mergeRuns, type RunOutcomes, type TestOutcome } from './test/counts.ts'

const about =
  'Prints what failed and one closing line for the test runs that left their outcomes in the folder.'
const words = { usage: 'FOLDER EXIT_CODE…', least: 1, most: Number.POSITIVE_INFINITY }
await runCommand(
  { call: 'node scripts/summarize-tests.ts', about, flags: {}, words },
  (_values, [folder = '', ...exitCodes]) => summarize(folder, exitCodes),
)

function summarize(folder: string, exitCodes: readonly string[]): void {
  const runs = globSync(join(folder, '*.json')).map(
    (path): RunOutcomes => JSON.parse(readFileSync(path, 'utf8')),
  )
  const outcomes: Record<string, TestOutcome> = { ...mergeRuns(runs) }
  const has = (wanted: TestOutcome) => Object.values(outcomes).includes(wanted)
  const endedBadly = exitCodes.some((code) => code !== '0')
  if (!has('failed') && (endedBadly || !has('passed'))) outcomes['a run that named no failed test'] = 'failed'
  const failures = globSync(join(folder, '*.failures.txt')).map((path) => readFileSync(path, 'utf8'))
  process.stdout.write(`${failures.join('')}${countLine(outcomes)}\n`)
  process.exitCode = has('failed') ? 1 : 0
}
