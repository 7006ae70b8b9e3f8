// fleet/arrangement.ts: gives every monitor of a newly loaded fleet its slot. A monitor that was there before
// keeps its slot, and with it state and phase; the answer says exactly what was added, removed and changed.
// Proportional to the whole fleet, so a reload runs it away from the controller, which then applies only the
// differences.
import type { FleetDefinition, Shared } from '../config/fleet-file/definition.ts'
import { PackedReader, type PackedStrings, PackedWriter } from '../platform/packed-strings.ts'
import { indexRows } from '../platform/row-index.ts'
import { type FirstTags, firstTagsOf } from './first-tags.ts'

/** What of a monitor changed, as bits. */
export const changedParts = {
  /** check.type or check.config: what was known of its health is void. */
  check: 1,
  policy: 2,
  recovery: 4,
  notify: 8,
  maintenance: 16,
  dependencies: 32,
  /** Name, tags and labels: no new revision. */
  description: 64,
} as const

export interface Arrangement {
  /** Every column in the order of slots. */
  readonly definition: FleetDefinition
  /** Names in NFC and lower case, for searching. */
  readonly searchNames: PackedStrings
  readonly firstTags: FirstTags
  /** stableHash of each identity: the phase of a monitor comes from it. */
  readonly identityHashes: Uint32Array
  /** 1 for a slot that holds a monitor. */
  readonly present: Uint8Array
  readonly added: Uint32Array
  readonly removed: Uint32Array
  readonly changed: Uint32Array
  /** Bits of changedParts for each entry of changed. */
  readonly changedBits: Uint32Array
  readonly unchanged: number
}

export interface ArrangedBefore {
  readonly definition: FleetDefinition
  readonly present: Uint8Array
}

export function arrange(loaded: FleetDefinition, before: ArrangedBefore | null): Arrangement {
  if (before === null) return firstArrangement(loaded)
  const slots = assignSlots(loaded, before)
  const count = slots.slotOfRow.reduce(
    (highest, slot) => Math.max(highest, slot + 1),
    before.definition.count,
  )
  const present = new Uint8Array(new SharedArrayBuffer(count))
  for (const slot of slots.slotOfRow) present[slot] = 1
  const definition = reorder(loaded, slots.slotOfRow, count)
  const { changed, bits } = findChanges(before.definition, definition, slots.keptSlots)
  return {
    definition,
    searchNames: searchable(definition, present),
    firstTags: firstTagsOf(definition.tags.values),
    identityHashes: hashesOf(definition),
    present,
    added: Uint32Array.from(slots.added),
    removed: Uint32Array.from(slots.removed),
    changed: Uint32Array.from(changed),
    changedBits: Uint32Array.from(bits),
    unchanged: slots.keptSlots.length - changed.length,
  }
}

function firstArrangement(definition: FleetDefinition): Arrangement {
  const present = new Uint8Array(new SharedArrayBuffer(definition.count)).fill(1)
  return {
    definition,
    searchNames: searchable(definition, present),
    firstTags: firstTagsOf(definition.tags.values),
    identityHashes: hashesOf(definition),
    present,
    added: new Uint32Array(definition.count).map((_, slot) => slot),
    removed: new Uint32Array(0),
    changed: new Uint32Array(0),
    changedBits: new Uint32Array(0),
    unchanged: 0,
  }
}

function assignSlots(loaded: FleetDefinition, before: ArrangedBefore) {
  const ids = new PackedReader(loaded.ids)
  const rows = indexRows(ids, loaded.count)
  const slotOfRow = new Int32Array(loaded.count).fill(-1)
  const idsBefore = new PackedReader(before.definition.ids)
  const readRow = (row: number) => ids.get(row)
  const keptSlots: number[] = []
  const removed: number[] = []
  const free: number[] = []
  for (let slot = 0; slot < before.definition.count; slot++) {
    const row = before.present[slot] ? rows.find(idsBefore.get(slot), readRow) : -1
    if (row !== -1) {
      slotOfRow[row] = slot
      keptSlots.push(slot)
    } else if (before.present[slot]) removed.push(slot)
    else free.push(slot)
  }
  // A slot that becomes free now is not reused in the same breath: its last results may still be under way.
  free.reverse()
  let next = before.definition.count
  const added: number[] = []
  for (let row = 0; row < loaded.count; row++) {
    if (slotOfRow[row] !== -1) continue
    slotOfRow[row] = free.pop() ?? next++
    added.push(slotOfRow[row]!)
  }
  return { slotOfRow, keptSlots, added, removed }
}

