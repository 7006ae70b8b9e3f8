import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('gives back what the C library keeps of freed memory', () => {
  const program = join(import.meta.dirname, 'freed-memory.fixture.ts')
  const words = ['--expose-gc', '--disable-warning=ExperimentalWarning', program]
  // As the launcher has it: larger pieces would be given back at once.
  const env = { ...process.env, MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_ARENA_MAX: '2' }
  const { before, after } = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', env }))
  if (process.platform === 'linux') expect(before - after).toBeGreaterThan(20_000_000)
  else expect(after).toBeGreaterThan(0)
})
