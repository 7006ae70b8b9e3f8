import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describeUnless, Random, temporaryFolder } from '@pulseward/testing'
import { LossyDisk, traceDisk, whyNoDiskTrace } from '@pulseward/testing/power-cut'
import { describe, expect, it } from 'vitest'
import { replaceFile, replaceFileAsync, syncToDisk } from './replace-file.ts'

const forms = [
  ['replaceFile', async (path: string, content: string) => replaceFile(path, content)],
  ['replaceFileAsync', (path: string, content: string) => replaceFileAsync(path, content)],
] as const

const isUnix = process.platform !== 'win32'
const isRoot = process.getuid?.() === 0

describe.each(forms)('%s', (_name, replace) => {
  it('makes a file and replaces it, with nothing left beside it', async () => {
    using folder = temporaryFolder()
    const path = folder.path('state')
    await replace(path, 'first, and longer')
    await replace(path, 'second')
    expect(readFileSync(path, 'utf8')).toBe('second')
    expect(readdirSync(folder.root)).toEqual(['state'])
  })

  it.runIf(isUnix)('leaves the file to its owner alone, whatever the mode of the old one', async () => {
    using folder = temporaryFolder({ state: 'old' })
    chmodSync(folder.path('state'), 0o644)
    await replace(folder.path('state'), 'new')
    expect(statSync(folder.path('state')).mode & 0o777).toBe(0o600)
  })

  it.runIf(isUnix)('does not write through a link that lies where the new content goes', async () => {
    using folder = temporaryFolder({ elsewhere: 'untouched' })
    symlinkSync(folder.path('elsewhere'), folder.path('state.partial'))
    await replace(folder.path('state'), 'new')
    expect(readFileSync(folder.path('elsewhere'), 'utf8')).toBe('untouched')
    expect(readdirSync(folder.root).sort()).toEqual(['elsewhere', 'state'])
  })

  it('removes the new content when it cannot get the name', async () => {
    using folder = temporaryFolder({ 'state/inside': '' })
    await expect(replace(folder.path('state'), 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/)
    expect(readdirSync(folder.root)).toEqual(['state'])
  })

  it('says which folder is missing', async () => {
    using folder = temporaryFolder()
    await expect(replace(folder.path('none/state'), 'new')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.runIf(isRoot)('gives what root writes to the owner of the old file, or else of the folder', async () => {
    using folder = temporaryFolder()
    mkdirSync(folder.path('data'))
    chownSync(folder.path('data'), 1234, 1235)
    const path = folder.path('data/state')
    await replace(path, 'first')
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 1235 })
    chownSync(path, 4321, 4322)
    await replace(path, 'second')
    expect(statSync(path)).toMatchObject({ uid: 4321, gid: 4322 })
  })
})

describe('replacing a file under a condition', () => {
  it('keeps the old file when the condition does not hold', async () => {
    using folder = temporaryFolder({ state: 'old' })
    const confirm = async () => {
      expect(readFileSync(folder.path('state.partial'), 'utf8')).toBe('new')
      throw new Error('another process has the lock')
    }
    await expect(replaceFileAsync(folder.path('state'), 'new', confirm)).rejects.toThrow(/has the lock/)
    expect(readFileSync(folder.path('state'), 'utf8')).toBe('old')
    expect(readdirSync(folder.root)).toEqual(['state'])
  })
})

describe('syncing', () => {
  it('reports a file that is not there', () => {
    using folder = temporaryFolder()
    expect(() => syncToDisk(folder.path('none'))).toThrow(/ENOENT/)
  })
})

const contents = ['one'.repeat(2_000), 'two'.repeat(3_000), 'three']

const replaces = `
  import { writeSync } from 'node:fs'
  import { replaceFile, replaceFileAsync } from ${JSON.stringify(import.meta.resolve('./replace-file.ts'))}
  const [one, two, three] = ${JSON.stringify(contents)}
  const path = process.argv[2] + '/state'
  replaceFile(path, one)
  writeSync(1, 'one')
  await replaceFileAsync(path, two)
  writeSync(1, 'two')
  replaceFile(path, three)
  writeSync(1, 'three')
`

describeUnless(whyNoDiskTrace(), 'a power cut while a file is replaced', () => {
  it('leaves the old content or the new one, and the new one once it was reported', async () => {
    using trace = await traceDisk({ program: replaces })
    for (let cut = 0; cut <= trace.operations.length; cut++) {
      for (const seed of [1, 2, 3]) {
        using folder = temporaryFolder()
        mkdirSync(folder.path('disk'))
        const disk = new LossyDisk(trace.root)
        const done = trace.operations.slice(0, cut)
        for (const operation of done) disk.take(operation)
        disk.writeAfterPowerCut(new Random(seed), folder.path('disk'))
        const reported = done.filter(({ kind }) => kind === 'output').length
        const isThere = readdirSync(folder.path('disk')).includes('state')
        const found = isThere ? readFileSync(folder.path('disk/state'), 'utf8') : null
        expect([reported === 0 ? null : contents[reported - 1], contents[reported]]).toContain(found)
      }
    }
  })
})