function reorder(loaded: FleetDefinition, slotOfRow: Int32Array, count: number): FleetDefinition {
  const column = (rows: Uint32Array) => {
    const slots = new Uint32Array(new SharedArrayBuffer(count * 4))
    for (let row = 0; row < slotOfRow.length; row++) slots[slotOfRow[row]!] = rows[row]!
    return slots
  }
  const strings = ({ chunks, starts, lengths }: PackedStrings): PackedStrings => ({
    // An empty fleet has no chunk, but its empty slots still need one to point into.
    chunks: chunks.length > 0 ? chunks : [new SharedArrayBuffer(0)],
    starts: column(starts),
    lengths: column(lengths),
  })
  const shared = <Value>({ values, of }: Shared<Value>): Shared<Value> => ({ values, of: column(of) })
  return {
    ...loaded,
    count,
    ids: strings(loaded.ids),
    names: strings(loaded.names),
    configs: strings(loaded.configs),
    policies: shared(loaded.policies),
    recoveries: shared(loaded.recoveries),
    notifications: shared(loaded.notifications),
    maintenance: shared(loaded.maintenance),
    tags: shared(loaded.tags),
    labels: shared(loaded.labels),
    dependencies: shared(loaded.dependencies),
  }
}

function findChanges(before: FleetDefinition, after: FleetDefinition, slots: readonly number[]) {
  const sameName = sameStrings(before.names, after.names)
  const sameConfig = sameStrings(before.configs, after.configs)
  const sameType = sameShared(before.policies, after.policies, (policy) => policy.type)
  const sameIn = [
    [changedParts.policy, sameShared<unknown>(before.policies, after.policies, asJson)],
    [changedParts.recovery, sameShared<unknown>(before.recoveries, after.recoveries, asJson)],
    [changedParts.notify, sameShared<unknown>(before.notifications, after.notifications, asJson)],
    [changedParts.maintenance, sameShared<unknown>(before.maintenance, after.maintenance, asJson)],
    [changedParts.dependencies, sameShared<unknown>(before.dependencies, after.dependencies, asJson)],
    [changedParts.description, sameShared<unknown>(before.tags, after.tags, asJson)],
    [changedParts.description, sameShared<unknown>(before.labels, after.labels, asJson)],
    [changedParts.description, sameName],
  ] as const
  const changed: number[] = []
  const bits: number[] = []
  for (const slot of slots) {
    let parts = sameConfig(slot) && sameType(slot) ? 0 : changedParts.check
    for (const [part, same] of sameIn) if (!same(slot)) parts |= part
    if (parts === 0) continue
    changed.push(slot)
    bits.push(parts)
  }
  return { changed, bits }
}

const asJson = (value: unknown) => JSON.stringify(value)

function sameStrings(before: PackedStrings, after: PackedStrings): (slot: number) => boolean {
  const left = new PackedReader(before)
  const right = new PackedReader(after)
  return (slot) => left.equals(slot, right, slot)
}

/** Two tables number their values differently: translate once for each value, then compare numbers. */
function sameShared<Value>(
  before: Shared<Value>,
  after: Shared<Value>,
  keyOf: (value: Value) => string,
): (slot: number) => boolean {
  const numbers = new Map<string, number>()
  const numberOf = (value: Value) => {
    const key = keyOf(value)
    if (!numbers.has(key)) numbers.set(key, numbers.size)
    return numbers.get(key)!
  }
  const left = before.values.map(numberOf)
  const right = after.values.map(numberOf)
  return (slot) => left[before.of[slot]!] === right[after.of[slot]!]
}

function searchable(definition: FleetDefinition, present: Uint8Array): PackedStrings {
  const names = new PackedReader(definition.names)
  const writer = new PackedWriter()
  for (let slot = 0; slot < definition.count; slot++)
    writer.append(present[slot] ? searchForm(names.get(slot)) : '')
  return writer.finish()
}

function hashesOf(definition: FleetDefinition): Uint32Array {
  const ids = new PackedReader(definition.ids)
  const hashes = new Uint32Array(new SharedArrayBuffer(definition.count * 4))
  for (let slot = 0; slot < definition.count; slot++) hashes[slot] = ids.hash(slot)
  return hashes
}

const ascii = /^[\0-\x7f]*$/

/**
 * How names and search words are compared: NFC, lower case. A part of a name has the same form alone as inside it, so the
 * sigma at the end of a word is written like any other. NFC once more, since lower case may have a composed form where
 * upper case has none.
 */
export function searchForm(text: string): string {
  // Nearly all names; a fleet has a million.
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
}
