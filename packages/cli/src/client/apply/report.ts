// client/apply/report.ts: what became, or would become, of a collection, in words and as tables for people.
import type { v2 } from '@pulseward/client'
import { itemTable } from '../subjects/operation-blocks.ts'
import { type Block, note, table } from '../table/block.ts'
import { listed } from '../table/values.ts'

export function preflightBlocks(
  { valid, items = [], errors = [] }: v2.Preflight,
  itemCount: number,
): Block[] {
  return [
    ...(items.length === 0 ? [] : [itemTable(items)]),
    ...(errors.length === 0 ? [] : [errorTable(errors)]),
    note(
      valid
        ? `${validSummary(items, itemCount)}; nothing was changed.`
        : 'The collection is not valid; nothing was changed.',
    ),
  ]
}

/** The service names the first items of a large collection. */
function validSummary(items: readonly v2.ApplyResult[], itemCount: number): string {
  if (items.length >= itemCount) return summary(items)
  if (items.length === 0) return 'The collection is valid'
  return `The collection is valid; of the first ${items.length}: ${summary(items)}`
}

function errorTable(errors: readonly v2.FieldError[]): Block {
  return table<v2.FieldError>(
    [
      { title: 'FIELD', cell: ({ field }) => field, minimum: 12 },
      { title: 'WHAT IS WRONG', cell: ({ message }) => message, minimum: 20 },
    ],
    errors,
    { empty: '' },
  )
}

export function appliedBlocks(operation: v2.Operation): Block[] {
  const { id, state, items = [], reason, nextCursor } = operation
  const why = reason === undefined ? '' : `: ${reason}`
  const figures = items.length === operation.itemCount ? `; ${summary(items)}` : ''
  return [
    ...(items.length === 0 ? [] : [itemTable(items)]),
    ...(nextCursor === undefined
      ? []
      : [note(`There is more: pulseward get operation ${id} --cursor ${nextCursor}`)]),
    note(`Operation ${id} is ${state}${why}${figures}.`),
  ]
}

/** The service offers no operations: each resource was a write of its own. */
export function oneByOneBlocks(items: readonly v2.ApplyResult[]): Block[] {
  return [itemTable(items), note(`${summary(items)}; written one by one.`)]
}

/** `1 created, 3 unchanged`. */
function summary(items: readonly v2.ApplyResult[]): string {
  const counts = [...Map.groupBy(items, ({ outcome }) => outcome)]
  return listed(counts.map(([outcome, of]) => `${of.length} ${outcome}`)) ?? 'No item'
}
