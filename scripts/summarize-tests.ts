// scripts/summarize-tests.ts: `node scripts/summarize-tests.ts FOLDER EXIT_CODE…` prints one closing line for the test runs
// that left their outcomes in the folder. A run that ended badly without naming a failed test is one failure more, and so
// is a folder without any test that passed.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countLine, mergeRuns, type RunOutcomes, type TestOutcome } from './test/counts.ts'

const [folder, ...exitCodes] = process.argv.slice(2)
const runs = globSync(join(folder!, '*.json')).map(
  (path): RunOutcomes => JSON.parse(readFileSync(path, 'utf8')),
)
const outcomes: Record<string, TestOutcome> = { ...mergeRuns(runs) }
const has = (wanted: TestOutcome) => Object.values(outcomes).includes(wanted)
const endedBadly = exitCodes.some((code) => code !== '0')
if (!has('failed') && (endedBadly || !has('passed'))) outcomes['a run that named no failed test'] = 'failed'
process.stdout.write(`${countLine(outcomes)}\n`)
process.exitCode = has('failed') ? 1 : 0
