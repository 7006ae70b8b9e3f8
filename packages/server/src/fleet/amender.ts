// fleet/amender.ts: changes single monitors of a running fleet. The cost is proportional to the change, never
// to the fleet: texts are appended, rows are written in place, and shared values are looked up. All columns
// are in shared memory, so other threads see a change at once; they must be told about what they keep
// themselves (values that monitors share, the order of the list).
import type { FleetDefinition, Shared } from '../config/fleet-file/definition.ts'
import { grown } from '../platform/column.ts'
import { PackedReader, type PackedStrings, PackedWriter } from '../platform/packed-strings.ts'
import { RowIndex } from '../platform/row-index.ts'
import { AmendedMonitor } from './amended-monitor.ts'
import { type Arrangement, changedParts, searchForm } from './arrangement.ts'
import { CredentialUsers } from './credential-users.ts'
import { FirstTagNumbers } from './first-tags.ts'
import type { FleetChange, FleetHead } from './fleet-change.ts'
import { type SharedPart, SharedValues, sharedPartNames, sharedParts } from './shared-values.ts'

/** A freed row, and when it was freed: answers that name it may still be on their way. */
interface FreedRow {
  readonly row: number
  readonly atMs: number
}

const reusedAfterMs = 60_000

const rowsAddedAtLeast = 64

const none = new Uint32Array(0)
const nothingChanged = { added: none, removed: none, changed: none, changedBits: none }

const textNames = ['ids', 'names', 'configs', 'searchNames'] as const
type TextName = (typeof textNames)[number]

type Texts = Readonly<Record<TextName, PackedWriter>>

/** Some of the texts of a fleet. */
export type PackedTexts = Readonly<Partial<Record<TextName, PackedStrings>>>

/** When texts are repacked. */
export interface CompactionBounds {
  readonly deadShare: number
  /** Less is not worth a thread. */
  readonly deadBytes: number
}

/** What else decides when a row may be reused. */
export interface RowUse {
  /** Whether no check of the row's last monitor is in flight. */
  readonly isIdle: (row: number) => boolean
  readonly nowMs: number
}

export class Amender {
  readonly #index: RowIndex
  #texts: Texts
  /** Rows written since repacking began; null if texts are not being repacked. */
  #rewritten: Set<number> | null = null
  readonly #shared: Readonly<Record<SharedPart, SharedValues>>
  readonly #firstTags = new FirstTagNumbers()
  readonly #freed: FreedRow[] = []
  /** Rows without a monitor, and the number from which rows were never used. */
  readonly #free: number[] = []
  #untouchedFrom: number
  #arrangement: Arrangement
  #credentialUsers: CredentialUsers | null = null

