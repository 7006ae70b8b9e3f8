import { describe, expect, it } from 'vitest'
import { compareGenerated } from './generated.ts'
import { temporaryTree } from './temporary-tree.ts'

const page = 'docs/generated/boundaries.md'
const made = { [page]: 'who may import whom\n', 'schemas/fleet.json': '{}\n' }

async function problemsWith(files: Readonly<Record<string, string>>) {
  using tree = temporaryTree({ 'package.json': '{}', ...files })
  return await compareGenerated(tree.root, async () => new Map(Object.entries(made)))
}

describe('generated', () => {
  it('accepts what the generators make', async () => {
    expect(await problemsWith(made)).toEqual([])
  })

  it('refuses a file that was edited by hand', async () => {
    const edited = { ...made, [page]: `${made[page]}one more line\n` }
    expect(await problemsWith(edited)).toEqual([`${page} is stale: run \`npm run generate\``])
  })

  it('refuses a file that was never made', async () => {
    const { [page]: _, ...others } = made
    expect(await problemsWith(others)).toEqual([`${page} is missing: run \`npm run generate\``])
  })

  it('refuses a file that no generator makes any more', async () => {
    expect(await problemsWith({ ...made, 'docs/generated/old.md': '' })).toEqual([
      'docs/generated/old.md is made by no generator: delete it',
    ])
  })
})
