// vault/rotate-key.ts: gives the credentials of a data directory a new key: adds it at the top of the key
// file, has every value rewrapped with it, and removes the old keys when nothing stored needs them. A running
// service rewraps by itself and says so in the data directory; if none is running, this process opens the
// store and rewraps. If it is killed between any two steps, the file has every key that a stored value needs,
// and the next rotation removes what is left over.
import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '../platform/usage-error.ts'
import type { Resealed } from './credential-vault.ts'
import { rewrap, wrappingKeyOf } from './envelope.ts'
import { keyFilePath, openKeyRing, readKeyFile } from './key-file.ts'
import type { KeyRing } from './key-ring.ts'
import { dropOldKeys, rotate } from './rotation.ts'
import { readSealingRecord, type SealingRecord } from './sealing-record.ts'

/** A store that this process owns. */
export interface SealedStore extends AsyncDisposable {
  sealedValues(): Promise<readonly Resealed[]>
  reseal(values: readonly Resealed[]): Promise<unknown>
}

export interface RotationOptions {
  readonly directory: string
  /** The setting credentials_key_file. */
  readonly keyFile: string | null
  /** Where a running service records which keys it needs. */
  readonly sealingRecord: string
  /** Opens the store; null while another process owns it. */
  readonly takeStore: () => Promise<SealedStore | null>
  /** How long to wait for a running service. */
  readonly waitMs?: number
}

export interface Rotation {
  readonly keyFile: string
  readonly currentKeyId: string
  /** False if the service did not confirm in time that nothing needs the old keys: then all of them are still there. */
  readonly oldKeysRemoved: boolean
  /** The number of keys in the file before. */
  readonly keysBefore: number
  /** Credentials that no key in the file opens; empty if a running service has the store. */
  readonly unreadable: readonly string[]
}

const lookEveryMs = 250
/** How often to test whether the service has stopped. */
const takeEveryLooks = 20
const resealedAtOnce = 1_000

/** Throws a KeyRingError or a StoreError if nothing was rotated. */
export async function rotateKey(options: RotationOptions): Promise<Rotation> {
  const { directory, keyFile, takeStore, waitMs = 60_000 } = options
  const path = await keyFilePath(directory, keyFile)
  await using owned = await takeStore()
  if (owned !== null) return await rotateInStore(owned, path)
  // Finds anything wrong with the file before changing it.
  const before = await requireRing(path, new Set())
  await rotate(path)
  return await awaitService({ ...options, waitMs }, path, before.ids.length)
}

async function rotateInStore(store: SealedStore, path: string): Promise<Rotation> {
  const before = await requireRing(path, keysOf(await store.sealedValues()))
  const ring = await rotate(path)
  return await finishInStore(store, path, ring, before.ids.length)
}

async function requireRing(path: string, keysInUse: ReadonlySet<string>): Promise<KeyRing> {
  const ring = await openKeyRing(path, keysInUse)
  if (ring !== null) return ring
  throw new UsageError(`There is no key file ${path} yet; the service makes it for the first credential.`)
}

/** Rewraps everything with the current key of the ring, and removes the others. */
async function finishInStore(
  store: SealedStore,
  path: string,
  ring: KeyRing,
  keysBefore: number,
): Promise<Rotation> {
  const credentials = await store.sealedValues()
  const unreadable: string[] = []
  const values = credentials.flatMap(({ id, change, sealed }) => {
    const again = rewrap(ring, sealed)
    if (!(again instanceof Uint8Array)) unreadable.push(id)
    return again instanceof Uint8Array && again !== sealed ? [{ id, change, sealed: again }] : []
  })
  for (let from = 0; from < values.length; from += resealedAtOnce)
    await store.reseal(values.slice(from, from + resealedAtOnce))
  await dropOldKeys(path, neededOf(ring, keysOf(await store.sealedValues())))
  return { keyFile: path, currentKeyId: ring.currentId, oldKeysRemoved: true, keysBefore, unreadable }
}

/** The service notices the new key by itself. If it stops before it has confirmed, this process takes over. */
async function awaitService(
  { sealingRecord, takeStore, waitMs }: RotationOptions & { waitMs: number },
  path: string,
  keysBefore: number,
): Promise<Rotation> {
  const endMs = performance.now() + waitMs
  for (let looks = 1; ; looks++) {
    // Read again every time: another rotation may have added a newer key.
    const ring = await readKeyFile(path)
    const rotation = { keyFile: path, currentKeyId: ring.currentId, keysBefore, unreadable: [] }
    const record = readSealingRecord(sealingRecord)
    if (record !== null && isDone(record, ring)) {
      await dropOldKeys(path, neededOf(ring, new Set(record.keysInUse)))
      return { ...rotation, oldKeysRemoved: true }
    }
    if (performance.now() > endMs) return { ...rotation, oldKeysRemoved: false }
    await wait(lookEveryMs)
    if (looks % takeEveryLooks !== 0) continue
    await using store = await takeStore()
    if (store !== null) return await finishInStore(store, path, ring, keysBefore)
  }
}

/** The service seals with the current key, and no other key of the ring wraps a stored value. */
function isDone({ currentKeyId, keysInUse }: SealingRecord, ring: KeyRing): boolean {
  if (currentKeyId !== ring.currentId) return false
  return [...neededOf(ring, new Set(keysInUse))].every((id) => id === currentKeyId)
}

/** Excludes keys that are already lost: keeping the others does not bring them back. */
function neededOf(ring: KeyRing, keysInUse: ReadonlySet<string>): ReadonlySet<string> {
  return keysInUse.intersection(new Set(ring.ids))
}

function keysOf(credentials: readonly Resealed[]): Set<string> {
  return new Set(credentials.flatMap(({ sealed }) => wrappingKeyOf(sealed) ?? []))
}
