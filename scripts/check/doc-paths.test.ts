import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { docPaths } from './doc-paths.ts'
import { temporaryTree } from './temporary-tree.ts'

async function problemsOf(page: string) {
  using tree = temporaryTree({
    'docs/guide/page.md': page,
    'docs/other page.md': '',
    'packages/server/src/deciding/health/transition.ts': '',
    'examples/starter.yaml': '',
    'README.md': '',
    '.gitignore': 'dist/\n*.log\ndocs/.site/\n',
  })
  return await docPaths.run(tree.root)
}

describe('doc-paths', () => {
  it.each([
    ['a path from the root', 'see `packages/server/src/deciding/health/transition.ts`'],
    ['a path with a line', 'see `packages/server/src/deciding/health/transition.ts:12`'],
    ['a folder', 'see `packages/server/`'],
    ['a path from the sources of the server', 'see `deciding/health/transition.ts`'],
    ['a pattern that something matches', 'see `packages/*/src`'],
    [
      'links to a file, a part of it and the web',
      '[a](../../README.md#top) [b](#here) [c](https://example.test/x.md)',
    ],
    ['a link to a name with a space', '[a](<../other%20page.md>) [b](../other%20page.md "Title")'],
    [
      'what only looks like a path',
      '`application/json`, `/etc/hosts`, `config/fleet.yaml`, `a / b.ts`, `checks/NAME.ts`',
    ],
    [
      'a file that the page shows in full',
      'see `docs/new.md`, which is\n\n`docs/new.md`:\n\n```md\ntext\n```',
    ],
    [
      'what a build makes, also before the first build',
      'see `packages/server/dist`, `packages/server/dist/main.js` and `docs/.site`',
    ],
    ['what stands in a fenced block', '```sh\ncat `docs/gone.md`\n```\n~~~\n[a](gone.md)\n~~~'],
  ])('accepts %s', async (_, page) => {
    expect(await problemsOf(page)).toEqual([])
  })

  it.each([
    [
      'a missing file',
      'line\nsee `scripts/gone.ts`',
      'docs/guide/page.md:2 names scripts/gone.ts, which does not exist',
    ],
    ['a missing folder', 'see `examples/gone`', 'examples/gone'],
    ['a missing example', 'see `examples/gone.yaml`', 'examples/gone.yaml'],
    [
      'a misspelt top folder of a source file',
      'see `package/server/src/app.ts`',
      'package/server/src/app.ts',
    ],
    ['a missing source of the server', 'see `health/gone.ts`', 'health/gone.ts'],
    ['a pattern that nothing matches', 'see `packages/*/lib`', 'packages/*/lib'],
    ['what a build would make in a missing folder', 'see `packages/gone/dist`', 'packages/gone/dist'],
    ['what a build makes elsewhere', 'see `examples/.site`', 'examples/.site'],
    ['a broken link', '[a](../gone.md#part)', '../gone.md'],
    ['a broken link to an image', '![a](picture.png)', 'picture.png'],
    ['a missing file after a fenced block', '```\n```\n`docs/gone.md`', 'docs/guide/page.md:3'],
  ])('refuses %s', async (_, page, problem) => {
    expect(await problemsOf(page)).toEqual([expect.stringContaining(problem)])
  })

  it('finds every path of this repository', async () => {
    expect(await docPaths.run(join(import.meta.dirname, '../..'))).toEqual([])
  })
})
