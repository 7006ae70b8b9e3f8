// fleet/fleet.ts: the monitors as the engine sees them: one row per monitor, its configuration, its present
// state, and counts that are always right without a scan. Only the engine writes; every change of a status or
// code goes through here, so that counts cannot drift from the columns.
import { codes, statuses } from '@pulseward/contract'
import {
  type CheckPolicy,
  type FleetDefinition,
  type NotifyDefinition,
  type RecoveryDefinition,
  sharedValue,
} from '../config/fleet-file/definition.ts'
import { addTo } from '../platform/column.ts'
import { PackedReader, type PackedStrings } from '../platform/packed-strings.ts'
import { Amender, type CompactionBounds, type PackedTexts, type RowUse } from './amender.ts'
import { type Arrangement, changedParts } from './arrangement.ts'
import { clearRow, createColumns, type FleetColumns, grownColumns, statusNumber } from './columns.ts'
import type { FirstTags } from './first-tags.ts'
import type { FleetChange } from './fleet-change.ts'

export interface FleetCounts {
  total: number
  readonly byStatus: Uint32Array
  readonly byType: Uint32Array
  readonly byCode: Uint32Array
  /** Monitors with an open incident, whatever their status: it may be verifying. */
  incidents: number
  /** Enabled monitors whose red has no destination (deciding/silent-monitors.ts). */
  tellsNobody: number
  snoozed: number
  /** As of the last checkpoint of each monitor. */
  healthySamples: number
  totalSamples: number
}

/** Texts that are being repacked while the fleet keeps running. */
export interface Compaction {
  readonly texts: PackedTexts
  readonly present: Uint8Array
  /** The same fleet with these texts; null if it is no longer in force. */
  end(packed: PackedTexts): Arrangement | null
  abandon(): void
}

/** The configuration, with readers of its texts and its amender. */
interface Arranged extends Pick<Arrangement, 'definition' | 'searchNames' | 'firstTags'> {
  readonly ids: PackedReader
  readonly names: PackedReader
  readonly configs: PackedReader
  readonly amender: Amender
}

export class Fleet {
  readonly types: readonly string[]
  readonly counts: FleetCounts
  #countsVersion = 0
  #columns = createColumns(1024)
  #arranged: Arranged | null = null
  #present: Uint8Array = new Uint8Array(0)

  constructor(types: readonly string[]) {
    this.types = types
    this.counts = {
      total: 0,
      byStatus: new Uint32Array(statuses.length),
      byType: new Uint32Array(types.length),
      byCode: new Uint32Array(codes.length + 1),
      incidents: 0,
      tellsNobody: 0,
      snoozed: 0,
      healthySamples: 0,
      totalSamples: 0,
    }
  }

  /** Rows below this number are in use or free. */
  get rows(): number {
    return this.#arranged?.definition.count ?? 0
  }

  /** Rises with every change of a count. */
  get countsVersion(): number {
    return this.#countsVersion
  }

  get columns(): FleetColumns {
    return this.#columns
  }

  get definition(): FleetDefinition {
    return this.#loaded.definition
  }

  get present(): Uint8Array {
    return this.#present
  }

  get searchNames(): PackedStrings {
    return this.#loaded.searchNames
  }

  get firstTags(): FirstTags {
    return this.#loaded.firstTags
  }

  get loaded(): boolean {
    return this.#arranged !== null
  }

  has(row: number): boolean {
    return this.#present[row] === 1
  }

