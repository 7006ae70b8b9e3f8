// store/postgres/take-over.ts: how a run gets the store. There is always one run that has it or had it last; a new one
// fences it, in one function call that fails if somebody else was faster or the old run has committed since it was seen.
import { setTimeout as pause } from 'node:timers/promises'
import { raisedEpoch, type StoreRestore } from '../epoch.ts'
import type { Moved } from '../moving/movable-store.ts'
import { StoreError } from '../store.ts'
import { movedError } from '../store-errors.ts'
import type { PostgresConnection } from './connection.ts'
import { placeQuery } from './format.ts'
import { sqlStateOf } from './postgres-errors.ts'
import { stopwatch } from './stopwatch.ts'

/** The run that has the store, or had it last, as it was seen. */
export interface Owner {
  readonly run: string
  readonly batch: number
  /** It stopped by itself. */
  readonly ended: boolean
}

interface Versions {
  readonly epoch: number
  readonly restores: string
}

interface Head extends Versions {
  readonly place: string
  readonly committedAt: number | null
}

/** A run that lives commits at least once per second. */
export const silentMs = 5_000
export const lookEveryMs = 250
const lockNotAvailable = '55P03'
/** Longer than the server waits for a lock. Without an answer, the next look tells whether the run has the store. */
const withinMs = 8_000

/** Rejects with `locked` if another process has the store, and with `moved` if it goes on elsewhere. */
export async function takeOverAtOnce(
  connection: PostgresConnection,
  run: string,
  now: number,
): Promise<void> {
  const before = await quietOwner(connection)
  if (!(await takeOver(connection, run, before, now))) throw alreadyOwned()
}

/** Waits until the run that has the store has not committed for long enough; rejects with `locked` if it does. */
export async function quietOwner(connection: PostgresConnection): Promise<Owner> {
  const first = await ownerOf(connection)
  const forMs = stopwatch()
  for (let owner = first; !owner.ended && forMs() < silentMs; ) {
    await pause(lookEveryMs)
    owner = await ownerOf(connection)
    if (owner.run !== first.run || owner.batch !== first.batch) throw alreadyOwned()
    if (owner.ended) return owner
  }
  return first
}

/**
 * False if another run was faster, if the old one has committed meanwhile, or if something holds its row. Rejects with
 * `moved` if the store goes on elsewhere.
 */
export async function takeOver(
  connection: PostgresConnection,
  run: string,
  before: Owner,
  now: number,
): Promise<boolean> {
  const moved = await movedOf(connection)
  if (moved !== null) throw movedError(moved)
  const [head] = await connection.query<Head & Record<string, unknown>>(
    'SELECT place, epoch, restores, committed_at AS "committedAt" FROM head',
    [],
    { withinMs },
  )
  const [present] = await connection.query<{ place: string }>(placeQuery, [], { withinMs })
  const isCopy = head!.place !== present!.place
  const restored = isCopy ? await restoredHead(connection) : head!
  try {
    const [answer] = await connection.query<{ taken: boolean }>(
      'SELECT take_over($1, $2, $3, $4, $5, $6, $7) AS taken',
      [
        ...[run, before.run, before.batch, present!.place, restored.epoch, restored.restores],
        isCopy && head!.committedAt !== null ? now : null,
      ],
      { withinMs },
    )
    return answer!.taken
  } catch (error) {
    if (sqlStateOf(error) !== lockNotAvailable) throw error
    await endSessionsOf(connection, before.run)
    return false
  }
}

/** A statement of it that was cut off half-way keeps its row locked until its session ends. */
async function endSessionsOf(connection: PostgresConnection, run: string): Promise<void> {
  await connection.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = $1 AND usename = current_user AND pid <> pg_backend_pid()`,
    [writerName(run)],
  )
}

/** The name of the session by which a run writes. */
export function writerName(run: string): string {
  return `pulseward ${run}`
}

export async function ownerOf(connection: PostgresConnection, withinMs?: number): Promise<Owner> {
  const [owner] = await connection.query<Owner & Record<string, unknown>>(
    'SELECT run.run, run.batch, run.ended FROM head JOIN run ON run.run = head.run',
    [],
    withinMs === undefined ? {} : { withinMs },
  )
  if (owner === undefined)
    throw new StoreError('corrupt', 'The store names no run that has it; restore a dump.')
  return owner
}

/** Versions from before a restore never match what is written after it; operation names differ by epoch too. */
export async function restoredHead(connection: PostgresConnection): Promise<Versions> {
  const [head] = (await connection.query<{ epoch: number; restores: string; last: number }>(
    `SELECT epoch, restores,
       greatest((SELECT coalesce(max(id), 0) FROM operation), (SELECT coalesce(max(id), 0) FROM bulk)) AS last
     FROM head`,
  )) as [{ epoch: number; restores: string; last: number }]
  const epoch = raisedEpoch(head.epoch)
  const restores: StoreRestore[] = [...JSON.parse(head.restores), { epoch, lastOperation: head.last }]
  return { epoch, restores: JSON.stringify(restores) }
}

/** Null if the store is where it was made. */
export async function movedOf(connection: PostgresConnection): Promise<Moved | null> {
  const [moved] = await connection.query<{ to: string; at: number }>(
    'SELECT moved_to AS to, moved_at AS at FROM head WHERE moved_to IS NOT NULL',
  )
  return moved ?? null
}

export function alreadyOwned(): StoreError {
  return new StoreError('locked', 'Another process has this store, and commits to it; stop it first.')
}
