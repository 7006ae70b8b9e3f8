import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryTree } from './check/temporary-tree.ts'

const failedTest = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }
const unloadedFile = { status: 'failed', assertionResults: [] }

function report(numPassedTests: number, numFailedTests: number, ...testResults: object[]) {
  return JSON.stringify({ numPassedTests, numFailedTests, testResults })
}

function summarize(content: string, exitCode: number) {
  using tree = temporaryTree({ 'report.json': content })
  const script = join(import.meta.dirname, 'summarize-tests.js')
  const args = [script, join(tree.root, 'report.json'), String(exitCode)]
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { stdout, status }
}

describe('summarize-tests', () => {
  it.each([
    ['all passed', report(4, 0), 0, '4 passed, 0 failed\n', 0],
    ['a test failed', report(4, 1, failedTest), 1, '4 passed, 1 failed\n', 1],
    [
      'a test failed and a file could not be loaded',
      report(4, 1, failedTest, unloadedFile),
      1,
      '4 passed, 2 failed\n',
      1,
    ],
    ['an error escaped every test', report(4, 0), 1, '4 passed, 1 failed\n', 1],
    ['no test ran', report(0, 0), 0, '0 passed, 1 failed\n', 1],
    ['the report is broken', '{', 139, '0 passed, 1 failed\n', 1],
  ])('counts when %s', (_, content, exitCode, stdout, status) => {
    expect(summarize(content, exitCode)).toEqual({ stdout, status })
  })
})
