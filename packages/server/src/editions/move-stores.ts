// editions/move-stores.ts: moves, compares and reclaims stores by their places, for commands. A place is a URL of PostgreSQL,
// a data directory, or sqlite: with a data directory. PostgreSQL is loaded only if one is named.
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../platform/usage-error.ts'
import { type Comparison, compareStores, type OnRows } from '../store/moving/compare-stores.ts'
import {
  type MoveSource,
  type MoveTarget,
  type ReadableStore,
  UnknownEnd,
} from '../store/moving/movable-store.ts'
import { type MoveOptions, moveStore, type RowCounts } from '../store/moving/move-store.ts'
import {
  openReadableSqlite,
  openSqliteSource,
  reclaimSqlite,
  SqliteTarget,
} from '../store/sqlite/moving/move-sqlite.ts'
import { StoreError } from '../store/store.ts'
import { movedError } from '../store/store-errors.ts'
import { keyConcern } from '../vault/key-concern.ts'
import { keyFilePath } from '../vault/key-file.ts'

export interface StorePlaces {
  readonly from: string
  readonly to: string
  /** For every PostgreSQL that is named. */
  readonly passwordFile: string | null
}

export interface MoveStoresOptions extends StorePlaces, MoveOptions {
  /** The data directory of the service on PostgreSQL; null if it is not known. */
  readonly data: string | null
  /** The setting credentials_key_file. */
  readonly keyFile: string | null
}

export interface MoveReport {
  readonly from: string
  readonly to: string
  readonly rows: RowCounts
  /** The data directory that the service goes on with; null if it is not known. */
  readonly directory: string | null
  /** What the service keeps beside the store, and that directory lacks. */
  readonly lacking: readonly string[]
  /** Why stored credentials cannot be opened there yet; null if they can. */
  readonly keyConcern: string | null
}

const besideTheStore = ['operator.token', 'sealing.json', 'status-incidents.json']

/** Rejects with a UsageError or a StoreError; then the source is as it was, unless the sentence says otherwise. */
export async function moveStores(options: MoveStoresOptions): Promise<MoveReport> {
  const { from, to, keyFile } = options
  if ((await placeOf(from)) === (await placeOf(to)))
    throw new UsageError('Both places are the same store; name another one with --to.')
  await using source = await openSource(from, options)
  await using target = await openTarget(to, options)
  if (source.moved !== null && source.moved.to !== target.place) throw movedError(source.moved)
  const directories = directoriesOf(options)
  const concern =
    directories.after === null
      ? null
      : await keyConcernAt(directories.after, keyFile, await source.sealedValues())
  try {
    const rows = await moveStore(source, target, options)
    const lacking =
      directories.after === null ? besideTheStore : lackingIn(directories.after, directories.before)
    return {
      from: source.place,
      to: target.place,
      rows,
      directory: directories.after,
      lacking,
      keyConcern: concern,
    }
  } catch (error) {
    throw error instanceof UnknownEnd ? unknownEnd(options, error) : error
  }
}

/** The differences say what the second store has instead. */
export async function compareStoresAt(
  { from, to, ...access }: StorePlaces,
  onRows: OnRows,
): Promise<Comparison & { readonly from: string; readonly to: string }> {
  if ((await placeOf(from)) === (await placeOf(to)))
    throw new UsageError('Both places are the same store; name another one with --to.')
  await using one = await openReadable(from, access)
  await using other = await openReadable(to, access)
  return { ...(await compareStores(one, other, onRows)), from: one.place, to: other.place }
}

/** Makes a store that was moved away usable again, as one that was restored. */
export async function reclaimStore(place: string, passwordFile: string | null, now: number): Promise<void> {
  if (!isUrl(place)) return reclaimSqlite(directoryOf(place), now)
  await (await postgres()).reclaimPostgres({ url: place, passwordFile }, now)
}

const postgres = () => import('../store/postgres/moving/move-postgres.ts')

type Access = Pick<StorePlaces, 'passwordFile'>

async function openSource(place: string, { passwordFile }: Access): Promise<MoveSource> {
  if (!isUrl(place)) return openSqliteSource(directoryOf(place))
  return await (await postgres()).openPostgresSource({ url: place, passwordFile })
}

async function openTarget(place: string, { passwordFile }: Access): Promise<MoveTarget> {
  if (!isUrl(place)) return new SqliteTarget(directoryOf(place))
  return await (await postgres()).openPostgresTarget({ url: place, passwordFile })
}

async function openReadable(place: string, { passwordFile }: Access): Promise<ReadableStore> {
  if (!isUrl(place)) return openReadableSqlite(directoryOf(place))
  return await (await postgres()).openReadablePostgres({ url: place, passwordFile })
}

async function placeOf(place: string): Promise<string> {
  return isUrl(place) ? (await postgres()).postgresPlaceOf(place) : resolve(directoryOf(place))
}

function isUrl(place: string): boolean {
  return /^postgres(ql)?:/.test(place)
}

/** The directory of a place that is not in PostgreSQL. */
function directoryOf(place: string): string {
  const directory = place.replace(/^sqlite:/, '')
  if (['', 'sqlite', 'memory'].includes(directory) || /^[a-z]{2,}:\/\//.test(directory))
    throw new UsageError(
      'A store is named by its data directory, such as sqlite:./pulseward-data, or by a URL such as postgres://USER@HOST/DATABASE.',
    )
  if (statSync(directory, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${directory} is a file; name the data directory.`)
  return directory
}

/** The data directories that the service has had, and goes on with. */
function directoriesOf({ from, to, data }: MoveStoresOptions): {
  readonly before: string | null
  readonly after: string | null
} {
  const before = isUrl(from) ? data : directoryOf(from)
  return { before, after: isUrl(to) ? (data ?? before) : directoryOf(to) }
}

function lackingIn(after: string, before: string | null): readonly string[] {
  if (before !== null && resolve(before) === resolve(after)) return []
  return besideTheStore.filter(
    (name) => !existsSync(join(after, name)) && (before === null || existsSync(join(before, name))),
  )
}

/** A key file that is there must have the keys; one that is missing can be brought later. */
async function keyConcernAt(
  directory: string,
  keyFile: string | null,
  sealed: readonly Uint8Array[],
): Promise<string | null> {
  const concern = await keyConcern(directory, keyFile, sealed)
  if (concern !== null && existsSync(await keyFilePath(directory, keyFile)))
    throw new UsageError(`${concern} Nothing was copied.`)
  return concern
}

function unknownEnd({ from, to }: StorePlaces, { cause }: UnknownEnd): StoreError {
  const why = cause instanceof Error ? cause.message : ''
  const verify = `pulseward store verify --from ${shown(from)} --to ${shown(to)}`
  return new StoreError(
    'io',
    `Everything was sent, but nobody knows whether it is in place: ${why} Run ${verify}. If there is no store in the second place, run the copy again.`,
    { cause },
  )
}

/** For a shell, without a password. */
function shown(place: string): string {
  return `'${place.replace(/^(postgres\w*:\/\/[^:@/]*):.*@/, '$1@')}'`
}