  *rowsInUse(): Generator<number> {
    for (let row = 0; row < this.rows; row++) if (this.#present[row] === 1) yield row
  }

  /** -1 if no monitor has the id. */
  rowOf(id: string): number {
    return this.#loaded.amender.rowOf(id)
  }

  /** Whether any monitor has a matching value, such as a destination that it names. */
  readonly someHas: Amender['someHas'] = (part, isMeant) => this.#loaded.amender.someHas(part, isMeant)

  /** Rows of monitors that name this credential. */
  readonly rowsWithCredential: Amender['rowsWithCredential'] = (name) =>
    this.#loaded.amender.rowsWithCredential(name)

  idOf(row: number): string {
    return this.#loaded.ids.get(row)
  }

  readonly identityHashOf = (row: number): number => this.#loaded.ids.hash(row)

  nameOf(row: number): string {
    return this.#loaded.names.get(row)
  }

  /** The options of its check, as JSON. */
  configOf(row: number): string {
    return this.#loaded.configs.get(row)
  }

  policyOf(row: number): CheckPolicy {
    return sharedValue(this.definition.policies, row)
  }

  recoveryOf(row: number): RecoveryDefinition | null {
    return sharedValue(this.definition.recoveries, row)
  }

  notifyOf(row: number): NotifyDefinition {
    return sharedValue(this.definition.notifications, row)
  }

  /** Writes a change into the configuration columns; `apply` then puts it into force. */
  amend(change: FleetChange, use: RowUse): Arrangement {
    return this.#loaded.amender.amend(change, use)
  }

  /** Begins to repack texts with too many dead bytes; null if there are none. */
  beginCompaction(bounds: CompactionBounds): Compaction | null {
    const { amender } = this.#loaded
    const texts = amender.beginCompaction(bounds)
    if (texts === null) return null
    return {
      texts,
      present: this.#present,
      // Another fleet may be in force by then.
      end: (packed) => (this.#loaded.amender === amender ? amender.endCompaction(packed) : null),
      abandon: () => amender.abandonCompaction(),
    }
  }

  /** Puts a new arrangement into force. Takes time proportional to what changed, not to the fleet. */
  apply(arrangement: Arrangement): void {
    for (const row of arrangement.removed) this.#remove(row)
    const { definition, searchNames, firstTags, isWhole } = arrangement
    const ids = new PackedReader(definition.ids)
    const names = new PackedReader(definition.names)
    const amender = isWhole ? new Amender(arrangement) : this.#loaded.amender
    const configs = new PackedReader(definition.configs)
    this.#arranged = { definition, searchNames, firstTags, ids, names, configs, amender }
    this.#present = arrangement.present
    if (!isWhole) for (const row of arrangement.removed) this.#present[row] = 0
    this.#growFor(definition.count)
    for (const row of arrangement.added) this.#add(row)
    for (const [index, row] of arrangement.changed.entries())
      this.#change(row, arrangement.changedBits[index]!)
  }

  setStatus(row: number, status: number): void {
    const before = this.#columns.status[row]!
    if (before === status) return
    this.#countsVersion++
    addTo(this.counts.byStatus, before, -1)
    addTo(this.counts.byStatus, status, 1)
    this.#columns.status[row] = status
  }

  setCode(row: number, code: number): void {
    const before = this.#columns.code[row]!
    if (before === code) return
    this.#countsVersion++
    addTo(this.counts.byCode, before, -1)
    addTo(this.counts.byCode, code, 1)
    this.#columns.code[row] = code
  }

  /** After the clock was set: moves past times with it, so that nothing seems older or newer than it is. */
  moveTimes(stepMs: number): void {
    const { lastCheck, lastSuccess, unsaved } = this.#columns
    unsaved.fill(1, 0, this.rows)
    for (let row = 0; row < this.rows; row++) {
      lastCheck[row] = lastCheck[row]! + stepMs
      lastSuccess[row] = lastSuccess[row]! + stepMs
    }
  }

  /** When the open incident was opened; 0 if there is none. */
  setOpenedAt(row: number, openedAt: number): void {
    const { openedAt: column } = this.#columns
    if (column[row] === openedAt) return
    const change = incidentsAt(openedAt) - incidentsAt(column[row]!)
    column[row] = openedAt
    if (change === 0) return
    this.#countsVersion++
    this.counts.incidents += change
  }

  setTellsNobody(row: number, tellsNobody: boolean): void {
    const { tellsNobody: column } = this.#columns
    const change = Number(tellsNobody) - column[row]!
    if (change === 0) return
    column[row] = Number(tellsNobody)
    this.#countsVersion++
    this.counts.tellsNobody += change
  }

  setSnoozed(row: number, isSnoozed: boolean): void {
    const { snoozed } = this.#columns
    const change = Number(isSnoozed) - snoozed[row]!
    if (change === 0) return
    snoozed[row] = Number(isSnoozed)
    this.#countsVersion++
    this.counts.snoozed += change
  }

  /** Makes results in flight for the row be ignored. */
  dropResults(row: number): void {
    addTo(this.#columns.generation, row, 1)
  }

  /** Counts one finished check that said something about its target. */
  countSample(row: number, healthy: boolean): void {
    addTo(this.#columns.totalSamples, row, 1)
    if (healthy) addTo(this.#columns.healthySamples, row, 1)
  }

  /** Shows these counts, which are now on disk. */
  showSamples(row: number, healthy: number, total: number): void {
    const { shownHealthySamples, shownTotalSamples } = this.#columns
    this.#countsVersion++
    this.counts.healthySamples += healthy - shownHealthySamples[row]!
    this.counts.totalSamples += total - shownTotalSamples[row]!
    shownHealthySamples[row] = healthy
    shownTotalSamples[row] = total
  }

  get #loaded(): Arranged {
    if (this.#arranged === null) throw new Error('the fleet has not been loaded yet')
    return this.#arranged
  }

  #add(row: number): void {
    const columns = this.#columns
    clearRow(columns, row)
    const policy = this.policyOf(row)
    columns.type[row] = this.types.indexOf(policy.type)
    columns.status[row] = policy.enabled ? statusNumber.unknown : statusNumber.disabled
    this.#count(row, 1)
  }

  #remove(row: number): void {
    this.#count(row, -1)
    clearRow(this.#columns, row)
  }

  #change(row: number, parts: number): void {
    if ((parts & changedParts.check) === 0) return
    const columns = this.#columns
    const { byType } = this.counts
    this.#countsVersion++
    const type = this.types.indexOf(this.policyOf(row).type)
    addTo(byType, columns.type[row]!, -1)
    addTo(byType, type, 1)
    columns.type[row] = type
    addTo(columns.checkRevision, row, 1)
    // A result of the previous check configuration says nothing about the new one.
    this.dropResults(row)
  }

  #count(row: number, sign: 1 | -1): void {
    const { counts } = this
    const columns = this.#columns
    this.#countsVersion++
    counts.total += sign
    addTo(counts.byStatus, columns.status[row]!, sign)
    addTo(counts.byType, columns.type[row]!, sign)
    addTo(counts.byCode, columns.code[row]!, sign)
    counts.snoozed += sign * columns.snoozed[row]!
    counts.incidents += sign * incidentsAt(columns.openedAt[row]!)
    counts.tellsNobody += sign * columns.tellsNobody[row]!
    counts.healthySamples += sign * columns.shownHealthySamples[row]!
    counts.totalSamples += sign * columns.shownTotalSamples[row]!
  }

  #growFor(count: number): void {
    if (count <= this.#columns.capacity) return
    this.#columns = grownColumns(this.#columns, 2 ** Math.ceil(Math.log2(count * 1.25)))
  }
}

function incidentsAt(openedAt: number): 0 | 1 {
  return openedAt > 0 ? 1 : 0
}
