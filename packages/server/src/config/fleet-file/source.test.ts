import { symlinkSync } from 'node:fs'
import { relative } from 'node:path'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { formatPath, listSources, type SourceChunk } from './source.ts'

describe('the files behind a path', () => {
  it('are read in lexical order and depth first, without hidden ones and other endings', async () => {
    using folder = temporaryFolder({
      'b.yaml': '',
      'B.YML': '',
      'a/2.json': '',
      'a/10.ndjson': '',
      'a.yaml': '',
      'é.yaml': '',
      '.hidden.yaml': '',
      '.git/config.yaml': '',
      'notes.txt': '',
      'fleet.yaml~': '',
      'c.yaml/inside.yml': '',
    })
    const files = await listSources([folder.root])
    expect(files.map((file) => relative(folder.root, file))).toEqual([
      'B.YML',
      'a/10.ndjson',
      'a/2.json',
      'a.yaml',
      'b.yaml',
      'c.yaml/inside.yml',
      'é.yaml',
    ])
  })

  it('are read in the order in which paths are given, whatever their ending', async () => {
    using folder = temporaryFolder({ 'z.yaml': '', 'a.conf': '' })
    const paths = [folder.path('z.yaml'), folder.path('a.conf')]
    expect(await listSources(paths)).toEqual(paths)
  })

  it('are not those behind links in a folder', async () => {
    using elsewhere = temporaryFolder({ 'x.yaml': '' })
    using folder = temporaryFolder({ 'a.yaml': '' })
    symlinkSync(elsewhere.path('x.yaml'), folder.path('linked.yaml'))
    symlinkSync(elsewhere.root, folder.path('linked'))
    symlinkSync(folder.root, folder.path('circle'))
    expect(await listSources([folder.root])).toEqual([folder.path('a.yaml')])
  })

  it('are those behind a link that was named', async () => {
    using elsewhere = temporaryFolder({ 'x.yaml': '' })
    using folder = temporaryFolder()
    symlinkSync(elsewhere.root, folder.path('current'))
    expect(await listSources([folder.path('current')])).toEqual([folder.path('current/x.yaml')])
  })

  it('must exist', async () => {
    using folder = temporaryFolder({ 'empty/notes.txt': '' })
    symlinkSync('circle', folder.path('circle'))
    const refusal = async (name: string) =>
      listSources([folder.path(name)]).then(
        () => 'nothing',
        (error: Error) => error.message.replace(folder.root, ''),
      )
    expect(await refusal('none.yaml')).toBe('/none.yaml does not exist.')
    expect(await refusal('empty')).toBe('/empty has no .yaml, .yml, .json or .ndjson file.')
    expect(await refusal('circle')).toBe('/circle cannot be read (ELOOP).')
  })
})

describe('a path in a message', () => {
  const chunk = (kind: SourceChunk['kind'], firstItem = 0): SourceChunk => ({
    file: 'a',
    kind,
    firstLine: 1,
    from: 0,
    to: 0,
    firstItem,
  })

  it('counts monitors over the whole document', () => {
    expect(formatPath(chunk('items', 500), [3, 'check', 'type'])).toBe('monitors[503].check.type')
    expect(formatPath(chunk('document'), ['monitors', 3, 'tags', 0])).toBe('monitors[3].tags[0]')
  })

  it('begins at the monitor where a line is one', () => {
    expect(formatPath(chunk('lines'), [3, 'check', 'type'])).toBe('check.type')
    expect(formatPath(chunk('lines'), [3])).toBe('')
  })

  it('is empty for the whole', () => {
    for (const kind of ['items', 'document', 'lines'] as const) expect(formatPath(chunk(kind), [])).toBe('')
  })

  it('quotes keys that are no plain words', () => {
    expect(formatPath(chunk('document'), ['labels', 'a b', 'c"\n', 'x-y'])).toBe(
      'labels["a b"]["c\\"\\n"].x-y',
    )
  })
})
