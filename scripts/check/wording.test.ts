import { describe, expect, it } from 'vitest'
import { temporaryTree } from './temporary-tree.ts'
import { wording } from './wording.ts'

async function hintsOn(files: Readonly<Record<string, string>>) {
  using tree = temporaryTree(files)
  return await wording.run(tree.root)
}

describe('wording', () => {
  it('names each file with its phrases and their lines, the file with the most first', async () => {
    const hints = await hintsOn({
      'README.md': 'Plain.\nNobody listens.\n',
      'packages/server/src/app.ts': '// Whoever waits has a timer of its own.\n// It has not any.\n',
    })
    expect(hints).toEqual([
      'packages/server/src/app.ts 3: Whoever (line 1), of its own (line 1), has not (line 2)',
      'README.md 1: Nobody (line 2)',
    ])
  })

  it('says nothing about plain sentences, and looks at whole words', async () => {
    expect(await hintsOn({ 'docs/page.md': 'The client has nothing to do. The nobodyId is 65534.' })).toEqual(
      [],
    )
  })

  it('leaves out the changelog, generated files and dependencies', async () => {
    const text = 'Somebody did it.'
    const paths = ['CHANGELOG.md', 'docs/generated/settings.md', 'packages/cli/node_modules/a/index.js']
    expect(await hintsOn(Object.fromEntries(paths.map((path) => [path, text])))).toEqual([])
  })
})
