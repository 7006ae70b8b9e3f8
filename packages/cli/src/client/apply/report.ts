// client/apply/report.ts: the outcome of applying a collection, real or predicted, as sentences and tables for people.
import type { v2 } from '@pulseward/client'
import { counted } from '@pulseward/server'
import { isRunning } from '../await-operation.ts'
import { lineOf } from '../files/mistake.ts'
import type { Session } from '../session.ts'
import { itemTable } from '../subjects/operation-blocks.ts'
import { type Block, note } from '../table/block.ts'
import { listed } from '../table/values.ts'
import type { Collection } from './collection.ts'

export function preflightBlocks({ items = [] }: v2.Preflight, itemCount: number): Block[] {
  return [
    ...(items.length === 0 ? [] : [itemTable(items)]),
    note(`${validSummary(items, itemCount)}; nothing was changed.`),
  ]
}

/** Prints what the service found wrong with a collection: on stderr by file and line, then in one sentence. */
export async function sayMistakes(
  session: Session,
  collection: Collection,
  { items = [], errors = [] }: v2.Preflight,
): Promise<void> {
  const named = items.filter(isRefused)
  const [whole] = errors.filter(({ field }) => field === '' || field === '/items')
  const places = errors.filter((error) => error !== whole)
  await sayItems(session, collection, named)
  if (named.length === 0)
    for (const { field, message } of places)
      session.point(lineOf({ file: field, line: null, field: '', message }))
  session.say(sentenceOf(whole?.message, named.length))
}

/** What is wrong with each of these items, by file and line where the service names a place in the resource. */
export async function sayItems(
  session: Session,
  collection: Collection,
  items: readonly v2.ApplyResult[],
): Promise<void> {
  const wrong = items.filter(isRefused)
  if (wrong.length === 0) return
  const found = await collection.locate(new Map(wrong.map(({ id, message = '' }) => [id, message])))
  for (const { id, message = `${id}: is wrong.` } of wrong)
    for (const line of found.get(id)?.map(lineOf) ?? [message]) session.point(line)
}

function isRefused({ outcome }: v2.ApplyResult): boolean {
  return outcome === 'failed' || outcome === 'conflict'
}

function sentenceOf(said: string | undefined, named: number): string {
  if (said?.includes('nothing was changed')) return said
  const count = named === 0 ? '' : `: ${counted(named, 'item')} ${named === 1 ? 'is' : 'are'} wrong`
  return `The collection is not valid${count}; nothing was changed.`
}

/** Of a large collection the service names only the first items. */
function validSummary(items: readonly v2.ApplyResult[], itemCount: number): string {
  if (items.length >= itemCount) return summary(items)
  if (items.length === 0) return 'The collection is valid'
  return `The collection is valid; of the first ${items.length}: ${summary(items)}`
}

export function appliedBlocks(operation: v2.Operation): Block[] {
  const { id, state, items = [], reason, nextCursor } = operation
  const why = reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`
  const figures =
    items.length === operation.itemCount
      ? `; ${summary(items)}`
      : `; ${operation.applied ?? 0} of ${counted(operation.itemCount ?? 0, 'item')} applied`
  return [
    ...(items.length === 0 ? [] : [itemTable(items)]),
    ...(nextCursor === undefined
      ? []
      : [note(`There is more: pulseward get operation ${id} --cursor ${nextCursor}`)]),
    note(`Operation ${id} is ${state}${why}${figures}.`),
    ...(isRunning(operation) ? [note(`pulseward wait operation ${id} waits for its end.`)] : []),
  ]
}

/** For a service without operations, where each resource was a separate write. */
export function oneByOneBlocks(items: readonly v2.ApplyResult[]): Block[] {
  return [itemTable(items), note(`${summary(items)}; written one by one.`)]
}

/** Such as `1 created, 3 unchanged`. */
function summary(items: readonly v2.ApplyResult[]): string {
  const counts = [...Map.groupBy(items, ({ outcome }) => outcome)]
  return listed(counts.map(([outcome, of]) => `${of.length} ${outcome}`)) ?? 'No item'
}
