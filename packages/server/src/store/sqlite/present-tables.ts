// store/sqlite/present-tables.ts: what is kept without history: states of monitors, counter blocks, the SLO
// window, the destinations that are not healthy, and the identity of the store.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { StateRow } from '../rows.ts'
import type { StoredBlock } from '../store.ts'
import { storeError } from '../store-errors.ts'
import { checksum, requireSum } from './checksum.ts'

/** A state that exists. */
export type KeptState = StateRow & { readonly body: string }

export class PresentTables {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      writeState: database.prepare(`
        INSERT INTO state (numeric_id, sum, body) VALUES (?, ?, ?)
        ON CONFLICT (numeric_id) DO UPDATE SET sum = excluded.sum, body = excluded.body`),
      removeState: database.prepare('DELETE FROM state WHERE numeric_id = ?'),
      writeBlock: database.prepare('REPLACE INTO counter_block (block, sum, bytes) VALUES (?, ?, ?)'),
      writeSlo: database.prepare('REPLACE INTO slo (only, sum, body) VALUES (1, ?, ?)'),
      writeDestinations: database.prepare(
        'REPLACE INTO dead_destinations (only, sum, body) VALUES (1, ?, ?)',
      ),
      states: database.prepare('SELECT numeric_id AS numericId, sum, body FROM state ORDER BY numeric_id'),
      blocks: database.prepare('SELECT block, sum, bytes FROM counter_block ORDER BY block'),
      slo: database.prepare('SELECT sum, body FROM slo'),
      destinations: database.prepare('SELECT sum, body FROM dead_destinations'),
      identity: database.prepare('SELECT sum, body FROM store_identity'),
    }
  }

  writeStates(states: readonly StateRow[]): void {
    for (const { numericId, body } of states) {
      if (body === null) this.#sql.removeState.run(numericId)
      else this.#sql.writeState.run(numericId, checksum(numericId, body), body)
    }
  }

  writeBlocks(blocks: readonly StoredBlock[]): void {
    for (const { block, bytes } of blocks) this.#sql.writeBlock.run(block, checksum(block, bytes), bytes)
  }

  writeSlo(body: string): void {
    this.#sql.writeSlo.run(checksum(1, body), body)
  }

  writeDestinations(body: string): void {
    this.#sql.writeDestinations.run(checksum(1, body), body)
  }

  states(): KeptState[] {
    const rows = this.#sql.states.all() as unknown as (KeptState & { sum: number })[]
    for (const { numericId, body, sum } of rows) requireSum('state', numericId, body, sum)
    return rows
  }

  blocks(): StoredBlock[] {
    const rows = this.#sql.blocks.all() as unknown as (StoredBlock & { sum: number })[]
    for (const { block, bytes, sum } of rows) requireSum('counter_block', block, bytes, sum)
    return rows.map(({ block, bytes }) => ({ block, bytes }))
  }

  slo(): string | null {
    return onlyRow('slo', this.#sql.slo)
  }

  destinations(): string | null {
    return onlyRow('dead_destinations', this.#sql.destinations)
  }

  identity(): string {
    const body = onlyRow('store_identity', this.#sql.identity)
    if (body === null) throw storeError('corrupt', '(store_identity: it is empty)')
    return body
  }
}

function onlyRow(table: string, statement: StatementSync): string | null {
  const row = statement.get() as { sum: number; body: string } | undefined
  if (row === undefined) return null
  requireSum(table, 1, row.body, row.sum)
  return row.body
}
