// scripts/test/closing-lines.ts: the last lines of a test run, as a reporter of vitest: what was skipped and why, then
// "N passed, N failed, N skipped". With PULSEWARD_TEST_RESULTS it also writes the outcomes to a file in that folder, for
// summarize-tests.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { countLine, type TestOutcome } from './counts.ts'

export default class ClosingLines implements Reporter {
  readonly #resultFolder = process.env['PULSEWARD_TEST_RESULTS']

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const outcomes: Record<string, TestOutcome> = {}
    const skippedByReason = new Map<string, number>()
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        outcomes[test.id] = outcomeOf(test)
        if (outcomes[test.id] !== 'skipped') continue
        const reason = skipReasonOf(test)
        skippedByReason.set(reason, (skippedByReason.get(reason) ?? 0) + 1)
      }
      // A file that could not be loaded, or a hook that failed outside every test.
      if (module.errors().length > 0) outcomes[module.id] = 'failed'
    }
    if (errors.length > 0) outcomes['outside every test'] = 'failed'
    const reasons = [...skippedByReason].map(([reason, count]) => `${count} skipped: ${reason}\n`)
    process.stdout.write(`${reasons.join('')}${countLine(outcomes)}\n`)
    if (this.#resultFolder !== undefined)
      writeFileSync(join(this.#resultFolder, `${process.pid}.json`), JSON.stringify(outcomes))
  }
}

function outcomeOf(test: TestCase): TestOutcome {
  const { state } = test.result()
  // Never finished, as when its process died.
  return state === 'pending' ? 'failed' : state
}

function skipReasonOf(test: TestCase): string {
  const result = test.result()
  if (result.state === 'skipped' && result.note !== undefined) return result.note
  for (let place: TestCase | TestSuite | TestModule = test; place.type !== 'module'; place = place.parent) {
    const { skipReason } = place.meta()
    if (skipReason !== undefined) return skipReason
  }
  return 'not selected, or marked as skipped without a reason'
}
