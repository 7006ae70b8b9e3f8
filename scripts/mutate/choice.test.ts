import { describe, expect, it } from 'vitest'
import { temporaryTree } from '../check/temporary-tree.ts'
import { isExplained, readExplanations, staleExplanations } from './explained-survivors.ts'
import { mutantsOf } from './mutants.ts'
import { sample } from './sample.ts'
import { mutableFiles } from './targets.ts'

const names = Array.from({ length: 100 }, (_, index) => `item ${index}`)
const take = (items: readonly string[], seed: number) => sample(items, 10, seed, (name) => name)

describe('the sample of mutants', () => {
  it('is the same for the same seed and another for another', () => {
    expect(take(names, 1)).toEqual(take(names, 1))
    expect(take(names, 1)).not.toEqual(take(names, 2))
  })

  it('stays as it is when items that it left are gone', () => {
    const taken = take(names, 1)
    expect(take(taken, 1)).toEqual(taken)
  })
})

describe('an explanation of a survivor', () => {
  const code = 'let a = b < c\n'
  const explanation = {
    file: 'a.ts',
    lineText: 'let a = b < c',
    change: '< becomes <= in b < c',
    why: 'They are never equal.',
  }

  it('holds for its mutant when lines move', () => {
    const [mutant] = mutantsOf('a.ts', `\n\n  ${code}`)
    expect(isExplained(mutant!, [explanation])).toBe(true)
  })

  it('is stale when its code is gone', () => {
    expect(staleExplanations([explanation], mutantsOf('a.ts', code))).toEqual([])
    expect(staleExplanations([explanation], mutantsOf('a.ts', 'let a = b > c\n'))).toEqual([explanation])
  })

  it('gives a reason', () => {
    for (const { why } of readExplanations()) expect(why).toMatch(/^[A-Z].*\.$/s)
  })
})

describe('the files that are mutated', () => {
  it('are those that the service reaches, and neither types nor what only tests import', () => {
    using tree = temporaryTree({
      'packages/server/package.json': '{ "name": "@pulseward/server", "exports": { ".": "./src/index.ts" } }',
      'packages/server/src/index.ts': "export * from './engine/engine.ts'",
      'packages/server/src/engine/engine.ts':
        "import '../deciding/health.ts'\nimport type { Port } from './port.ts'",
      'packages/server/src/engine/port.ts': 'export interface Port {}',
      'packages/server/src/deciding/health.ts': "import '../store/log.ts'",
      'packages/server/src/store/log.ts': 'export const log = 1',
      'packages/server/src/deciding/health.test.ts': "import './samples.ts'\nimport './health.fixture.ts'",
      'packages/server/src/deciding/samples.ts': 'export const samples = 1',
      'packages/server/src/deciding/health.fixture.ts': "import './health.ts'",
    })
    expect(mutableFiles(tree.root, 'packages/server/src/{deciding,engine}/**/*.ts')).toEqual([
      'packages/server/src/deciding/health.ts',
      'packages/server/src/engine/engine.ts',
    ])
  })

  it('of this repository are found from its door', { tags: 'long' }, () => {
    const files = mutableFiles(`${import.meta.dirname}/../..`, 'packages/server/src/**/*.ts')
    expect(files).toContain('packages/server/src/deciding/health/transition.ts')
    expect(files).toContain('packages/server/src/engine/engine.ts')
    expect(files.filter((file) => /\.test\.ts$|\.fixture\.ts$/.test(file))).toEqual([])
  })
})
