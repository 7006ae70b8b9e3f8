import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRegularFile, readTrustedFile } from './regular-file.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder({ file: 'content', 'inner/file': '' })
  symlinkSync(folder.path('file'), folder.path('link'))
  execFileSync('mkfifo', [folder.path('fifo')])
})
afterEach(() => folder[Symbol.dispose]())

describe('a file that a configuration names', () => {
  it.each(['file', 'link'])('is read (%s)', (name) => {
    expect(readRegularFile(folder.path(name))).toBe('content')
  })

  it.each([
    ['fifo', 'ENOTREG'],
    ['inner', 'EISDIR'],
    ['none', 'ENOENT'],
  ])('is refused at once if it is a %s (%s)', (name, code) => {
    expect(() => readRegularFile(folder.path(name))).toThrow(expect.objectContaining({ code }))
  })
})

describe('a file that has to be trusted', () => {
  const maxBytes = 7

  it.each(['file', 'link'])('is read (%s)', async (name) => {
    expect(await readTrustedFile(folder.path(name), { maxBytes })).toBe('content')
  })

  it.each(['fifo', 'inner', 'none'])('is refused at once if it is a %s', async (name) => {
    expect(await readTrustedFile(folder.path(name), { maxBytes })).toBeNull()
  })

  it('is refused if it belongs to another user, or is too large', async () => {
    const owners = new Set([(process.getuid?.() ?? 0) + 1])
    expect(await readTrustedFile(folder.path('file'), { maxBytes, owners })).toBeNull()
    expect(await readTrustedFile(folder.path('file'), { maxBytes: maxBytes - 1 })).toBeNull()
  })
})
