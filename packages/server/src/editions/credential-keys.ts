// editions/credential-keys.ts: manages the keys of credentials in the store of a data directory, for
// commands. Works whether or not the service is running.
import { existsSync } from 'node:fs'
import type { Settings } from '../config/settings/setting-table.ts'
import { UsageError } from '../platform/usage-error.ts'
import { dataDirectory } from '../store/data-directory.ts'
import { sealedValuesIn } from '../store/sqlite/sealed-values.ts'
import { SqliteStore } from '../store/sqlite/sqlite-store.ts'
import { type Store, StoreError } from '../store/store.ts'
import { keyConcern } from '../vault/key-concern.ts'
import { type Rotation, type RotationOptions, rotateKey, type SealedStore } from '../vault/rotate-key.ts'
import { createKeyRing } from '../vault/rotation.ts'
import { postgresTools } from './open-durable.ts'

/** Throws a KeyRingError or a StoreError when nothing was rotated. */
export async function rotateCredentialsKey(
  options: Pick<RotationOptions, 'directory' | 'keyFile' | 'waitMs'> & StoreSettings,
): Promise<Rotation> {
  const { directory, store = 'sqlite', store_password_file: passwordFile = null } = options
  const { database, sealing, staging } = dataDirectory(directory)
  if (store !== 'sqlite') {
    const { openPostgresStore } = await postgresTools()
    const open = async () =>
      (await openPostgresStore({ url: store, passwordFile, staging, now: Date.now })).store
    return await rotateKey({ ...options, sealingRecord: sealing, takeStore: () => takeStore(open) })
  }
  if (!existsSync(database)) throw new UsageError(`There is no store in ${directory}.`)
  const open = () => SqliteStore.open({ directory, now: Date.now })
  return await rotateKey({ ...options, sealingRecord: sealing, takeStore: () => takeStore(open) })
}

/** Makes the first key before there is a credential, for machines that must have the same one. Throws a KeyRingError. */
export async function createCredentialsKey(path: string): Promise<void> {
  if (existsSync(path)) throw new UsageError(`${path} is there already; nothing was changed.`)
  await createKeyRing(path)
}

/** An embedded store if absent. */
type StoreSettings = Partial<Pick<Settings, 'store' | 'store_password_file'>>

/** What is wrong with the key file for the credentials in the store, and what to do; null if it opens all of them. */
export async function keyConcernIn(directory: string, configured: string | null): Promise<string | null> {
  return await keyConcern(directory, configured, sealedValuesIn(dataDirectory(directory).database))
}

/** Opens the store; null if another process has it. */
async function takeStore(open: () => Promise<Store>): Promise<SealedStore | null> {
  try {
    const store = await open()
    return {
      async sealedValues() {
        const { resources } = await store.recover(0)
        return resources.flatMap(({ id, change, sealed }) =>
          sealed === null ? [] : [{ id, change, sealed }],
        )
      },
      reseal: (values) => store.reseal(values),
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'locked') return null
    throw error
  }
}
