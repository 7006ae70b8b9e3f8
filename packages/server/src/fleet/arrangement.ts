// fleet/arrangement.ts: assigns a row to every monitor of a newly loaded fleet. A known monitor keeps its row, and with
// it state and phase; the result says exactly what was added, removed and changed. Takes time proportional to the whole
// fleet, so a reload runs it outside the controller's thread, which then applies only the differences.
import { type FleetDefinition, type Shared, sharedValue } from '../config/fleet-file/definition.ts'
import { newColumn, put } from '../platform/column.ts'
import { PackedReader, type PackedStrings, PackedWriter } from '../platform/packed-strings.ts'
import { indexRows, RowIndex, type RowTable } from '../platform/row-index.ts'
import { type FirstTags, firstTagsOf } from './first-tags.ts'
import { type ChangeReport, type FleetChange, headOf, pickMonitors } from './fleet-change.ts'

/** Which parts of a monitor changed, as bits. */
export const changedParts = {
  /** check.type or check.config: its known health becomes void. */
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
  /** Every row may mean another monitor; otherwise only the rows listed below differ from before. */
  readonly isWhole: boolean
  /** Every column in row order. */
  readonly definition: FleetDefinition
  /** Names in NFC and lower case, for searching. */
  readonly searchNames: PackedStrings
  readonly firstTags: FirstTags
  /** From identities to rows. */
  readonly rowTable: RowTable
  /** 1 for a row that holds a monitor. */
  readonly present: Uint8Array
  readonly added: Uint32Array
  readonly removed: Uint32Array
  readonly changed: Uint32Array
  /** Bits of changedParts for each entry of `changed`. */
  readonly changedBits: Uint32Array
  readonly unchanged: number
}

/** A definition, its rows, and what is derived from them alone. */
export type ArrangedParts = Pick<
  Arrangement,
  'definition' | 'present' | 'searchNames' | 'firstTags' | 'rowTable'
>

export type ArrangedBefore = Pick<Arrangement, 'definition' | 'present'>

/** The differences of an arrangement from the previous one, as a change to that one. */
export function changeTo(
  { definition, added, changed, removed }: Arrangement,
  before: ArrangedBefore,
): FleetChange {
  const ids = new PackedReader(before.definition.ids)
  return {
    entries: pickMonitors(definition, Uint32Array.from([...added, ...changed])),
    removed: Array.from(removed, (row) => ids.get(row)),
    head: headOf(definition),
  }
}

/** Rows that were added, removed or changed. */
export function amendedRows({ added, removed, changed }: Arrangement): Uint32Array {
  return Uint32Array.from([...added, ...removed, ...changed])
}

export function reportOf({ added, removed, changed, unchanged }: Arrangement): ChangeReport {
  return { added: added.length, removed: removed.length, changed: changed.length, unchanged }
}

export function arrange(loaded: FleetDefinition, before: ArrangedBefore | null): Arrangement {
  if (before === null) return firstArrangement(loaded)
  const rows = assignRows(loaded, before)
  const count = rows.rowOfEntry.reduce((highest, row) => Math.max(highest, row + 1), before.definition.count)
  const present = newColumn(Uint8Array, count)
  for (const row of rows.rowOfEntry) present[row] = 1
  const definition = reorder(loaded, rows.rowOfEntry, count)
  const { changed, bits } = findChanges(before.definition, definition, rows.keptRows)
  return {
    isWhole: true,
    ...arranged(definition, present),
    added: Uint32Array.from(rows.added),
    removed: Uint32Array.from(rows.removed),
    changed: Uint32Array.from(changed),
    changedBits: Uint32Array.from(bits),
    unchanged: rows.keptRows.length - changed.length,
  }
}

function firstArrangement(definition: FleetDefinition): Arrangement {
  return firstOf(arranged(definition, newColumn(Uint8Array, definition.count).fill(1)))
}

/** A fleet with a monitor in every row, and no fleet before it. */
export function firstOf(parts: ArrangedParts): Arrangement {
  return {
    isWhole: true,
    ...parts,
    added: new Uint32Array(parts.definition.count).map((_, row) => row),
    removed: new Uint32Array(0),
    changed: new Uint32Array(0),
    changedBits: new Uint32Array(0),
    unchanged: 0,
  }
}

