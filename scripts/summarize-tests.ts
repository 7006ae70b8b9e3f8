// scripts/summarize-tests.ts: `node scripts/summarize-tests.ts FOLDER NAME=EXIT_CODE…` prints the failures of
// the test runs that left their outcomes in the folder, and one closing line. A run that ended badly although
// no test failed counts as a failure, and so does a folder without any passed test.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command-line/command.ts'
import { countLine, mergeRuns, type RunOutcomes, type TestOutcome } from './test/counts.ts'

const about =
  'Prints what failed and one closing line for the test runs that left their outcomes in the folder.'
const words = { usage: 'FOLDER NAME=EXIT_CODE…', least: 1, most: Number.POSITIVE_INFINITY }
await runCommand(
  { call: 'node scripts/summarize-tests.ts', about, flags: {}, words },
  (_values, [folder = '', ...runs]) => summarize(folder, runs),
)

function summarize(folder: string, runs: readonly string[]): void {
  const outcomes: Record<string, TestOutcome> = {
    ...mergeRuns(
      globSync(join(folder, '*.json')).map((path): RunOutcomes => JSON.parse(readFileSync(path, 'utf8'))),
    ),
  }
  const has = (wanted: TestOutcome) => Object.values(outcomes).includes(wanted)
  const failures = globSync(join(folder, '*.failures.txt')).map((path) => readFileSync(path, 'utf8'))
  if (!has('failed')) {
    const badly = runs
      .filter((run) => !run.endsWith('=0'))
      .map((run) => run.replace('=', ' ended with exit code '))
    const unnamed = badly.length > 0 ? badly.join(', ') : has('passed') ? null : 'no test passed'
    if (unnamed !== null) {
      outcomes['a run that named no failed test'] = 'failed'
      failures.push(`failed: ${unnamed}, and no failed test was named\n`)
    }
  }
  process.stdout.write(`${failures.join('')}${countLine(outcomes)}\n`)
  process.exitCode = has('failed') ? 1 : 0
}
