import { describe, expect, it } from 'vitest'
import type { Part } from './part.ts'
import { runParts } from './run-parts.ts'

const part = (name: string, findings: readonly string[]): Part => ({ name, run: async () => findings })
const hint = (count: number): Part => ({
  ...part(
    'wording',
    Array.from({ length: count }, (_, index) => `file-${index}.md 1`),
  ),
  isHint: true,
})

async function run(...parts: readonly Part[]) {
  const lines: string[] = []
  const isRight = await runParts(parts, '/nowhere', (line) => lines.push(line))
  return { isRight, text: lines.join('\n').replaceAll(/ +\d\.\d s/g, '') }
}

describe('the parts of the check', () => {
  it('pass when none of them finds anything', async () => {
    expect(await run(part('tsc', []), hint(0))).toEqual({ isRight: true, text: '✓ tsc\n✓ wording' })
  })

  it('fail with what a part finds', async () => {
    expect(await run(part('tsc', ['a.ts:1 is wrong']), part('knip', []))).toEqual({
      isRight: false,
      text: '✗ tsc failed\n✓ knip\n\ntsc\na.ts:1 is wrong',
    })
  })

  it('fail when a part throws', async () => {
    const broken: Part = { name: 'knip', run: () => Promise.reject(new Error('no such program')) }
    const { isRight, text } = await run(broken)
    expect([isRight, text]).toEqual([
      false,
      expect.stringContaining('the part itself failed: Error: no such'),
    ])
  })

  it('pass with hints, of which the first few are shown', async () => {
    const { isRight, text } = await run(part('tsc', []), hint(7))
    expect(isRight).toBe(true)
    expect(text.split('\n').slice(1)).toEqual([
      '· wording hints in 7 files',
      '',
      'wording',
      ...[0, 1, 2, 3, 4].map((index) => `file-${index}.md 1`),
      'and 2 more: npm run check -- --only wording',
    ])
  })

  it('show every hint when they are all that was asked for', async () => {
    expect((await run(hint(7))).text).toContain('file-6.md 1')
  })
})
