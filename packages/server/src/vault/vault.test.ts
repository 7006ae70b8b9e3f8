import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { SecretText, Unreadable, wrappingKeyOf } from './envelope.ts'
import { KeyRing } from './key-ring.ts'
import { createKeyRing, dropOldKeys, rotate } from './rotation.ts'
import { Vault, VaultUnavailable } from './vault.ts'

/** Values as the store keeps them, and how the service rewraps them. What it holds outlives the service. */
class SealedValues {
  readonly rows = new Map<string, { version: string; sealed: Uint8Array }>()
  /** Throws here when it is asked for one more row. */
  rewrapsBeforeFailure = Number.POSITIVE_INFINITY

  keysInUse(): Set<string> {
    return new Set([...this.rows.values()].map(({ sealed }) => wrappingKeyOf(sealed) ?? 'none'))
  }

  put(vault: Vault, id: string, value: string): void {
    const version = String(Number(this.rows.get(id)?.version ?? 0) + 1)
    this.rows.set(id, { version, sealed: vault.seal(id, version, value) })
  }

  async rewrapAll(vault: Vault): Promise<Set<string>> {
    for (const [id, { version, sealed }] of this.rows) {
      const rewrapped = vault.rewrap(sealed)
      if (rewrapped === sealed || rewrapped instanceof Unreadable) continue
      if (this.rewrapsBeforeFailure-- <= 0) throw new Error('the disk is full')
      this.rows.set(id, { version, sealed: rewrapped })
    }
    return this.keysInUse()
  }

  read(vault: Vault): Record<string, string> {
    const values = [...this.rows].map(([id, { version, sealed }]) => {
      const opened = vault.open(id, version, sealed)
      return [id, opened instanceof SecretText ? opened.reveal() : opened.kind]
    })
    return Object.fromEntries(values)
  }
}

/** Looks at the file as soon as it can, or never while the test runs. */
const often = { lookEveryMs: 5 }
const never = { lookEveryMs: 1_000_000 }

function startVault(
  folder: TemporaryFolder,
  values: SealedValues,
  { lookEveryMs, problems = [] }: { lookEveryMs: number; problems?: (string | null)[] },
): Promise<Vault> {
  return Vault.open({
    path: folder.path('data.key'),
    keysInUse: values.keysInUse(),
    rewrapAll: (vault) => values.rewrapAll(vault),
    problemChanged: (problem) => problems.push(problem),
    lookEveryMs,
  })
}

const secrets = { db: 'hunter2', hook: 'https://hooks.example/T0/secret', empty: '' }

async function putSecrets(vault: Vault, values: SealedValues): Promise<void> {
  await vault.prepare()
  for (const [id, value] of Object.entries(secrets)) values.put(vault, id, value)
}

/** A store with sealed values, and the service stopped. */
async function storeWithSecrets(folder: TemporaryFolder): Promise<SealedValues> {
  const values = new SealedValues()
  await using vault = await startVault(folder, values, never)
  await putSecrets(vault, values)
  return values
}

async function expectAllAfterRestart(folder: TemporaryFolder, values: SealedValues): Promise<void> {
  await using vault = await startVault(folder, values, never)
  expect(vault.problem).toBeNull()
  expect(values.read(vault)).toEqual(secrets)
}

/** Restarts, and does all that is left of a rotation. */
async function finishRotation(folder: TemporaryFolder, values: SealedValues): Promise<void> {
  const path = folder.path('data.key')
  const { currentId } = await rotate(path)
  await using vault = await startVault(folder, values, often)
  await eventually(() => expect(values.keysInUse()).toEqual(new Set([currentId])))
  expect((await dropOldKeys(path, values.keysInUse())).ids).toEqual([currentId])
  expect(values.read(vault)).toEqual(secrets)
}

