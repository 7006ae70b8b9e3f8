// store/sqlite/moving/part-writers.ts: writes the parts of a copied store with the classes that a service writes them
// with, so that chains, sums and indexes are the same as if they had been committed. What a commit would number anew is
// inserted with the numbers that it had. A new part is an entry here; the compiler asks for it.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../../platform/string-hash.ts'
import type { PartName, RowOf } from '../../moving/portable-rows.ts'
import { storedLevels } from '../../trend.ts'
import { checksum } from '../checksum.ts'
import { LabelSets } from '../label-sets.ts'
import { changeSum, endSum, resourceSum } from '../resource-sums.ts'
import type { StoreTables } from '../store-tables.ts'
import type { PartBeside } from './beside-files.ts'

type PartInDatabase = Exclude<PartName, PartBeside>

export class PartWriters {
  readonly #tables: StoreTables
  readonly #labels: LabelSets
  readonly #sql
  #hasEvents = false

  constructor(database: DatabaseSync, tables: StoreTables) {
    this.#tables = tables
    this.#labels = new LabelSets(database, 0)
    this.#sql = {
      incident: database.prepare(
        'INSERT INTO incident (opened, closed, numeric_id, id, sum, body) VALUES (?, ?, ?, ?, ?, ?)',
      ),
      action: database.prepare(`
        INSERT INTO action (sequence, id, monitor_hash, unsettled, changed_at, body, sum, incarnation, incarnation_sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
      resource: database.prepare(
        'INSERT INTO resource (kind, id, label_set, change, sum, body, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ),
      past: database.prepare(`
        INSERT INTO resource_past (ended_by, ended_at, end_sum, kind, id, label_set, change, sum, body, sealed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
      change: database.prepare(
        'INSERT INTO resource_change (change, kind, deleted, sum, id) VALUES (?, ?, ?, ?, ?)',
      ),
      outcome: database.prepare('INSERT INTO bulk_outcome (operation, first, sum, body) VALUES (?, ?, ?, ?)'),
    }
  }

  /** Within a transaction. */
  write<Name extends PartInDatabase>(name: Name, rows: readonly RowOf<Name>[]): void {
    const write = this.#writers[name] as (rows: readonly RowOf<Name>[]) => void
    write(rows)
  }

  /** After the transaction is committed. */
  settle(): void {
    this.#labels.settle(0)
    this.#tables.settle()
  }

  readonly #writers: { readonly [Name in PartInDatabase]: (rows: readonly RowOf<Name>[]) => void } = {
    identities: (rows) =>
      this.#tables.identities.write(
        rows.map(({ controlsBefore, ...rest }) =>
          controlsBefore === null ? rest : { ...rest, controlsBefore },
        ),
      ),
    events: (rows) => {
      if (!this.#hasEvents) this.#tables.log.next.position = rows[0]!.position - 1
      this.#hasEvents = true
      this.#tables.events.append(rows)
    },
    incidents: (rows) => {
      for (const row of rows) {
        const { opened, closed, numericId, id } = row
        const body = incidentBody(row)
        this.#sql.incident.run(opened, closed, numericId, id, checksum(opened, body), body)
      }
    },
    actions: (rows) => {
      for (const { number, id, monitorId, unsettled, changedAt, body, incarnation } of rows) {
        const hash = stableHash(monitorId ?? '')
        const sums = [
          checksum(hash, body),
          incarnation,
          incarnation === null ? null : checksum(hash, incarnation),
        ]
        this.#sql.action.run(number, id, hash, unsettled, changedAt, body, ...sums)
      }
    },
    states: (rows) => this.#tables.present.writeStates(rows),
    pushes: (rows) => this.#tables.pushes.write(rows),
    escalations: (rows) => this.#tables.escalations.write(rows),
    revisions: (rows) => this.#tables.revisions.write(rows),
    blocks: (rows) => this.#tables.present.writeBlocks(rows),
    figures: (rows) => {
      for (const { name, body } of rows)
        if (name === 'slo') this.#tables.present.writeSlo(body)
        else this.#tables.present.writeDestinations(body)
    },
    resources: (rows) => {
      for (const row of rows) {
        const { kind, id, change, body, sealed } = row
        const { labelSet, sum } = this.#versionOf(row)
        this.#sql.resource.run(kind, id, labelSet, change, sum, body, sealed)
      }
    },
    pastResources: (rows) => {
      for (const row of rows) {
        const { kind, id, change, body, sealed, endedBy, endedAt } = row
        const { labelSet, sum } = this.#versionOf(row)
        const end = [endedBy, endedAt, endSum(row, row)]
        this.#sql.past.run(...end, kind, id, labelSet, change, sum, body, sealed)
      }
    },
    changes: (rows) => {
      for (const { change, kind, id, isDeleted } of rows) {
        const deleted = isDeleted ? 1 : 0
        this.#sql.change.run(change, kind, deleted, changeSum({ change, kind, id, deleted }), id)
      }
    },
    operations: (rows) => this.#tables.operations.write(rows),
    bulk: (rows) => this.#tables.bulk.write(rows.map((row) => ({ ...row, outcomes: null }))),
    outcomes: (rows) => {
      for (const { operation, first, body } of rows)
        this.#sql.outcome.run(operation, first, checksum(operation + first, body), body)
    },
    executions: (rows) => this.#tables.executions.write(rows),
    statements: (rows) => this.#tables.statements.write(rows),
    trends: (rows) => {
      for (const { level, key, bytes } of rows) this.#tables.trendRows.write(storedLevels[level]!, key, bytes)
    },
    openTrends: (rows) => {
      for (const { level, ...open } of rows)
        this.#tables.trendRows.writeOpen({ level: level === 0 ? 'fiveMinutes' : 'hour', ...open })
    },
  }

  #versionOf(row: RowOf<'resources'>): { labelSet: number; sum: number } {
    const labelSet = this.#labels.numberOf(row.labels)
    return { labelSet, sum: resourceSum({ ...row, labelSet }) }
  }
}

function incidentBody({ closed, body, ended, handled }: RowOf<'incidents'>): string {
  return JSON.stringify({
    ...JSON.parse(body),
    ...(ended === null ? {} : { closed: { position: closed, ...JSON.parse(ended) } }),
    ...(handled === null ? {} : { handling: JSON.parse(handled) }),
  })
}
