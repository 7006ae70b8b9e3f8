import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryTree } from './check/temporary-tree.ts'

function summarize(files: Record<string, object | string>, ...exitCodes: number[]) {
  const contents = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? content : JSON.stringify(content),
  ])
  using tree = temporaryTree(Object.fromEntries(contents))
  const script = join(import.meta.dirname, 'summarize-tests.ts')
  const { stdout, status } = spawnSync(
    process.execPath,
    [script, tree.root, ...exitCodes.map((code, run) => `run${run}=${code}`)],
    { encoding: 'utf8' },
  )
  return { stdout, status }
}

describe('the summary of test runs', () => {
  it.each([
    ['all passed', { '1.json': { a: 'passed', b: 'passed' } }, [0], '2 passed, 0 failed, 0 skipped', 0],
    ['a test failed', { '1.json': { a: 'passed', b: 'failed' } }, [1], '1 passed, 1 failed, 0 skipped', 1],
    [
      'one run skipped what another ran',
      { '1.json': { a: 'passed', b: 'skipped', c: 'skipped' }, '2.json': { b: 'passed' } },
      [0, 0],
      '2 passed, 0 failed, 1 skipped',
      0,
    ],
    [
      'a test failed in one run and passed in the next',
      { '1.json': { a: 'failed' }, '2.json': { a: 'passed' } },
      [1, 0],
      '0 passed, 1 failed, 0 skipped',
      1,
    ],
  ])('counts when %s', (_, files, exitCodes, line, status) => {
    expect(summarize(files, ...exitCodes)).toEqual({ stdout: `${line}\n`, status })
  })

  it.each([
    [
      'an error escaped every test',
      { '1.json': { a: 'passed' } },
      [0, 1],
      'failed: run1 ended with exit code 1, and no failed test was named\n1 passed, 1 failed, 0 skipped\n',
    ],
    [
      'no test ran',
      { '1.json': { a: 'skipped' } },
      [0],
      'failed: no test passed, and no failed test was named\n0 passed, 1 failed, 1 skipped\n',
    ],
    [
      'nothing was written',
      { 'other.txt': {} },
      [139],
      'failed: run0 ended with exit code 139, and no failed test was named\n0 passed, 1 failed, 0 skipped\n',
    ],
  ])('says which run ended badly when %s', (_, files, exitCodes, stdout) => {
    expect(summarize(files, ...exitCodes)).toEqual({ stdout, status: 1 })
  })

  it('names what failed above the closing line', () => {
    const named = summarize(
      { '1.json': { a: 'passed', b: 'failed' }, '1.failures.txt': 'failed: b\n  not so\n' },
      1,
    )
    expect(named.stdout).toBe('failed: b\n  not so\n1 passed, 1 failed, 0 skipped\n')
  })
})
