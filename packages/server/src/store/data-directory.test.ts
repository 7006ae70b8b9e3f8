import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { directoryConcerns, makeDirectory } from './data-directory.ts'

const isUnix = process.platform !== 'win32'

describe('a data directory', () => {
  it.runIf(isUnix)('is made for its owner alone, with the folders above it', () => {
    using folder = temporaryFolder()
    makeDirectory(folder.path('deep/data'))
    expect(statSync(folder.path('deep/data')).mode & 0o777).toBe(0o700)
    expect(directoryConcerns(folder.path('deep/data'))).toEqual([])
  })

  it('is not made in place of a file', () => {
    using folder = temporaryFolder()
    writeFileSync(folder.path('data'), '')
    expect(() => makeDirectory(folder.path('data'))).toThrow(/EEXIST/)
  })

  it.runIf(isUnix).each([
    [0o700, 0],
    [0o755, 0],
    [0o775, 0],
    [0o777, 1],
  ])('of mode %o has %i concerns', (mode, count) => {
    using folder = temporaryFolder()
    const path = folder.path('data')
    mkdirSync(path)
    chmodSync(path, mode)
    const words = `The data directory ${path} can be written by everybody on this machine; run chmod 700 on it.`
    expect(directoryConcerns(path)).toEqual(Array(count).fill(words))
  })

  it.runIf(isUnix)('of another user is a concern', () => {
    using folder = temporaryFolder()
    const path = folder.path('data')
    makeDirectory(path)
    const own = process.getuid!()
    expect(directoryConcerns(path, own + 1)).toEqual([
      `The data directory ${path} belongs to another user (uid ${own}, this is ${own + 1}); run chown on it, or run the service as that user.`,
    ])
  })
})
