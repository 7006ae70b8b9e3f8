// client/subjects/operation-blocks.ts: an operation and the outcomes of its items, for people.
import type { v2 } from '@pulseward/client'
import { type Block, type Column, facts, note, table } from '../table/block.ts'
import { moment } from '../table/values.ts'

const itemColumns: readonly Column<v2.ApplyResult>[] = [
  { title: 'ITEM', cell: ({ id }) => id, minimum: 14 },
  { title: 'OUTCOME', cell: ({ outcome }) => outcome, state: true },
  { title: 'FROM', cell: ({ oldVersion }) => oldVersion, dispensable: 3 },
  { title: 'TO', cell: ({ newVersion }) => newVersion, dispensable: 2 },
  { title: 'MESSAGE', cell: ({ message }) => message, minimum: 12, dispensable: 1 },
]

export function operationBlocks(operation: v2.Operation): Block[] {
  const { items = [], nextCursor } = operation
  return [
    facts([
      ['Operation', operation.id],
      ['State', operation.state],
      ...(operation.verb === undefined ? [] : [['Does', operation.verb] as const]),
      ['By', operation.actor],
      ['Created', moment(operation.createdAt)],
      ['Updated', moment(operation.updatedAt)],
      ['Why', operation.reason],
      ['Items', operation.itemCount],
      ['Uploaded', operation.uploaded],
      ['Committed', operation.committed],
      ['Applied', operation.applied],
    ]),
    ...(items.length === 0 ? [] : [itemTable(items)]),
    ...(nextCursor === undefined ? [] : [note(`There is more: --cursor ${nextCursor}`)]),
  ]
}

export function itemTable(items: readonly v2.ApplyResult[]): Block {
  return table(itemColumns, items, { empty: 'There are no items.' })
}
