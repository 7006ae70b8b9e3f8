// editions/open-durable.ts: opens the store that the settings name. A store that cannot be read stops the start. It is
// never replaced by an empty one or silently by another kind. PostgreSQL is loaded only if it is named.
import { resolve } from 'node:path'
import type { Settings } from '../config/settings/setting-table.ts'
import { recentActionsMs } from '../engine/engine-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import { dataDirectory, directoryConcerns, makeDirectory } from '../store/data-directory.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { SqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Standing } from '../store/standing.ts'
import { type Store, StoreError } from '../store/store.ts'
import { withStoreErrors } from '../store/store-errors.ts'
import type { Log } from '../telemetry/log.ts'
import type { OpenedStore } from './edition.ts'

interface Placed {
  readonly store: Store
  readonly place: string
}

export function durableDirectory({ store, data }: Settings): string | null {
  return store === 'memory' ? null : resolve(data)
}

export async function openDurable(
  settings: Settings,
  clock: Clock,
  log: Log,
  { servesResources, standing }: { readonly servesResources: boolean; readonly standing: Standing | null },
): Promise<OpenedStore> {
  const now = () => clock.wallMs()
  const directory = durableDirectory(settings)
  if (directory === null)
    return opened({ store: new MemoryStore(now), place: 'in memory; a restart forgets' }, settings)
  const open = settings.store === 'sqlite' ? openSqlite : openPostgres
  try {
    const placed = await open(settings, { directory, now, servesResources, standing }, log)
    for (const concern of directoryConcerns(directory)) log.warn(concern)
    return await opened(placed, settings)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const sentence = `${settings.store === 'sqlite' ? directory : 'The store in PostgreSQL'}: ${error.message}`
    // Whoever starts services starts this one again until its store is there; a mistake would be made again.
    if (error.isAway) throw new StoreError(error.problem, sentence, { cause: error, isAway: true })
    throw new UsageError(sentence, { cause: error })
  }
}

/** PostgreSQL, for commands. */
export const postgresTools = () => import('../store/postgres/open-store.ts')

/** Moving stores, for commands. */
export const movingTools = () => import('./move-stores.ts')

interface OpenOptions {
  readonly directory: string
  readonly now: () => number
  readonly servesResources: boolean
  readonly standing: Standing | null
}

async function openSqlite(_settings: Settings, { standing: _, ...options }: OpenOptions): Promise<Placed> {
  return { store: await SqliteStore.open(options), place: options.directory }
}

async function openPostgres(settings: Settings, options: OpenOptions, log: Log): Promise<Placed> {
  const { directory, standing, ...rest } = options
  const { openPostgresStore } = await postgresTools()
  withStoreErrors(() => makeDirectory(directory))
  const { store, place, concerns } = await openPostgresStore({
    ...rest,
    ...(standing === null ? {} : { standing }),
    url: settings.store,
    passwordFile: settings.store_password_file,
    staging: dataDirectory(directory).staging,
  })
  for (const concern of concerns) log.warn(concern)
  return { store, place: `${place}, and ${directory}` }
}

async function opened({ store, place }: Placed, settings: Settings): Promise<OpenedStore> {
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
