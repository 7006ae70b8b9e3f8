// store/sqlite/incident-table.ts: one row per incident, keyed by the position of the event that opened it: the newest
// incidents are adjacent at the end, and a page of them is a few pages of the file, however many other events there are.
import type { DatabaseSync } from 'node:sqlite'
import type { IncidentRow, KeptIncident } from '../rows.ts'
import { checksum, requireSum } from './checksum.ts'

const columns = 'opened, body, sum'

export class IncidentTable {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      // Ids do not repeat; if one did, the existing incident would stay unchanged.
      open: database.prepare(`
        INSERT INTO incident (opened, numeric_id, id, sum, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`),
      amend: database.prepare('UPDATE incident SET sum = ?, body = ? WHERE opened = ?'),
      close: database.prepare('UPDATE incident SET closed = ?, sum = ?, body = ? WHERE opened = ?'),
      one: database.prepare(`SELECT ${columns} FROM incident WHERE id = ?`),
      all: database.prepare(`SELECT ${columns} FROM incident WHERE opened <= ? ORDER BY opened DESC LIMIT ?`),
      ofMonitor: database.prepare(
        `SELECT ${columns} FROM incident WHERE numeric_id = ? AND opened <= ? ORDER BY opened DESC LIMIT ?`,
      ),
      forget: database.prepare(`
        DELETE FROM incident WHERE opened IN (
          SELECT opened FROM incident WHERE closed < ? ORDER BY closed LIMIT ?)`),
    }
  }

  /** `first` is the position of the first event of the batch. */
  write(rows: readonly IncidentRow[], first: number): void {
    for (const { index, is, id, numericId, body } of rows) {
      const position = first + index
      if (is === 'opened') this.#sql.open.run(position, numericId, id, checksum(position, body), body)
      else if (is === 'closed') this.#close(position, id, body)
      else this.#handle(id, body)
    }
  }

  read(id: string): KeptIncident | null {
    const row = this.#sql.one.get(id) as (KeptIncident & { sum: number }) | undefined
    return row === undefined ? null : checked(row)
  }

  /** Newest first, from a position on; `numericId` is null for all monitors. */
  page(numericId: number | null, highest: number, limit: number): KeptIncident[] {
    const rows =
      numericId === null
        ? this.#sql.all.all(highest, limit)
        : this.#sql.ofMonitor.all(numericId, highest, limit)
    return (rows as unknown as (KeptIncident & { sum: number })[]).map(checked)
  }

  /** Removes incidents closed by an event before this position. */
  retain(oldest: number, rows: number): number {
    return Number(this.#sql.forget.run(oldest, rows).changes)
  }

  #close(position: number, id: string, end: string): void {
    const row = this.read(id)
    if (row === null) return
    const body = closedBody(row.body, position, end)
    this.#sql.close.run(position, checksum(row.opened, body), body, row.opened)
  }

  #handle(id: string, change: string): void {
    const row = this.read(id)
    if (row === null) return
    const body = handledBody(row.body, change)
    this.#sql.amend.run(checksum(row.opened, body), body, row.opened)
  }
}

/** The incident with what people did about it since. */
function handledBody(body: string, change: string): string {
  const known = JSON.parse(body)
  return JSON.stringify({ ...known, handling: { ...known.handling, ...JSON.parse(change) } })
}

/** The incident with its end. */
export function closedBody(body: string, position: number, end: string): string {
  return JSON.stringify({ ...JSON.parse(body), closed: { position, ...JSON.parse(end) } })
}

function checked({ opened, body, sum }: KeptIncident & { sum: number }): KeptIncident {
  requireSum('incident', opened, body, sum)
  return { opened, body }
}
