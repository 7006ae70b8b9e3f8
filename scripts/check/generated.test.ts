import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generate } from '../generate.ts'
import { compareGenerated, generated } from './generated.ts'
import { temporaryTree } from './temporary-tree.ts'

async function problemsWith(change: (files: Record<string, string>) => void) {
  const files = Object.fromEntries(await generate())
  change(files)
  using tree = temporaryTree({ 'package.json': '{}', ...files })
  return await compareGenerated(tree.root, generate)
}

describe('generated', () => {
  it('accepts what the generators make', { tags: 'long' }, async () => {
    expect(await problemsWith(() => {})).toEqual([])
  })

  it('refuses a file that was edited by hand', { tags: 'long' }, async () => {
    const problems = await problemsWith((files) => {
      files['docs/generated/boundaries.md'] += 'one more line\n'
    })
    expect(problems).toEqual(['docs/generated/boundaries.md is stale: run `npm run generate`'])
  })

  it('refuses a file that was never made', { tags: 'long' }, async () => {
    const problems = await problemsWith((files) => {
      delete files['docs/generated/boundaries.md']
    })
    expect(problems).toEqual(['docs/generated/boundaries.md is missing: run `npm run generate`'])
  })

  it('refuses a file that no generator makes any more', { tags: 'long' }, async () => {
    const problems = await problemsWith((files) => {
      files['docs/generated/old.md'] = ''
    })
    expect(problems).toEqual(['docs/generated/old.md is made by no generator: delete it'])
  })

  it('finds this repository up to date', async () => {
    expect(await generated.run(join(import.meta.dirname, '../..'))).toEqual([])
  })
})
