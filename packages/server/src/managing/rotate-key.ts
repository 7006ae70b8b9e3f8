// managing/rotate-key.ts: gives the credentials of a data directory a new key: puts it on top of the key file, has every
// value rewrapped by it, and removes the old keys when nothing stored needs them. A running service rewraps by itself
// and says so in the data directory; where none runs, the store is taken and rewrapped here. Killed between any two
// steps, the file holds every key that a stored value needs, and the next rotation removes what is left over.
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '../platform/usage-error.ts'
import { dataDirectory } from '../store/data-directory.ts'
import type { StoredResource } from '../store/resource.ts'
import { SqliteStore } from '../store/sqlite/sqlite-store.ts'
import { StoreError } from '../store/store.ts'
import { rewrap, wrappingKeyOf } from '../vault/envelope.ts'
import { keyFilePath, openKeyRing, readKeyFile } from '../vault/key-file.ts'
import type { KeyRing } from '../vault/key-ring.ts'
import { dropOldKeys, rotate } from '../vault/rotation.ts'
import { readSealingRecord, type SealingRecord } from './sealing-record.ts'

export interface RotationOptions {
  readonly directory: string
  /** The setting credentials_key_file. */
  readonly keyFile: string | null
  /** How long a running service may take. */
  readonly waitMs?: number
}

export interface Rotation {
  readonly keyFile: string
  readonly currentKeyId: string
  /** False when the service did not say in time that nothing needs the old keys: then they are all still there. */
  readonly oldKeysRemoved: boolean
  /** Keys in the file before. */
  readonly keysBefore: number
  /** Credentials that no key in the file opens; empty where a running service knows that. */
  readonly unreadable: readonly string[]
}

const lookEveryMs = 250
/** How often it is tried whether the service has stopped. */
const takeEveryLooks = 20
const resealedAtOnce = 1_000

/** Throws a KeyRingError or a StoreError when nothing was rotated. */
export async function rotateCredentialsKey(options: RotationOptions): Promise<Rotation> {
  const { directory, keyFile, waitMs = 60_000 } = options
  if (!existsSync(dataDirectory(directory).database))
    throw new UsageError(`There is no store in ${directory}.`)
  const path = await keyFilePath(directory, keyFile)
  await using owned = await takeStore(directory)
  if (owned !== null) return await rotateInStore(owned, path)
  // Whatever is wrong with the file is found out before it is changed.
  const before = await requireRing(path, new Set())
  await rotate(path)
  return await awaitService({ ...options, waitMs }, path, before.ids.length)
}

/** The store, when no process has it. */
async function takeStore(directory: string): Promise<SqliteStore | null> {
  try {
    return await SqliteStore.open({ directory, now: Date.now })
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'locked') return null
    throw error
  }
}

async function rotateInStore(store: SqliteStore, path: string): Promise<Rotation> {
  const before = await requireRing(path, keysOf(await credentialsIn(store)))
  const ring = await rotate(path)
  return await finishInStore(store, path, ring, before.ids.length)
}

async function requireRing(path: string, keysInUse: ReadonlySet<string>): Promise<KeyRing> {
  const ring = await openKeyRing(path, keysInUse)
  if (ring !== null) return ring
  throw new UsageError(`There is no key file ${path} yet; the service makes it for the first credential.`)
}

/** Rewraps everything by the current key of the ring, and removes the others. */
async function finishInStore(
  store: SqliteStore,
  path: string,
  ring: KeyRing,
  keysBefore: number,
): Promise<Rotation> {
  const credentials = await credentialsIn(store)
  const unreadable: string[] = []
  const values = credentials.flatMap(({ id, change, sealed }) => {
    const again = rewrap(ring, sealed)
    if (!(again instanceof Uint8Array)) unreadable.push(id)
    return again instanceof Uint8Array && again !== sealed ? [{ id, change, sealed: again }] : []
  })
  for (let from = 0; from < values.length; from += resealedAtOnce)
    await store.reseal(values.slice(from, from + resealedAtOnce))
  await dropOldKeys(path, neededOf(ring, keysOf(await credentialsIn(store))))
  return { keyFile: path, currentKeyId: ring.currentId, oldKeysRemoved: true, keysBefore, unreadable }
}

/** The service notices the new key by itself. If it stops before it has said anything, this goes on in its place. */
async function awaitService(
  { directory, waitMs }: RotationOptions & { waitMs: number },
  path: string,
  keysBefore: number,
): Promise<Rotation> {
  const { sealing } = dataDirectory(directory)
  const endMs = performance.now() + waitMs
  for (let looks = 1; ; looks++) {
    // Read again every time: another rotation may have put a key above this one's.
    const { ring } = await readKeyFile(path)
    const rotation = { keyFile: path, currentKeyId: ring.currentId, keysBefore, unreadable: [] }
    const record = readSealingRecord(sealing)
    if (record !== null && isDone(record, ring)) {
      await dropOldKeys(path, neededOf(ring, new Set(record.keysInUse)))
      return { ...rotation, oldKeysRemoved: true }
    }
    if (performance.now() > endMs) return { ...rotation, oldKeysRemoved: false }
    await wait(lookEveryMs)
    if (looks % takeEveryLooks !== 0) continue
    await using store = await takeStore(directory)
    if (store !== null) return await finishInStore(store, path, ring, keysBefore)
  }
}

/** The service seals with the current key, and no other key of the ring wraps anything that is stored. */
function isDone({ currentKeyId, keysInUse }: SealingRecord, ring: KeyRing): boolean {
  if (currentKeyId !== ring.currentId) return false
  return [...neededOf(ring, new Set(keysInUse))].every((id) => id === currentKeyId)
}

/** Keys that are lost already cannot be kept by not removing others. */
function neededOf(ring: KeyRing, keysInUse: ReadonlySet<string>): ReadonlySet<string> {
  return keysInUse.intersection(new Set(ring.ids))
}

type Sealed = Pick<StoredResource, 'id' | 'change'> & { readonly sealed: Uint8Array }

async function credentialsIn(store: SqliteStore): Promise<Sealed[]> {
  const { resources } = await store.recover(0)
  return resources.flatMap(({ id, change, sealed }) => (sealed === null ? [] : [{ id, change, sealed }]))
}

function keysOf(credentials: readonly Sealed[]): Set<string> {
  return new Set(credentials.flatMap(({ sealed }) => wrappingKeyOf(sealed) ?? []))
}
