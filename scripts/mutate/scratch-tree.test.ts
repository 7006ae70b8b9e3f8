import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runBounded } from './bounded-process.ts'
import { apply, mutantsOf } from './mutants.ts'
import { ScratchTree } from './scratch-tree.ts'

const checkout = join(import.meta.dirname, '../..')
const file = 'packages/server/src/deciding/health/transition.ts'

describe('the copy in which a mutant is tried', () => {
  it('holds the mutant for as long as it is tried, and the checkout never does', {
    tags: 'long',
  }, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-scratch-')))
    try {
      const tree = new ScratchTree(checkout, folder)
      const original = readFileSync(join(checkout, file), 'utf8')
      const [mutant] = mutantsOf(file, original)
      const read = (root: string) => readFileSync(join(root, file), 'utf8')
      await tree.with(mutant!, async () => {
        expect(read(folder)).toBe(apply(original, mutant!))
        expect(read(checkout)).toBe(original)
      })
      expect(read(folder)).toBe(original)
      // What tests import by the name of its package is the copy, too.
      expect(realpathSync(join(folder, 'node_modules/@pulseward/server'))).toBe(
        join(folder, 'packages/server'),
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('a judge that a mutant keeps from ending', () => {
  it('is killed when its time is up', { tags: 'long' }, async () => {
    const { code } = await runBounded(['-e', 'setInterval(() => {}, 1000)'], checkout, 500)
    expect(code).toBeNull()
  })

  it('answers with its exit code when it ends by itself', { tags: 'long' }, async () => {
    const { code, output } = await runBounded(
      ['-e', 'console.log("no"); process.exitCode = 3'],
      checkout,
      60_000,
    )
    expect({ code, output }).toEqual({ code: 3, output: 'no\n' })
  })
})
