// scripts/test/closing-lines.ts: the last lines of a test run, as a vitest reporter: what was skipped and
// why, then "N passed, N failed, N skipped". Tests outside the selection of the run (PULSEWARD_TESTS of
// scripts/test.ts) are counted separately. With PULSEWARD_TEST_RESULTS it also writes the outcomes to a file
// in that folder, and the failures to another, for summarize-tests.ts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'
import { countLine, type TestOutcome } from './counts.ts'

/** So that one long failure does not hide the others. */
const errorCharacters = 2000

export default class ClosingLines implements Reporter {
  readonly #resultFolder = process.env['PULSEWARD_TEST_RESULTS']
  readonly #tests = process.env['PULSEWARD_TESTS']

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const outcomes: Record<string, TestOutcome> = {}
    const skippedByReason = new Map<string, number>()
    const failures: string[] = []
    let leftOut = 0
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (this.#isLeftOut(test)) {
          leftOut++
          continue
        }
        outcomes[test.id] = outcomeOf(test)
        if (outcomes[test.id] === 'failed')
          failures.push(failure(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []))
        if (outcomes[test.id] !== 'skipped') continue
        const reason = skipReasonOf(test)
        skippedByReason.set(reason, (skippedByReason.get(reason) ?? 0) + 1)
      }
      // A file that could not be loaded, or a failed hook of the file or of a suite, outside every test.
      for (const place of [module, ...module.children.allSuites()]) {
        if (place.errors().length === 0) continue
        outcomes[place.id] = 'failed'
        const name = place.type === 'suite' ? ` > ${place.fullName}` : ''
        failures.push(failure(`${module.relativeModuleId}${name}`, place.errors()))
      }
    }
    if (errors.length > 0) {
      outcomes['outside every test'] = 'failed'
      failures.push(failure('outside every test', errors))
    }
    const reasons = [...skippedByReason].map(([reason, count]) => `${count} skipped: ${reason}\n`)
    if (this.#tests === 'quick' && leftOut > 0)
      reasons.push(`${leftOut} long ones left to npm run test:long\n`)
    process.stdout.write(`${reasons.join('')}${countLine(outcomes)}\n`)
    if (this.#resultFolder === undefined) return
    const run = join(this.#resultFolder, `${process.pid}`)
    writeFileSync(`${run}.json`, JSON.stringify(outcomes))
    writeFileSync(`${run}.failures.txt`, failures.join(''))
  }

  #isLeftOut({ tags }: TestCase): boolean {
    return tags.includes('long') ? this.#tests === 'quick' : this.#tests === 'long'
  }
}

/** The name of the failed test, followed by its errors. */
function failure(name: string, errors: readonly SerializedError[]): string {
  return `failed: ${[name, ...errors.map(reasonOf)].join('\n').replaceAll('\n', '\n  ')}\n`
}

/** What was expected and where, without the frames of the test runner. */
function reasonOf({
  message,
  stack = message,
  diff = '',
}: SerializedError & { readonly diff?: string }): string {
  const lines = stripVTControlCharacters(`${stack}\n${diff}`).split('\n')
  const own = lines.filter((line) => line !== '' && !/node_modules|node:internal|<anonymous>/.test(line))
  return own.join('\n').slice(0, errorCharacters)
}

function outcomeOf(test: TestCase): TestOutcome {
  const { state } = test.result()
  // Never finished, for example because its process died.
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
