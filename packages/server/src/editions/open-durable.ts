// editions/open-durable.ts: the store of an edition that survives restarts, or on request one in memory that behaves
// the same. A store that cannot be read stops the start: never an empty one in its place, never a silent fall-back.
import { resolve } from 'node:path'
import type { Settings } from '../config/settings/setting-table.ts'
import { recentActionsMs } from '../engine/engine-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import { directoryConcerns } from '../store/data-directory.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { SqliteStore } from '../store/sqlite/sqlite-store.ts'
import { type Store, StoreError } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { OpenedStore } from './edition.ts'

export async function openDurable(settings: Settings, clock: Clock, log: Log): Promise<OpenedStore> {
  const now = () => clock.wallMs()
  if (settings.store === 'memory')
    return opened(new MemoryStore(now), settings, 'in memory; a restart forgets')
  const directory = resolve(settings.data)
  try {
    const store = await SqliteStore.open({ directory, now })
    for (const concern of directoryConcerns(directory)) log.warn(concern)
    return await opened(store, settings, directory)
  } catch (error) {
    if (error instanceof StoreError) throw new UsageError(`${directory}: ${error.message}`, { cause: error })
    throw error
  }
}

async function opened(store: Store, settings: Settings, place: string): Promise<OpenedStore> {
  try {
    return {
      store,
      place,
      committing: store,
      recovered: await store.recover(recentActionsMs(settings)),
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}
