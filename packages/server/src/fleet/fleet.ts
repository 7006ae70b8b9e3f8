// fleet/fleet.ts: the monitors as the controller sees them: a row each, what was configured, what is known
// now, and counts that are right at every moment without a scan. Only the controller writes; every change of
// a status or code goes through here, so that counts cannot drift from the columns.
import { codes, statuses } from '@pulseward/contract'
import type {
  CheckPolicy,
  FleetDefinition,
  NotifyDefinition,
  RecoveryDefinition,
} from '../config/fleet-file/definition.ts'
import { PackedReader, type PackedStrings } from '../platform/packed-strings.ts'
import { type Arrangement, changedParts } from './arrangement.ts'
import { clearRow, createColumns, type FleetColumns, grownColumns, statusNumber } from './columns.ts'
import type { FirstTags } from './first-tags.ts'

export interface FleetCounts {
  total: number
  readonly byStatus: Uint32Array
  readonly byType: Uint32Array
  readonly byCode: Uint32Array
  /** Monitors with an open incident, whatever their status: it may be verifying. */
  incidents: number
  /** Of the last checkpoint of each monitor. */
  healthySamples: number
  totalSamples: number
}

export class Fleet {
  readonly types: readonly string[]
  readonly counts: FleetCounts
  #countsVersion = 0
  #columns = createColumns(1024)
  #definition: FleetDefinition | null = null
  #present = new Uint8Array(0)
  #searchNames: PackedStrings | null = null
  #firstTags: FirstTags | null = null
  #ids: PackedReader | null = null
  #names: PackedReader | null = null

  constructor(types: readonly string[]) {
    this.types = types
    this.counts = {
      total: 0,
      byStatus: new Uint32Array(statuses.length),
      byType: new Uint32Array(types.length),
      byCode: new Uint32Array(codes.length + 1),
      incidents: 0,
      healthySamples: 0,
      totalSamples: 0,
    }
  }

  /** Slots in use or free below this number. */
  get rows(): number {
    return this.#definition?.count ?? 0
  }

  /** Rises with every change of a count. */
  get countsVersion(): number {
    return this.#countsVersion
  }

  get columns(): FleetColumns {
    return this.#columns
  }

  get definition(): FleetDefinition {
    if (this.#definition === null) throw new Error('the fleet has not been loaded yet')
    return this.#definition
  }

  get present(): Uint8Array {
    return this.#present
  }

  get searchNames(): PackedStrings {
    return this.#searchNames!
  }

  get firstTags(): FirstTags {
    return this.#firstTags!
  }

  get loaded(): boolean {
    return this.#definition !== null
  }

  has(row: number): boolean {
    return this.#present[row] === 1
  }

  idOf(row: number): string {
    return this.#ids!.get(row)
  }

  nameOf(row: number): string {
    return this.#names!.get(row)
  }

  policyOf(row: number): CheckPolicy {
    const { values, of } = this.definition.policies
    return values[of[row]!]!
  }

  recoveryOf(row: number): RecoveryDefinition | null {
    const { values, of } = this.definition.recoveries
    return values[of[row]!]!
  }

  notifyOf(row: number): NotifyDefinition {
    const { values, of } = this.definition.notifications
    return values[of[row]!]!
  }

  /** Takes over a new arrangement. Proportional to what changed, not to the fleet. */
  apply(arrangement: Arrangement): void {
    for (const row of arrangement.removed) this.#remove(row)
    this.#definition = arrangement.definition
    this.#present = arrangement.present as Uint8Array<ArrayBuffer>
    this.#searchNames = arrangement.searchNames
    this.#firstTags = arrangement.firstTags
    this.#ids = new PackedReader(arrangement.definition.ids)
    this.#names = new PackedReader(arrangement.definition.names)
    this.#growFor(arrangement.definition.count)
    for (const row of arrangement.added) this.#add(row)
    for (const [index, row] of arrangement.changed.entries())
      this.#change(row, arrangement.changedBits[index]!)
  }

  setStatus(row: number, status: number): void {
    const before = this.#columns.status[row]!
    if (before === status) return
    this.#countsVersion++
    this.counts.byStatus[before] = this.counts.byStatus[before]! - 1
    this.counts.byStatus[status] = this.counts.byStatus[status]! + 1
    this.#columns.status[row] = status
  }

  setCode(row: number, code: number): void {
    const before = this.#columns.code[row]!
    if (before === code) return
    this.#countsVersion++
    this.counts.byCode[before] = this.counts.byCode[before]! - 1
    this.counts.byCode[code] = this.counts.byCode[code]! + 1
    this.#columns.code[row] = code
  }

  /** The clock was set: what is kept of the past moves with it, so that nothing seems older or newer than it is. */
  moveTimes(stepMs: number): void {
    const { lastCheck, lastSuccess, unsaved } = this.#columns
    unsaved.fill(1, 0, this.rows)
    for (let row = 0; row < this.rows; row++) {
      lastCheck[row] = lastCheck[row]! + stepMs
      lastSuccess[row] = lastSuccess[row]! + stepMs
    }
  }

  /** When the open incident was opened; 0 without one. */
  setOpenedAt(row: number, openedAt: number): void {
    const { openedAt: column } = this.#columns
    const change = incidentsAt(openedAt) - incidentsAt(column[row]!)
    column[row] = openedAt
    if (change === 0) return
    this.#countsVersion++
    this.counts.incidents += change
  }

  /** Counts one finished check that said something about its target. */
  countSample(row: number, healthy: boolean): void {
    this.#columns.totalSamples[row] = this.#columns.totalSamples[row]! + 1
    if (healthy) this.#columns.healthySamples[row] = this.#columns.healthySamples[row]! + 1
  }

  /** These counts are on disk: from now on they are shown. */
  showSamples(row: number, healthy: number, total: number): void {
    const { shownHealthySamples, shownTotalSamples } = this.#columns
    this.#countsVersion++
    this.counts.healthySamples += healthy - shownHealthySamples[row]!
    this.counts.totalSamples += total - shownTotalSamples[row]!
    shownHealthySamples[row] = healthy
    shownTotalSamples[row] = total
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
    byType[columns.type[row]!] = byType[columns.type[row]!]! - 1
    columns.type[row] = this.types.indexOf(this.policyOf(row).type)
    byType[columns.type[row]!] = byType[columns.type[row]!]! + 1
    columns.checkRevision[row] = columns.checkRevision[row]! + 1
    // A result of the check as it was is none of the check as it is.
    columns.generation[row] = columns.generation[row]! + 1
  }

  #count(row: number, sign: 1 | -1): void {
    const { counts } = this
    const columns = this.#columns
    this.#countsVersion++
    counts.total += sign
    counts.byStatus[columns.status[row]!] = counts.byStatus[columns.status[row]!]! + sign
    counts.byType[columns.type[row]!] = counts.byType[columns.type[row]!]! + sign
    counts.byCode[columns.code[row]!] = counts.byCode[columns.code[row]!]! + sign
    counts.incidents += sign * incidentsAt(columns.openedAt[row]!)
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
