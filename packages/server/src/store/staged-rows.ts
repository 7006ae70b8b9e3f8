// store/staged-rows.ts: staged items and plans as the texts that PostgreSQL keeps and that moves copy.
import type { PlannedItem, StagedItem, StagingHead } from './staging.ts'

/** Everything of the head but the number of the operation. */
export function headText({ store, itemCount, contentDigest, touchedAt }: StagingHead): string {
  return JSON.stringify({ store, itemCount, contentDigest, touchedAt })
}

export function headOf(number: number, body: string): StagingHead {
  return { number, ...(JSON.parse(body) as Omit<StagingHead, 'number'>) }
}

type ItemFields = Omit<StagedItem, 'ordinal' | 'sealed'>

/** Everything of the item but its place and its sealed value. */
export function itemText(item: ItemFields): string {
  const { itemId, kind, id, digest, source, expected, name, labels, spec, hasReferences } = item
  return JSON.stringify([itemId, kind, id, digest, source, expected, name, labels, spec, hasReferences])
}

export function itemOf(ordinal: number, body: string, sealed: Uint8Array | null): StagedItem {
  const [itemId, kind, id, digest, source, expected, name, labels, spec, hasReferences] = JSON.parse(body)
  return { ordinal, itemId, kind, id, digest, source, expected, name, labels, spec, hasReferences, sealed }
}

/** Everything of the plan but the place of its item. */
export function planText({ rank, seen, outcome }: PlannedItem): string {
  return JSON.stringify([rank, seen, outcome])
}

export function planOf(ordinal: number, body: string): PlannedItem {
  const [rank, seen, outcome] = JSON.parse(body)
  return { ordinal, rank, seen, outcome }
}
