// scripts/summarize-tests.js: prints "N passed, N failed" from a JSON report of vitest and the exit code it ended
// with. A test file that could not be loaded is one failure, and so is any run that ended badly or ran nothing
// without naming a failed test. Plain JavaScript, because it must also speak when nothing could be installed.
import { readFileSync } from 'node:fs'

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  }
}

const [path, exitCode] = process.argv.slice(2)
const report = readReport(path)
const passed = report.numPassedTests
const unloaded = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
)
const named = report.numFailedTests + unloaded.length
const endedBadly = exitCode !== '0' || passed === 0
const failed = named === 0 && endedBadly ? 1 : named
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
