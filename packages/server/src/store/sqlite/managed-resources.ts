// store/sqlite/managed-resources.ts: everything that the store keeps about managed resources: their present versions,
// their recent past, the log of changes, and their label sets. One transaction changes all of it together.
import type { DatabaseSync } from 'node:sqlite'
import type { StoreRestore } from '../epoch.ts'
import type { ResealedValue } from '../resource.ts'
import {
  monitorKind,
  type ResourceColumns,
  type ResourceKey,
  type ResourceRow,
  type ResourceWriteRow,
  resourceColumns,
  uidIn,
} from '../resource-rows.ts'
import type { StoreBounds } from '../retention.ts'
import { type ClockRule, lookAtClock, pastRule } from '../retention-clock.ts'
import { LabelSets } from './label-sets.ts'
import { ResourceFigures } from './resource-figures.ts'
import { type PageQuery, ResourcePages } from './resource-pages.ts'
import { ResourcePast } from './resource-past.ts'
import { lastChangeIn, ResourceTable } from './resource-table.ts'

export interface ResourcesPart extends ResourceColumns {
  /** Everything up to this id was read, and there may be more; null at the end. */
  readonly upTo: string | null
}

export interface ChangesPart extends ResourceColumns {
  readonly deletedIds: readonly string[]
  /** Everything up to this change was read, and there may be more; null at the end. */
  readonly upTo: number | null
}

export class ManagedResources {
  readonly #bounds: StoreBounds
  readonly #rule: ClockRule
  readonly #figures: ResourceFigures
  readonly #labels: LabelSets
  readonly #past: ResourcePast
  readonly #table: ResourceTable
  readonly #pages: ResourcePages
  #seenAt: number | null

  /** `seenAt`: the clock at the last commit. */
  constructor(database: DatabaseSync, bounds: StoreBounds, seenAt: number | null) {
    this.#bounds = bounds
    this.#rule = pastRule(bounds)
    this.#figures = new ResourceFigures(database)
    this.#labels = new LabelSets(database, lastChangeIn(database))
    this.#past = new ResourcePast(database)
    this.#table = new ResourceTable(database, this.#labels, this.#past)
    this.#pages = new ResourcePages(database, this.#labels, this.#past)
    this.#seenAt = seenAt
  }

  get epoch(): number {
    return this.#figures.committed.epoch
  }

  get restores(): readonly StoreRestore[] {
    return this.#figures.committed.restores ?? []
  }

  get lastChange(): number {
    return this.#table.lastChange
  }

  /** The number of present and past versions. */
  get total(): { readonly present: number; readonly past: number } {
    return { present: this.#labels.resources, past: this.#past.count }
  }

  write(writes: readonly ResourceWriteRow[], committedAt: number): void {
    this.#table.write(writes, committedAt)
  }

  reseal(values: readonly ResealedValue[]): number[] {
    return this.#table.reseal(values)
  }

  settle(): void {
    for (const part of [this.#figures, this.#table, this.#past]) part.settle()
    this.#labels.settle(this.lastChange)
  }

  discard(): void {
    for (const part of [this.#figures, this.#table, this.#past, this.#labels]) part.discard()
  }

  /** Those that exist. */
  read(wanted: readonly ResourceKey[]): ResourceColumns {
    return this.#columns(wanted.flatMap(({ kind, id }) => this.#table.read(kind, id) ?? []))
  }

  /** The uid of the monitor's present incarnation; null if there is none. */
  uidOf(monitorId: string): string | null {
    const row = this.#table.read(monitorKind, monitorId)
    return row === null ? null : uidIn(row)
  }

  others(): ResourceColumns {
    return this.#columns(this.#table.others())
  }

  monitorsAfter(id: string, count: number): ResourcesPart {
    return this.#page({
      kind: monitorKind,
      upToChange: this.lastChange,
      after: id,
      limit: count,
      selector: null,
    })
  }

  page(query: PageQuery): ResourcesPart | 'expired' {
    return query.upToChange < this.#figures.committed.pastForgottenUpTo ? 'expired' : this.#page(query)
  }

  monitorsChangedAfter(change: number, count: number): ChangesPart | 'forgotten' {
    if (!this.#table.knowsChangesAfter(change)) return 'forgotten'
    const { written, deletedIds, upTo } = this.#table.monitorsChangedAfter(change, count)
    return { ...this.#columns(written), deletedIds, upTo }
  }

  /** Removes what has expired, at most this many rows. */
  retain(now: number, rows: number): number {
    const past = this.#retainPast(now, rows)
    const changes = past < rows ? this.#table.retainChanges(this.#bounds.changes, rows - past) : 0
    const left = rows - past - changes
    return past + changes + (left > 0 ? this.#labels.retain(this.#past.from, left) : 0)
  }

  #retainPast(now: number, rows: number): number {
    if (this.lookAtClock(now) !== null) return 0
    const { removed, upTo } = this.#past.retain(now - this.#rule.keepMs, now, rows)
    if (upTo !== null) this.#figures.change({ pastForgottenUpTo: upTo })
    return removed
  }

  /** Until when nothing of the past is removed, because the clock may be wrong; null if it is trusted. */
  lookAtClock(now: number): number | null {
    const { pastKeptUntil } = this.#figures.committed
    const clock = lookAtClock({ seenAt: this.#seenAt, keepsUntil: pastKeptUntil }, now, this.#rule)
    this.#seenAt = now
    if (clock.keepsUntil !== pastKeptUntil) this.#figures.change({ pastKeptUntil: clock.keepsUntil })
    return clock.keepsUntil
  }

  #page(query: PageQuery): ResourcesPart {
    const { rows, upTo } = this.#pages.read(query, this.lastChange)
    return { ...this.#columns(rows), upTo }
  }

  #columns(rows: readonly ResourceRow[]): ResourceColumns {
    return resourceColumns(rows, (numbers) => this.#labels.textsOf(numbers))
  }
}
