import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ManagedResource } from '../kinds/managed-resource.ts'
import { OperatorProblems } from '../managing/operator-problems.ts'
import { dataDirectory } from '../store/data-directory.ts'
import type { ResealedValue } from '../store/resource.ts'
import { silentLog } from '../telemetry/log.ts'
import { keysInUse, openCredentialVault, revealer } from './credential-vault.ts'
import { wrappingKeyOf } from './envelope.ts'
import { createKeyRing, rotate } from './rotation.ts'
import { readSealingRecord } from './sealing-record.ts'
import type { Vault } from './vault.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(folder.path('data'))
})
afterEach(() => folder[Symbol.dispose]())

/** Credentials as the service holds them, and a store that has those of them that are committed. */
class Credentials {
  readonly held = new Map<string, ManagedResource>()
  readonly committed = new Map<string, Uint8Array>()
  readonly problems = new OperatorProblems(silentLog)
  valuesChanged = 0

  open(): Promise<Vault> {
    return openCredentialVault({
      data: folder.path('data'),
      keyFile: null,
      sealingRecord: dataDirectory(folder.path('data')).sealing,
      reseal: (values) => this.reseal(values),
      report: (problem) => this.problems.report('credentials_key', problem),
      sealed: {
        credentials: () => this.held.values(),
        resealed: ({ id, change, sealed }) => this.hold(id, change, sealed),
      },
      valuesChanged: () => this.valuesChanged++,
      lookEveryMs: 5,
    })
  }

  hold(id: string, change: number, value: Uint8Array): void {
    const rest = { uid: id, generation: 1, name: null, labels: {}, spec: {}, createdAt: 0, updatedAt: 0 }
    this.held.set(id, { kind: 'Credential', id, change, ...rest, sealed: { value, change } })
  }

  /** Decided, and not stored yet. */
  write(vault: Vault, id: string, change: number): Uint8Array {
    const sealed = vault.seal(id, String(change), `the value of ${id}`)
    this.hold(id, change, sealed)
    return sealed
  }

  async reseal(values: readonly ResealedValue[]): Promise<readonly number[]> {
    const found = values.filter(({ id }) => this.committed.has(id))
    for (const { id, sealed } of found) this.committed.set(id, sealed)
    return found.map(({ change }) => change)
  }
}

it('rewraps a value that was being committed only when the store has it, and then says so', async () => {
  const path = folder.path('data.key')
  const credentials = new Credentials()
  await createKeyRing(path)
  await using vault = await credentials.open()
  credentials.committed.set('first', credentials.write(vault, 'first', 1))
  const late = credentials.write(vault, 'late', 2)
  const { currentId } = await rotate(path)
  await eventually(() => expect(wrappingKeyOf(credentials.committed.get('first') ?? late)).toBe(currentId))
  // The service must not call the rotation done while a commit may still bring a value of the old key.
  expect(readSealingRecord(folder.path('data/sealing.json'))?.currentKeyId).not.toBe(currentId)
  credentials.committed.set('late', late)
  await eventually(() =>
    expect(readSealingRecord(folder.path('data/sealing.json'))).toEqual({
      currentKeyId: currentId,
      keysInUse: [currentId],
    }),
  )
  expect(wrappingKeyOf(credentials.committed.get('late') ?? late)).toBe(currentId)
  expect(keysInUse(credentials.held.values())).toEqual(new Set([currentId]))
  const reveal = revealer(() => vault)
  expect([...credentials.held.values()].map(reveal)).toEqual(['the value of first', 'the value of late'])
})

it('shows a problem until the values that lack their key are gone', async () => {
  const path = folder.path('data.key')
  const credentials = new Credentials()
  {
    await using vault = await credentials.open()
    await vault.prepare()
    credentials.write(vault, 'lost', 1)
  }
  rmSync(path)
  await using vault = await credentials.open()
  expect(credentials.problems.words).toBe('the key file of credentials is missing')
  await expect(vault.prepare()).rejects.toThrow(path)
  expect(existsSync(path)).toBe(false)
  credentials.held.clear()
  vault.noteKeysInUse(new Set())
  await eventually(() => expect(credentials.problems.words).toBe(null))
  expect(credentials.valuesChanged).toBeGreaterThan(0)
  await vault.prepare()
  expect(credentials.write(vault, 'new', 2).length).toBeGreaterThan(0)
})
