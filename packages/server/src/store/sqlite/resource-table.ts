// store/sqlite/resource-table.ts: the present version of every managed resource, ordered by kind and id, and the log that
// names the resource of each change. A write moves the version that it ends to the past in the same transaction.
import type { DatabaseSync } from 'node:sqlite'
import type { ResealedValue } from '../resource.ts'
import { credentialKind, monitorKind, type ResourceRow, type ResourceWriteRow } from '../resource-rows.ts'
import { storeError } from '../store-errors.ts'
import type { LabelSets } from './label-sets.ts'
import type { ResourcePast } from './resource-past.ts'
import {
  type ChangeRow,
  changeSum,
  requireResourceSum,
  resourceSum,
  type SummedRow,
  versionColumns,
} from './resource-sums.ts'

export interface ChangesSlice {
  readonly written: readonly ResourceRow[]
  readonly deletedIds: readonly string[]
  /** The last change that was read; null if there are no more. */
  readonly upTo: number | null
}

interface Present {
  readonly labelSet: number
  readonly change: number
}

export class ResourceTable {
  readonly #labels: LabelSets
  readonly #past: ResourcePast
  readonly #sql
  #lastChange: number
  /** As of the open transaction. */
  #nextChange: number

  constructor(database: DatabaseSync, labels: LabelSets, past: ResourcePast) {
    this.#labels = labels
    this.#past = past
    this.#sql = {
      present: database.prepare(
        'SELECT label_set AS labelSet, change FROM resource WHERE kind = ? AND id = ?',
      ),
      create: database.prepare(`
        INSERT INTO resource (kind, id, label_set, change, sum, body, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)`),
      // SQLite rewrites an index for every column that is set, even to the same value.
      replace: database.prepare(
        'UPDATE resource SET change = ?, sum = ?, body = ?, sealed = ? WHERE kind = ? AND id = ?',
      ),
      relabel: database.prepare('UPDATE resource SET label_set = ? WHERE kind = ? AND id = ?'),
      remove: database.prepare('DELETE FROM resource WHERE kind = ? AND id = ?'),
      reseal: database.prepare('UPDATE resource SET sum = ?, sealed = ? WHERE kind = ? AND id = ?'),
      log: database.prepare(
        'INSERT INTO resource_change (change, kind, deleted, sum, id) VALUES (?, ?, ?, ?, ?)',
      ),
      read: database.prepare(`SELECT ${versionColumns} FROM resource WHERE kind = ? AND id = ?`),
      others: database.prepare(
        `SELECT ${versionColumns} FROM resource WHERE kind > ${monitorKind} ORDER BY kind, id`,
      ),
      changes: database.prepare(
        'SELECT change, kind, deleted, sum, id FROM resource_change WHERE change > ? ORDER BY change LIMIT ?',
      ),
      first: database.prepare('SELECT change FROM resource_change ORDER BY change LIMIT 1'),
      forget: database.prepare(`
        DELETE FROM resource_change WHERE change IN (
          SELECT change FROM resource_change WHERE change <= ? ORDER BY change LIMIT ?)`),
    }
    this.#lastChange = lastChangeIn(database)
    this.#nextChange = this.#lastChange
  }

  get lastChange(): number {
    return this.#lastChange
  }

  write(writes: readonly ResourceWriteRow[], committedAt: number): void {
    for (const write of writes) {
      const { kind, id, change } = write
      if (change <= this.#nextChange)
        throw new Error(`The change ${change} of ${id} comes after the change ${this.#nextChange}.`)
      this.#nextChange = change
      const present = this.#sql.present.get(kind, id) as Present | undefined
      if (present !== undefined) {
        this.#past.take({ kind, id, change: present.change }, { endedBy: change, endedAt: committedAt })
        this.#labels.count(present.labelSet, -1)
      }
      const deleted = this.#writePresent(write, present) ? 0 : 1
      this.#sql.log.run(change, kind, deleted, changeSum({ change, kind, id, deleted }), id)
    }
  }

  settle(): void {
    this.#lastChange = this.#nextChange
  }

  discard(): void {
    this.#nextChange = this.#lastChange
  }

  read(kind: number, id: string): ResourceRow | null {
    const row = this.#sql.read.get(kind, id) as SummedRow | undefined
    if (row === undefined) return null
    requireResourceSum(row)
    return row
  }

  /** Returns the changes of those that were resealed. */
  reseal(values: readonly ResealedValue[]): number[] {
    return values.flatMap(({ id, change, sealed }) => {
      const row = this.read(credentialKind, id)
      if (row?.change !== change || row.sealed === null) return []
      this.#sql.reseal.run(resourceSum({ ...row, sealed }), sealed, credentialKind, id)
      return [change]
    })
  }

  /** All resources except monitors. */
  others(): ResourceRow[] {
    const rows = this.#sql.others.all() as unknown as SummedRow[]
    for (const row of rows) requireResourceSum(row)
    return rows
  }

  /** Whether the log still names every resource changed after this change. */
  knowsChangesAfter(change: number): boolean {
    const first = this.#sql.first.get() as { change: number } | undefined
    return change >= this.#lastChange || (first !== undefined && first.change <= change + 1)
  }

  /** The present state of the monitors in the next `count` changes. */
  monitorsChangedAfter(change: number, count: number): ChangesSlice {
    const changes = this.#sql.changes.all(change, count) as unknown as (ChangeRow & { sum: number })[]
    const written: ResourceRow[] = []
    const deletedIds: string[] = []
    for (const row of changes) {
      if (changeSum(row) !== row.sum)
        throw storeError('corrupt', `(resource_change ${row.change}: its checksum is wrong)`)
      if (row.kind !== monitorKind) continue
      const present = this.read(monitorKind, row.id)
      // A monitor that was changed again is returned with its last change.
      if (present?.change === row.change) written.push(present)
      else if (present === null && row.deleted === 1) deletedIds.push(row.id)
    }
    return { written, deletedIds, upTo: changes.length < count ? null : changes.at(-1)!.change }
  }

  /** Removes all but the last `kept` changes from the log. */
  retainChanges(kept: number, rows: number): number {
    return Number(this.#sql.forget.run(this.#lastChange - kept, rows).changes)
  }

  /** False if the resource was deleted. */
  #writePresent({ kind, id, change, content }: ResourceWriteRow, present: Present | undefined): boolean {
    if (content === null) {
      if (present !== undefined) this.#sql.remove.run(kind, id)
      return false
    }
    const { labels, body, sealed } = content
    const labelSet = this.#labels.numberOf(labels)
    this.#labels.count(labelSet, 1)
    const sum = resourceSum({ kind, id, labelSet, change, body, sealed })
    if (present === undefined) this.#sql.create.run(kind, id, labelSet, change, sum, body, sealed)
    else {
      this.#sql.replace.run(change, sum, body, sealed, kind, id)
      if (labelSet !== present.labelSet) this.#sql.relabel.run(labelSet, kind, id)
    }
    return true
  }
}

/** The last change ever committed. */
export function lastChangeIn(database: DatabaseSync): number {
  const last = database.prepare('SELECT change FROM resource_change ORDER BY change DESC LIMIT 1').get()
  return (last?.['change'] as number | undefined) ?? 0
}
