// store/moving/move-store.ts: moves a store: copies it, compares every row, marks the source as moved, and only then puts
// the target in place. Wherever that ends, at most one of the two starts a service:
//
//   copied ─▶ compared ─▶ source marked ─▶ target in place
//      └─────────┴─▶ nothing has changed      │ └─▶ the answer was lost: the mark stays
//                                             └───▶ refused: the mark is taken back
//
// A process that is killed between the last two steps leaves a marked source, which may be moved to the same place again.
import { StoreError } from '../store.ts'
import { compareStores, type OnRows } from './compare-stores.ts'
import { type MoveSource, type MoveTarget, UnknownEnd } from './movable-store.ts'
import { type PartName, type PortableHead, partNames, parts, type RowOf } from './portable-rows.ts'

export interface MoveOptions {
  readonly now: number
  readonly signal: AbortSignal
  /** How far it is, by rows. */
  onProgress(step: 'copying' | 'comparing', done: number, total: number): void
}

export type RowCounts = Readonly<Record<PartName, number>>

/** Returns how many rows of each part there are. Rejects with a StoreError; then no row was moved. */
export async function moveStore(
  source: MoveSource,
  target: MoveTarget,
  { now, signal, onProgress }: MoveOptions,
): Promise<RowCounts> {
  const counts = await countRows(source)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const step = (name: 'copying' | 'comparing') => (rows: number) => {
    signal.throwIfAborted()
    onProgress(name, rows, total)
  }
  const head = await source.head()
  requireWhole(head, counts)
  let copied = 0
  for (const name of partNames)
    await copyPart(name, source, target, (rows) => {
      copied += rows
      step('copying')(copied)
    })
  await target.finish(head)
  const differences = await differencesOf(source, target, step('comparing'))
  if (differences.length > 0)
    throw new StoreError(
      'corrupt',
      `The copy is not the same as its source, so it was thrown away: ${differences.join(' ')} Report this with the versions of both stores.`,
    )
  await putInPlace(source, target, now)
  return counts
}

async function differencesOf(
  source: MoveSource,
  target: MoveTarget,
  onRows: OnRows,
): Promise<readonly string[]> {
  await using copy = target.readBack()
  return (await compareStores(source, copy, onRows)).differences
}

async function copyPart<Name extends PartName>(
  name: Name,
  source: MoveSource,
  target: MoveTarget,
  onRows: (rows: number) => void,
): Promise<void> {
  for await (const rows of source.rows(name) as AsyncIterable<readonly RowOf<Name>[]>) {
    await target.write(name, rows)
    onRows(rows.length)
  }
}

async function putInPlace(source: MoveSource, target: MoveTarget, now: number): Promise<void> {
  await source.markMoved({ to: target.place, at: now })
  try {
    await target.putInPlace()
  } catch (error) {
    if (!(error instanceof UnknownEnd)) await source.unmark()
    throw error
  }
}

async function countRows(source: MoveSource): Promise<RowCounts> {
  const counts: Partial<Record<PartName, number>> = {}
  for (const name of partNames) counts[name] = await source.count(name)
  return counts as RowCounts
}

/** Events have consecutive positions: a gap is a loss that rows themselves do not show. */
function requireWhole({ position, oldest }: PortableHead, { events }: RowCounts): void {
  const expected = position - oldest + 1
  if (events !== expected)
    throw new StoreError(
      'corrupt',
      `The source is damaged: it has ${events} ${parts.events.noun}s, and its head counts ${expected}; restore a backup.`,
    )
}
