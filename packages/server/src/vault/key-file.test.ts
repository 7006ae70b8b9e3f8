import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { keyFilePath, openKeyRing, readKeyFile } from './key-file.ts'
import { KeyRing } from './key-ring.ts'
import { KeyRingError } from './key-ring-error.ts'

/** A key file with this content, for its owner alone. */
function keyFile(folder: TemporaryFolder, content: string): string {
  const path = folder.path('data.key')
  writeFileSync(path, content, { mode: 0o600 })
  return path
}

async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof KeyRingError)) throw new Error(`not refused: ${error}`)
  return { code: error.code, message: error.message }
}

describe('the place of the key file', () => {
  it('is beside the data directory, however that is written', async () => {
    using folder = temporaryFolder()
    mkdirSync(folder.path('data'))
    for (const written of ['data', 'data/', 'data/.', 'other/../data'])
      expect(await keyFilePath(`${folder.root}/${written}`, null)).toBe(folder.path('data.key'))
    // Before the first start the directory is not there.
    expect(await keyFilePath(folder.path('new'), null)).toBe(folder.path('new.key'))
  })

  it('may be named', async () => {
    using folder = temporaryFolder()
    for (const name of ['keys/ring', 'data.key', 'data-keys/ring', '..data'])
      expect(await keyFilePath(folder.path('data'), folder.path(name))).toBe(folder.path(name))
  })

  it('is never inside the data directory, also by a link', async () => {
    using folder = temporaryFolder({ 'data/inner/file': '' })
    symlinkSync(folder.path('data/inner'), folder.path('link'))
    for (const name of ['data/ring', 'data/inner/ring', 'data/..ring', 'link/ring']) {
      const { code, message } = await refusal(keyFilePath(folder.path('data'), folder.path(name)))
      expect(code).toBe('inside')
      expect(message).toBe(
        `The key file ${folder.path(name)} would lie inside the data directory, and so in every copy of it; name a place outside with credentials_key_file.`,
      )
    }
    expect(await refusal(keyFilePath('/', null))).toMatchObject({ code: 'inside' })
  })
})

describe('opening the key ring', () => {
  it('answers with the ring of the file', async () => {
    using folder = temporaryFolder()
    const ring = KeyRing.generate().withNewKey()
    const path = keyFile(folder, ring.fileText())
    expect((await openKeyRing(path, new Set()))?.ids).toEqual(ring.ids)
    expect((await openKeyRing(path, new Set(ring.ids)))?.ids).toEqual(ring.ids)
  })

  it('follows a link, as mounted secrets have one', async () => {
    using folder = temporaryFolder()
    const ring = KeyRing.generate()
    symlinkSync(keyFile(folder, ring.fileText()), folder.path('link.key'))
    expect((await openKeyRing(folder.path('link.key'), new Set()))?.ids).toEqual(ring.ids)
  })

  it('finds nothing where there is neither a file nor a sealed value', async () => {
    using folder = temporaryFolder()
    expect(await openKeyRing(folder.path('data.key'), new Set())).toBeNull()
  })

  it('refuses a missing file where values are sealed', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    expect(await refusal(openKeyRing(path, new Set(['0123456789abcdef'])))).toEqual({
      code: 'missing',
      message: `The key file ${path} is missing. Stored credentials can be opened only by its keys: put the file back.`,
    })
  })

  it('refuses a file that holds none of the keys in use, and takes one that holds some', async () => {
    using folder = temporaryFolder()
    const ring = KeyRing.generate()
    const path = keyFile(folder, ring.fileText())
    expect(await refusal(openKeyRing(path, new Set(['0123456789abcdef'])))).toEqual({
      code: 'wrong',
      message: `The key file ${path} is not the one that the stored credentials are sealed with: it holds none of the keys 0123456789abcdef. Put the right file in its place.`,
    })
    const some = new Set(['0123456789abcdef', ring.currentId])
    expect((await openKeyRing(path, some))?.ids).toEqual(ring.ids)
  })

  it('refuses an empty file, also before anything is sealed', async () => {
    using folder = temporaryFolder()
    const path = keyFile(folder, '\n')
    expect(await refusal(openKeyRing(path, new Set()))).toEqual({
      code: 'empty',
      message: `The key file ${path} is empty; put the right one in its place.`,
    })
  })

  it('refuses a damaged line without repeating it', async () => {
    using folder = temporaryFolder()
    const text = KeyRing.generate().withNewKey().fileText()
    const path = keyFile(folder, text.slice(0, -4))
    const { code, message } = await refusal(openKeyRing(path, new Set()))
    expect(code).toBe('damaged')
    expect(message).toBe(
      `Line 2 of the key file ${path} is not a whole key; put an undamaged copy in its place.`,
    )
  })

  it.each([0o604, 0o640, 0o622, 0o601, 0o777])('refuses a file of mode %o', async (mode) => {
    using folder = temporaryFolder()
    const path = keyFile(folder, KeyRing.generate().fileText())
    chmodSync(path, mode)
    expect(await refusal(openKeyRing(path, new Set()))).toEqual({
      code: 'exposed',
      message: `The key file ${path} is open to other users (mode ${mode.toString(8)}); run chmod 600 on it, and rotate the key if somebody may have read it.`,
    })
  })

  it.each([0o600, 0o400])('takes a file of mode %o', async (mode) => {
    using folder = temporaryFolder()
    const path = keyFile(folder, KeyRing.generate().fileText())
    chmodSync(path, mode)
    expect(await openKeyRing(path, new Set())).toBeInstanceOf(KeyRing)
  })

  it('refuses a folder, a pipe without a writer, and a file that is far too large', async () => {
    using folder = temporaryFolder()
    mkdirSync(folder.path('folder.key'), { mode: 0o700 })
    spawnSync('sh', ['-c', 'mkfifo -m 600 "$0"', folder.path('pipe.key')])
    writeFileSync(folder.path('large.key'), Buffer.alloc(65_537, '\n'), { mode: 0o600 })
    for (const name of ['folder.key', 'pipe.key', 'large.key'])
      expect(await refusal(openKeyRing(folder.path(name), new Set()))).toMatchObject({ code: 'damaged' })
  })

  it('says with what error a file cannot be read', async () => {
    using folder = temporaryFolder({ file: '' })
    const path = folder.path('file/data.key')
    expect(await refusal(readKeyFile(path))).toEqual({
      code: 'unreadable',
      message: `The key file ${path} cannot be read (ENOTDIR).`,
    })
  })
})
