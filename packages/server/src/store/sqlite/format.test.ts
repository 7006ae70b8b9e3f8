import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { storeIdentityOf } from '../rows.ts'
import { BulkTable } from './bulk-table.ts'
import { ExecutionTable } from './execution-table.ts'
import { bringForward, type FormatStep, formatSteps, requireReadable } from './format.ts'
import { LogRow } from './log-row.ts'
import { PresentTables } from './present-tables.ts'

/** A store of format 2, of which ours knows the first two steps, and the step to format 3. */
const steps: readonly FormatStep[] = [
  (database) => database.exec("CREATE TABLE thing (name TEXT); INSERT INTO thing VALUES ('old')"),
  (database) => database.exec('ALTER TABLE thing ADD COLUMN size INTEGER DEFAULT 1'),
  (database) => database.exec('UPDATE thing SET size = size + 1'),
]

describe('the format of a store', () => {
  it('is brought forward by exactly the steps that are missing', () => {
    using database = new DatabaseSync(':memory:')
    bringForward(database, steps.slice(0, 2))
    bringForward(database, steps)
    bringForward(database, steps)
    expect({ ...database.prepare('SELECT * FROM thing').get() }).toEqual({ name: 'old', size: 2 })
    expect(requireReadable(database, 3)).toBe(3)
  })

  it('stays what it was when a step fails', () => {
    using database = new DatabaseSync(':memory:')
    bringForward(database, steps.slice(0, 2))
    const failing: FormatStep = (given) => given.exec('DELETE FROM thing; SELECT * FROM nothing')
    expect(() => bringForward(database, [...steps.slice(0, 2), failing])).toThrow(/nothing/)
    expect(requireReadable(database, 3)).toBe(2)
    expect({ ...database.prepare('SELECT * FROM thing').get() }).toEqual({ name: 'old', size: 1 })
  })

  it('keeps the states of a store of the first format', () => {
    using database = new DatabaseSync(':memory:')
    bringForward(database, formatSteps.slice(0, 1))
    database.exec("INSERT INTO state VALUES (7, 70, 'seven'), (3, 30, 'three')")
    bringForward(database)
    const states = database.prepare('SELECT numeric_id, sum, body FROM state ORDER BY numeric_id').all()
    expect(states.map((row) => Object.values(row))).toEqual([
      [3, 30, 'three'],
      [7, 70, 'seven'],
    ])
  })

  it('gives a store of the second format an identity, once', () => {
    using database = new DatabaseSync(':memory:')
    bringForward(database, formatSteps.slice(0, 2))
    bringForward(database)
    const identity = () => new PresentTables(database).identity()
    const given = identity()
    expect(storeIdentityOf(given).key).toHaveLength(32)
    bringForward(database)
    expect(identity()).toBe(given)
  })

  it('gives the first stores of the fifth format the tables that later ones had', () => {
    using database = new DatabaseSync(':memory:')
    bringForward(database, formatSteps.slice(0, 5))
    database.exec('DROP TABLE bulk; DROP TABLE bulk_outcome')
    bringForward(database)
    expect(new BulkTable(database).open()).toEqual([])
    expect(new ExecutionTable(database).open()).toEqual([])
  })

  it('takes a store of the third format for one that was never restored and whose clock never leapt', () => {
    using database = new DatabaseSync(':memory:')
    bringForward(database, formatSteps.slice(0, 3))
    database.exec('UPDATE log SET position = 7, committed_at = 5')
    bringForward(database)
    expect(new LogRow(database, 'run').committed).toMatchObject({
      position: 7,
      committedAt: 5,
      keepsUntil: null,
      restoredAt: null,
    })
  })

  it('refuses one that is newer, and says which', () => {
    using database = new DatabaseSync(':memory:')
    bringForward(database)
    database.exec('PRAGMA user_version = 99')
    expect(() => bringForward(database)).toThrow(
      `The store was written by a newer version of Pulseward; use that version. (its format is 99, this version reads up to ${formatSteps.length})`,
    )
  })

  it('refuses a database of another program', () => {
    using database = new DatabaseSync(':memory:')
    database.exec('CREATE TABLE theirs (a)')
    expect(() => bringForward(database)).toThrow(/a database of another program/)
  })
})