  /** Continues with an arrangement, whose columns it writes to from now on. */
  constructor(arrangement: Arrangement) {
    const { definition, present, searchNames, rowTable } = arrangement
    // Its list of changes is for those who apply it; for a million monitors it takes 4 MB.
    this.#arrangement = { ...arrangement, ...nothingChanged }
    this.#index = new RowIndex(rowTable)
    this.#texts = {
      ids: new PackedWriter(definition.ids),
      names: new PackedWriter(definition.names),
      configs: new PackedWriter(definition.configs),
      searchNames: new PackedWriter(searchNames),
    }
    const entries = sharedPartNames.map(
      (part) => [part, new SharedValues(definition[part], present)] as const,
    )
    this.#shared = Object.fromEntries(entries) as Record<SharedPart, SharedValues>
    for (let row = definition.count - 1; row >= 0; row--) if (present[row] === 0) this.#free.push(row)
    this.#untouchedFrom = definition.count
  }

  /** -1 if no monitor has the id. */
  rowOf(id: string): number {
    return this.#index.find(id, this.#texts.ids)
  }

  /** Whether any monitor has a matching value. Looks at distinct values, not at monitors. */
  someHas<Part extends SharedPart>(
    part: Part,
    isMeant: (value: FleetDefinition[Part]['values'][number]) => boolean,
  ): boolean {
    return this.#shared[part].someUsed(isMeant as (value: unknown) => boolean)
  }

  /** Rows of monitors that name this credential. */
  rowsWithCredential(name: string): Iterable<number> {
    const { definition, present } = this.#arrangement
    this.#credentialUsers ??= new CredentialUsers(definition.credentials, present)
    return this.#credentialUsers.rowsWith(name)
  }

  /** The largest share of packed bytes that no monitor uses any more. */
  get deadShare(): number {
    return Math.max(...textNames.map((name) => this.#texts[name].deadShare))
  }

  /** The texts with too many dead bytes, or null if there are none; from now on it notes which rows are written. */
  beginCompaction(bounds: CompactionBounds): PackedTexts | null {
    const due = textNames.filter((name) => {
      const { deadShare, deadBytes } = this.#texts[name]
      return deadShare >= bounds.deadShare && deadBytes >= bounds.deadBytes
    })
    if (due.length === 0) return null
    this.#rewritten = new Set()
    return Object.fromEntries(due.map((name) => [name, this.#texts[name].strings]))
  }

  /** Switches to repacked texts, after repeating on them what was written meanwhile. */
  endCompaction(packed: PackedTexts): Arrangement {
    const { definition } = this.#arrangement
    const rewritten = this.#rewritten ?? new Set()
    this.#rewritten = null
    const writers = textNames.map((name) => {
      const before = this.#texts[name]
      const strings = packed[name]
      if (strings === undefined) return [name, before] as const
      const writer = new PackedWriter(strings)
      writer.growTo(definition.count)
      for (const row of rewritten) writer.set(row, before.get(row))
      return [name, writer] as const
    })
    this.#texts = Object.fromEntries(writers) as Record<TextName, PackedWriter>
    const { ids, names, configs, searchNames } = this.#texts
    this.#arrangement = {
      ...this.#arrangement,
      isWhole: false,
      definition: { ...definition, ids: ids.strings, names: names.strings, configs: configs.strings },
      searchNames: searchNames.strings,
    }
    return this.#arrangement
  }

  /** Keeps the texts as they are. */
  abandonCompaction(): void {
    this.#rewritten = null
  }

  /** Monitors that leave are still in the returned columns; the caller that applies it removes them. */
  amend({ entries, removed, head }: FleetChange, use: RowUse): Arrangement {
    const removedRows = removed.flatMap((id) => this.#release(id, use.nowMs))
    const added: number[] = []
    const changed: number[] = []
    const changedBits: number[] = []
    const rows = this.#rowsOf(entries)
    this.#makeRows(rows.filter((row) => row === -1).length, use)
    const entry = new AmendedMonitor(entries, this.#shared)
    for (const [number, known] of rows.entries()) {
      entry.moveTo(number)
      const row = known === -1 ? this.#takeRow() : known
      const bits = this.#write(row, entry, known === -1)
      if (known === -1) added.push(row)
      else if (bits !== 0) {
        changed.push(row)
        changedBits.push(bits)
      }
    }
    this.#publish(head)
    return {
      ...this.#arrangement,
      added: Uint32Array.from(added),
      removed: Uint32Array.from(removedRows),
      changed: Uint32Array.from(changed),
      changedBits: Uint32Array.from(changedBits),
    }
  }

  #rowsOf({ ids, count }: FleetDefinition): number[] {
    const reader = new PackedReader(ids)
    return Array.from({ length: count }, (_, number) => this.rowOf(reader.get(number)))
  }

  #release(id: string, nowMs: number): number[] {
    const row = this.rowOf(id)
    if (row === -1) return []
    this.#index.remove(id, this.#texts.ids)
    this.#freed.push({ row, atMs: nowMs })
    for (const part of sharedPartNames)
      this.#moveUse(part, row, this.#arrangement.definition[part].of[row]!, null)
    this.#rewritten?.add(row)
    // Its other texts stay for the code that removes it; but no search finds it any more.
    this.#texts.searchNames.set(row, '')
    return [row]
  }

  /** Makes sure that this many rows are available. */
  #makeRows(wanted: number, { isIdle, nowMs }: RowUse): void {
    const { definition } = this.#arrangement
    while (this.#freed.length > 0 && this.#free.length < wanted) {
      const [{ row, atMs }] = this.#freed as [FreedRow]
      if (nowMs - atMs < reusedAfterMs || !isIdle(row)) break
      this.#freed.shift()
      this.#free.push(row)
    }
    const missing = wanted - this.#free.length - (definition.count - this.#untouchedFrom)
    if (missing > 0) this.#grow(Math.max(missing, rowsAddedAtLeast, definition.count >>> 3))
  }

  #takeRow(): number {
    return this.#free.pop() ?? this.#untouchedFrom++
  }

  #grow(by: number): void {
    const { definition, present } = this.#arrangement
    const count = definition.count + by
    for (const writer of Object.values(this.#texts)) writer.growTo(count)
    const longer = sharedPartNames.map((part) => {
      const { values, of } = definition[part] as Shared<unknown>
      return [part, { values, of: grown(of, count) }] as const
    })
    const { ids, names, configs, searchNames } = this.#texts
    this.#arrangement = {
      ...this.#arrangement,
      definition: {
        ...definition,
        ...Object.fromEntries(longer),
        count,
        ids: ids.strings,
        names: names.strings,
        configs: configs.strings,
      },
      searchNames: searchNames.strings,
      present: grown(present, count),
    }
  }

  /** Returns which parts differ from before; all of them for a new monitor. */
  #write(row: number, entry: AmendedMonitor, isNew: boolean): number {
    const { ids, names, configs, searchNames } = this.#texts
    this.#rewritten?.add(row)
    let bits = 0
    if (isNew || names.get(row) !== entry.name) {
      bits |= changedParts.description
      names.set(row, entry.name)
      searchNames.set(row, searchForm(entry.name))
    }
    if (isNew || configs.get(row) !== entry.config) {
      bits |= changedParts.check
      configs.set(row, entry.config)
    }
    const { definition, present } = this.#arrangement
    const typeBefore = isNew ? null : definition.policies.values[definition.policies.of[row]!]?.type
    for (const part of sharedPartNames) {
      const { of } = definition[part]
      const number = entry.numberOf(part)
      const before = of[row]!
      if (!isNew && (before === number || this.#shared[part].areEqual(before, number))) continue
      bits |= sharedParts[part]
      this.#moveUse(part, row, isNew ? null : before, number)
      of[row] = number
    }
    if (typeBefore !== definition.policies.values[definition.policies.of[row]!]?.type)
      bits |= changedParts.check
    if (isNew) {
      ids.set(row, entry.id)
      this.#index.add(entry.id, row, ids)
      present[row] = 1
    }
    return bits
  }

  #moveUse(part: SharedPart, row: number, from: number | null, to: number | null): void {
    this.#shared[part].moveUse(from, to)
    if (part === 'credentials') this.#credentialUsers?.move(row, from, to)
  }

  /** Updates what is kept outside the columns. */
  #publish(head: FleetHead | null): void {
    const { definition } = this.#arrangement
    this.#arrangement = {
      ...this.#arrangement,
      isWhole: false,
      definition: head === null ? definition : { ...definition, ...head },
      firstTags: this.#firstTags.add(definition.tags.values),
      rowTable: this.#index.table,
      unchanged: 0,
    }
  }
}