function arranged(definition: FleetDefinition, present: Uint8Array): ArrangedParts {
  const ids = new PackedReader(definition.ids)
  const index = new RowIndex(definition.count)
  for (let row = 0; row < definition.count; row++)
    if (present[row] === 1) index.addDistinct(ids.hash(row), row)
  return {
    definition,
    present,
    searchNames: searchable(definition, present),
    firstTags: firstTagsOf(definition.tags.values),
    rowTable: index.table,
  }
}

function assignRows(loaded: FleetDefinition, before: ArrangedBefore) {
  const ids = new PackedReader(loaded.ids)
  const entries = indexRows(ids, loaded.count)
  const rowOfEntry = new Int32Array(loaded.count).fill(-1)
  const idsBefore = new PackedReader(before.definition.ids)
  const keptRows: number[] = []
  const removed: number[] = []
  const free: number[] = []
  for (let row = 0; row < before.definition.count; row++) {
    // Files do not define monitors created through v2, so a reload does not remove them.
    if (before.present[row] && sharedValue(before.definition.sources, row) === null) continue
    const entry = before.present[row] ? entries.find(idsBefore.get(row), ids) : -1
    if (entry !== -1) {
      rowOfEntry[entry] = row
      keptRows.push(row)
    } else if (before.present[row]) removed.push(row)
    else free.push(row)
  }
  // A row freed now is not reused in the same reload: its last results may still be in flight.
  free.reverse()
  let next = before.definition.count
  const added: number[] = []
  for (let entry = 0; entry < loaded.count; entry++) {
    if (rowOfEntry[entry] !== -1) continue
    rowOfEntry[entry] = free.pop() ?? next++
    added.push(rowOfEntry[entry]!)
  }
  return { rowOfEntry, keptRows, added, removed }
}

function reorder(loaded: FleetDefinition, rowOfEntry: Int32Array, count: number): FleetDefinition {
  const column = (entries: Uint32Array) => {
    const rows = newColumn(Uint32Array, count)
    for (let entry = 0; entry < rowOfEntry.length; entry++) put(rows, rowOfEntry[entry]!, entries[entry]!)
    return rows
  }
  const strings = ({ chunks, starts }: PackedStrings): PackedStrings => ({ chunks, starts: column(starts) })
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
    credentials: shared(loaded.credentials),
    sources: shared(loaded.sources),
  }
}

function findChanges(before: FleetDefinition, after: FleetDefinition, rows: readonly number[]) {
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
  for (const row of rows) {
    let parts = sameConfig(row) && sameType(row) ? 0 : changedParts.check
    for (const [part, same] of sameIn) if (!same(row)) parts |= part
    if (parts === 0) continue
    changed.push(row)
    bits.push(parts)
  }
  return { changed, bits }
}

const asJson = (value: unknown) => JSON.stringify(value)

function sameStrings(before: PackedStrings, after: PackedStrings): (row: number) => boolean {
  const left = new PackedReader(before)
  const right = new PackedReader(after)
  return (row) => left.equals(row, right, row)
}

/** Two tables number their values differently: translate once per value, then compare numbers. */
function sameShared<Value>(
  before: Shared<Value>,
  after: Shared<Value>,
  keyOf: (value: Value) => string,
): (row: number) => boolean {
  const numbers = new Map<string, number>()
  const numberOf = (value: Value) => {
    const key = keyOf(value)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const left = before.values.map(numberOf)
  const right = after.values.map(numberOf)
  return (row) => left[before.of[row]!] === right[after.of[row]!]
}

function searchable(definition: FleetDefinition, present: Uint8Array): PackedStrings {
  const names = new PackedReader(definition.names)
  const writer = new PackedWriter()
  for (let row = 0; row < definition.count; row++)
    writer.append(present[row] ? searchForm(names.get(row)) : '')
  return writer.finish()
}

const ascii = /^[\0-\x7f]*$/

/**
 * The form in which names and search words are compared: NFC, lower case. A part of a name must have the same
 * form alone as inside the name, so a final sigma is written like any other. NFC again at the end, since
 * lower case may have a composed form where upper case has none.
 */
export function searchForm(text: string): string {
  // Nearly all names are ASCII, and a fleet has a million.
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ')
}