describe('a vault', () => {
  it('makes the key file when it is first needed, and once', async () => {
    using folder = temporaryFolder()
    const problems: (string | null)[] = []
    const values = new SealedValues()
    await using vault = await startVault(folder, values, { ...never, problems })
    expect(vault.currentKeyId).toBeNull()
    expect(() => vault.seal('db', '1', 'hunter2')).toThrow(VaultUnavailable)
    await Promise.all([vault.prepare(), vault.prepare(), vault.prepare()])
    const made = vault.currentKeyId
    expect(made).toMatch(/^[0-9a-f]{16}$/)
    await vault.prepare()
    expect(vault.currentKeyId).toBe(made)
    await putSecrets(vault, values)
    expect(values.read(vault)).toEqual(secrets)
    expect(problems).toEqual([])
    await expectAllAfterRestart(folder, values)
  })

  it('has no problem with a missing file as long as nothing is sealed', async () => {
    using folder = temporaryFolder()
    const problems: (string | null)[] = []
    await using vault = await startVault(folder, new SealedValues(), { ...often, problems })
    const ring = KeyRing.generate()
    writeFileSync(folder.path('data.key'), ring.fileText(), { mode: 0o600 })
    await eventually(() => expect(vault.currentKeyId).toBe(ring.currentId))
    expect(problems).toEqual([])
  })

  it('says why the key file cannot be made, and tries again when it is asked again', async () => {
    using folder = temporaryFolder()
    const path = folder.path('keys/ring')
    const options = { path, keysInUse: new Set<string>(), rewrapAll: async () => new Set<string>(), ...never }
    await using vault = await Vault.open(options)
    await expect(vault.prepare()).rejects.toThrow(VaultUnavailable)
    await expect(vault.prepare()).rejects.toThrow(`The key file ${path} cannot be written (ENOENT).`)
    expect(vault.problem).toBeNull()
    folder.write('keys/other', '')
    await vault.prepare()
    expect(vault.currentKeyId).not.toBeNull()
  })

  it('opens nothing and seals nothing without the key file, and heals when it is put back', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = await storeWithSecrets(folder)
    const kept = readFileSync(path)
    rmSync(path)
    const problems: (string | null)[] = []
    await using vault = await startVault(folder, values, { ...often, problems })
    const missing = `The key file ${path} is missing. Stored credentials can be opened only by its keys: put the file back.`
    expect(vault.problem).toBe(missing)
    expect(values.read(vault)).toEqual({ db: 'no key', hook: 'no key', empty: 'no key' })
    expect(vault.open('db', '1', new Uint8Array())).toEqual(
      new Unreadable('no key', `cannot be opened. ${missing}`),
    )
    expect(() => vault.seal('db', '2', 'new')).toThrow(missing)
    await expect(vault.prepare()).rejects.toThrow(missing)
    writeFileSync(path, KeyRing.generate().fileText(), { mode: 0o600 })
    await eventually(() => expect(vault.problem).toMatch(/is not the one that the stored credentials/))
    expect(() => vault.seal('db', '2', 'new')).toThrow(VaultUnavailable)
    writeFileSync(path, kept)
    await eventually(() => expect(vault.problem).toBeNull())
    expect(values.read(vault)).toEqual(secrets)
    expect(problems.at(-1)).toBeNull()
    expect(problems[0]).toBe(missing)
  })

  it('goes on opening, and stops sealing, while the file is gone', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = await storeWithSecrets(folder)
    const ring = await createKeyRing(path)
    await using vault = await startVault(folder, values, often)
    rmSync(path)
    await eventually(() => expect(vault.problem).toMatch(/is missing/))
    expect(values.read(vault)).toEqual(secrets)
    expect(() => vault.seal('db', '2', 'new')).toThrow(VaultUnavailable)
    await expect(vault.prepare()).rejects.toThrow(VaultUnavailable)
    writeFileSync(path, ring.fileText(), { mode: 0o600 })
    await eventually(() => expect(vault.problem).toBeNull())
    expect(vault.seal('db', '2', 'new')).toBeInstanceOf(Uint8Array)
  })

  it('opens what it can, and names the keys that the file lacks', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = await storeWithSecrets(folder)
    const { currentId } = await createKeyRing(path)
    const row = values.rows.get('db')
    const foreign = Uint8Array.from(row?.sealed ?? [])
    foreign.set(Buffer.from('0123456789abcdef', 'hex'), 1)
    values.rows.set('db', { version: '1', sealed: foreign })
    await using vault = await startVault(folder, values, never)
    expect(vault.currentKeyId).toBe(currentId)
    expect(values.read(vault)).toEqual({ ...secrets, db: 'no key' })
    expect(vault.problem).toBe(
      `The key file ${path} lacks 0123456789abcdef, by which stored credentials are wrapped. Put these keys back, or write those credentials again.`,
    )
  })

  it('shows no key and no value in what it says or how it is inspected', async () => {
    using folder = temporaryFolder()
    const values = await storeWithSecrets(folder)
    await using vault = await startVault(folder, values, never)
    const ring = await createKeyRing(folder.path('data.key'))
    const key = ring.fileText().slice(7, 50)
    const row = values.rows.get('db')
    const opened = vault.open('db', '1', row?.sealed ?? new Uint8Array())
    const refused = vault.open('db', '9', row?.sealed ?? new Uint8Array())
    const shown = inspect({ vault, opened, refused, values }, { depth: 9, showHidden: true, getters: true })
    expect(shown).not.toContain('hunter2')
    expect(shown).not.toContain(key)
  })
})

