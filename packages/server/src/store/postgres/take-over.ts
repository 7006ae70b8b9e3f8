// store/postgres/take-over.ts: how a run gets the store. There is always one run that has it or had it last; a new one
// fences it, in one function call that fails if somebody else was faster or the old run still commits. A run that did not
// end by itself is watched first: one that lives commits at least once per second. Clocks are only used to wait.
import { setTimeout as pause } from 'node:timers/promises'
import { raisedEpoch, type StoreRestore } from '../epoch.ts'
import type { Moved } from '../moving/movable-store.ts'
import { StoreError } from '../store.ts'
import { movedError } from '../store-errors.ts'
import type { PostgresConnection } from './connection.ts'
import { placeQuery } from './format.ts'

const watchedMs = 5_000
const lookEveryMs = 250

interface Owner {
  readonly run: string
  readonly batch: number
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

/** Rejects with `locked` if another process has the store, and with `moved` if it goes on elsewhere. */
export async function takeOver(connection: PostgresConnection, run: string, now: number): Promise<void> {
  const moved = await movedOf(connection)
  if (moved !== null) throw movedError(moved)
  const before = await quietOwner(connection)
  const [head] = await connection.query<Head & Record<string, unknown>>(
    'SELECT place, epoch, restores, committed_at AS "committedAt" FROM head',
  )
  const [present] = await connection.query<{ place: string }>(placeQuery)
  const isCopy = head!.place !== present!.place
  const restored = isCopy ? await restoredHead(connection) : head!
  const [{ taken }] = (await connection.query<{ taken: boolean }>(
    'SELECT take_over($1, $2, $3, $4, $5, $6, $7) AS taken',
    [
      ...[run, before.run, before.batch, present!.place, restored.epoch, restored.restores],
      isCopy && head!.committedAt !== null ? now : null,
    ],
  )) as [{ taken: boolean }]
  if (!taken) throw alreadyOwned()
}

/** Waits until the run that has the store has not committed for long enough. */
export async function quietOwner(connection: PostgresConnection): Promise<Owner> {
  const first = await ownerOf(connection)
  if (first.ended) return first
  const began = performance.now()
  while (performance.now() - began < watchedMs) {
    await pause(lookEveryMs)
    const later = await ownerOf(connection)
    if (later.run !== first.run || later.batch !== first.batch) throw alreadyOwned()
    if (later.ended) return later
  }
  return first
}

async function ownerOf(connection: PostgresConnection): Promise<Owner> {
  const [owner] = await connection.query<Owner & Record<string, unknown>>(
    'SELECT run.run, run.batch, run.ended FROM head JOIN run ON run.run = head.run',
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
