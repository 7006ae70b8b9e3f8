import { spawnSync } from 'node:child_process'
import {
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { describeUnless, temporaryFolder } from '@pulseward/testing'
import { onSmallDisk, whyNoSmallDisk } from '@pulseward/testing/process'
import { describe, expect, it } from 'vitest'
import { readKeyFile } from './key-file.ts'
import { createKeyRing, dropOldKeys, rotate } from './rotation.ts'

const ringAt = async (path: string) => await readKeyFile(path)

describe('making the key file', () => {
  it('writes one key that only its owner can read', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const ring = await createKeyRing(path)
    expect(ring.ids).toHaveLength(1)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(ring.fileText())
    expect(readdirSync(folder.root)).toEqual(['data.key'])
  })

  it('takes the file that another process made first', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const rings = await Promise.all([1, 2, 3, 4].map(() => createKeyRing(path)))
    expect(new Set(rings.map((ring) => ring.currentId)).size).toBe(1)
    expect((await ringAt(path)).ids).toEqual(rings[0]?.ids)
  })

  it('leaves a file alone that it cannot read as a ring', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    writeFileSync(path, 'not a key', { mode: 0o600 })
    await expect(createKeyRing(path)).rejects.toMatchObject({ code: 'damaged' })
    expect(readFileSync(path, 'utf8')).toBe('not a key')
  })

  it('says what to do where it cannot write', async () => {
    using folder = temporaryFolder()
    const path = folder.path('missing/data.key')
    await expect(createKeyRing(path)).rejects.toMatchObject({
      code: 'unwritable',
      message: `The key file ${path} cannot be written (ENOENT). Its folder must be there and writable for the user who runs this; credentials_key_file names another place.`,
    })
  })
})

describe('rotating the key', () => {
  it('puts a new key on top and keeps the others', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const first = await createKeyRing(path)
    const second = await rotate(path)
    expect(second.ids).toEqual([second.currentId, first.currentId])
    expect((await ringAt(path)).ids).toEqual(second.ids)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder.root)).toEqual(['data.key'])
  })

  it('loses no key of rotations at the same time', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const first = await createKeyRing(path)
    const rotated = await Promise.all([1, 2, 3, 4].map(() => rotate(path)))
    const ids = [first, ...rotated].map((ring) => ring.currentId)
    expect(new Set((await ringAt(path)).ids)).toEqual(new Set(ids))
  })

  it('never makes a key file', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    await expect(rotate(path)).rejects.toMatchObject({ code: 'missing' })
    await expect(dropOldKeys(path, new Set())).rejects.toMatchObject({ code: 'missing' })
    expect(readdirSync(folder.root)).toEqual([])
  })

  it('replaces what a link leads to, not the link', async () => {
    using folder = temporaryFolder({ 'keys/empty': '' })
    const [path, link] = [folder.path('keys/ring'), folder.path('data.key')]
    await createKeyRing(path)
    symlinkSync(path, link)
    const { ids } = await rotate(link)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect((await ringAt(path)).ids).toEqual(ids)
    expect(readdirSync(folder.root).sort()).toEqual(['data.key', 'keys'])
  })

  it('goes on after a process that died in the middle', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const first = await createKeyRing(path)
    folder.write('data.key.lock', '')
    folder.write('data.key.partial', first.withNewKey().fileText().slice(0, 90))
    const second = await rotate(path, 100)
    expect(second.ids).toEqual([second.currentId, first.currentId])
    expect(readdirSync(folder.root)).toEqual(['data.key'])
  })
})

describe('dropping old keys', () => {
  it('keeps the current key when nothing else is in use', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    await createKeyRing(path)
    await rotate(path)
    const { currentId } = await rotate(path)
    expect((await dropOldKeys(path, new Set([currentId]))).ids).toEqual([currentId])
    expect((await ringAt(path)).ids).toEqual([currentId])
    expect((await dropOldKeys(path, new Set())).ids).toEqual([currentId])
  })

  it('removes nothing while a value is wrapped by another key', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const first = await createKeyRing(path)
    const { ids, currentId } = await rotate(path)
    await expect(dropOldKeys(path, new Set([currentId, first.currentId]))).rejects.toMatchObject({
      code: 'in-use',
      message: `Stored credentials are not all wrapped by the current key ${currentId} of ${path}, but by ${first.currentId}. No key was removed; try again when the service has rewrapped them.`,
    })
    expect((await ringAt(path)).ids).toEqual(ids)
  })

  it('removes nothing when another rotation came between', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    await createKeyRing(path)
    const { currentId } = await rotate(path)
    const { ids } = await rotate(path)
    await expect(dropOldKeys(path, new Set([currentId]))).rejects.toMatchObject({ code: 'in-use' })
    expect((await ringAt(path)).ids).toEqual(ids)
  })
})

const whyNotRoot = process.getuid?.() === 0 ? null : 'only root can give a file to another user'

describeUnless(whyNotRoot, 'a key file that root replaces', () => {
  it('still belongs to the user of the service', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    await createKeyRing(path)
    chownSync(path, 4_242, 4_243)
    await rotate(path)
    expect(statSync(path)).toMatchObject({ uid: 4_242, gid: 4_243 })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })
})

const rotatesOnFullDisk = `
  import { readdirSync, rmSync, writeFileSync } from 'node:fs'
  import { readKeyFile } from ${JSON.stringify(import.meta.resolve('./key-file.ts'))}
  import { createKeyRing, rotate } from ${JSON.stringify(import.meta.resolve('./rotation.ts'))}
  const [folder] = process.argv.slice(2)
  const [path, ballast] = [folder + '/data.key', folder + '/ballast']
  const first = await createKeyRing(path)
  for (let full = false; !full; ) {
    try {
      writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' })
    } catch {
      full = true
    }
  }
  const problem = await rotate(path).catch((error) => error.message)
  const ring = await readKeyFile(path)
  const files = readdirSync(folder)
  rmSync(ballast)
  const { ids } = await rotate(path)
  console.log(JSON.stringify({ problem, files, isKept: ring.equals(first), ids: ids.length }))
`

describeUnless(whyNoSmallDisk(tmpdir()), 'a rotation on a full disk', () => {
  it('says so, leaves the ring as it was, and works when there is space again', () => {
    using folder = temporaryFolder({ 'disk/empty': '', 'program.mjs': rotatesOnFullDisk })
    const disk = folder.path('disk')
    const [program = '', ...words] = onSmallDisk(disk, 65_536)
    const { stdout, stderr } = spawnSync(
      program,
      [...words, process.execPath, folder.path('program.mjs'), disk],
      { encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      problem: `The key file ${disk}/data.key cannot be written (ENOSPC). Free some space on that disk and try again.`,
      files: ['ballast', 'data.key'],
      isKept: true,
      ids: 2,
    })
  })
})