describe('a rotation', () => {
  it('is followed by the running service, which then needs the new key only', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = await storeWithSecrets(folder)
    await using vault = await startVault(folder, values, often)
    const { currentId } = await rotate(path)
    await eventually(() => expect(vault.currentKeyId).toBe(currentId))
    await eventually(() => expect(values.keysInUse()).toEqual(new Set([currentId])))
    await dropOldKeys(path, values.keysInUse())
    expect(values.read(vault)).toEqual(secrets)
    expect(vault.problem).toBeNull()
    await expectAllAfterRestart(folder, values)
  })

  it('loses nothing when the process dies after any of its steps', async () => {
    const path = (folder: TemporaryFolder) => folder.path('data.key')
    const rewrapSome = async (folder: TemporaryFolder, values: SealedValues, count: number) => {
      await using vault = await startVault(folder, values, never)
      values.rewrapsBeforeFailure = count
      await values.rewrapAll(vault).catch(() => undefined)
      values.rewrapsBeforeFailure = Number.POSITIVE_INFINITY
    }
    const steps: ((folder: TemporaryFolder, values: SealedValues) => Promise<unknown>)[] = [
      (folder) => rotate(path(folder)),
      (folder, values) => rewrapSome(folder, values, 1),
      (folder, values) => rewrapSome(folder, values, 1),
      (folder, values) => rewrapSome(folder, values, 5),
      (folder, values) => dropOldKeys(path(folder), values.keysInUse()),
    ]
    for (let done = 0; done <= steps.length; done++) {
      using folder = temporaryFolder()
      const values = await storeWithSecrets(folder)
      for (const step of steps.slice(0, done)) await step(folder, values)
      await expectAllAfterRestart(folder, values)
      await finishRotation(folder, values)
      await expectAllAfterRestart(folder, values)
    }
  })

  it('rewraps at the next start what a rotation without a running service left', async () => {
    using folder = temporaryFolder()
    const values = await storeWithSecrets(folder)
    const { currentId } = await rotate(folder.path('data.key'))
    await using vault = await startVault(folder, values, often)
    await eventually(() => expect(values.keysInUse()).toEqual(new Set([currentId])))
    expect(vault.problem).toBeNull()
  })

  it('saves a value that was sealed by an old key after that key was dropped', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = new SealedValues()
    await using vault = await startVault(folder, values, { lookEveryMs: 300 })
    await vault.prepare()
    await rotate(path)
    // The store holds no value yet, so that nothing speaks against it.
    const { currentId } = await dropOldKeys(path, values.keysInUse())
    await putSecrets(vault, values)
    await eventually(() => expect(values.keysInUse()).toEqual(new Set([currentId])))
    expect(vault.problem).toBeNull()
    await expectAllAfterRestart(folder, values)
  })

  it('goes to the key that is in the file, also when an older file was put back', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = await storeWithSecrets(folder)
    const older = await createKeyRing(path)
    await finishRotation(folder, values)
    await using vault = await startVault(folder, values, often)
    writeFileSync(path, older.fileText())
    await eventually(() => expect(values.keysInUse()).toEqual(new Set(older.ids)))
    await eventually(() => expect(vault.problem).toBeNull())
    await expectAllAfterRestart(folder, values)
  })

  it('tries again when rewrapping failed, says so, and can seal meanwhile', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = await storeWithSecrets(folder)
    values.rewrapsBeforeFailure = 1
    const problems: (string | null)[] = []
    await using vault = await startVault(folder, values, { ...often, problems })
    const { currentId } = await rotate(path)
    await eventually(() =>
      expect(vault.problem).toBe(
        'Stored credentials could not be rewrapped by the current key (the disk is full); this is tried again every second.',
      ),
    )
    expect(values.read(vault)).toEqual(secrets)
    expect(wrappingKeyOf(vault.seal('new', '1', 'x'))).toBe(currentId)
    await expect(dropOldKeys(path, values.keysInUse())).rejects.toMatchObject({ code: 'in-use' })
    values.rewrapsBeforeFailure = Number.POSITIVE_INFINITY
    await eventually(() => expect(vault.problem).toBeNull())
    expect(values.keysInUse()).toEqual(new Set([currentId]))
    expect(problems).toEqual([expect.stringContaining('the disk is full'), null])
  })

  it('stops at a value that is damaged: its old key is not dropped', async () => {
    using folder = temporaryFolder()
    const path = folder.path('data.key')
    const values = await storeWithSecrets(folder)
    const broken = Uint8Array.from(values.rows.get('db')?.sealed ?? [])
    broken[40] = (broken[40] ?? 0) ^ 1
    values.rows.set('db', { version: '1', sealed: broken })
    await using vault = await startVault(folder, values, often)
    const { currentId, ids } = await rotate(path)
    await eventually(() => expect(values.keysInUse()).toEqual(new Set(ids)))
    expect(values.read(vault)).toEqual({ ...secrets, db: 'damaged' })
    await expect(dropOldKeys(path, values.keysInUse())).rejects.toMatchObject({ code: 'in-use' })
    values.rows.delete('db')
    expect((await dropOldKeys(path, values.keysInUse())).ids).toEqual([currentId])
  })
})
