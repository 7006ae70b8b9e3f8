// store/postgres/staging.ts: staged items of a store that several machines share. They are in PostgreSQL, and the work
// on them is done on a copy in a file of this machine, which is made anew whenever an operation is opened: so another
// machine, or the next process, goes on with what was shared. An operation belongs to the run that opened it last: a
// process whose store was taken over changes nothing any more.
import { headOf, headText, itemOf, itemText, planOf, planText } from '../staged-rows.ts'
import type { PlannedItem, StagedOperation, Staging, StagingHead } from '../staging.ts'
import type { PostgresAddress } from './address.ts'
import { takenOver } from './commit-line.ts'
import { ReadingPool } from './reading-pool.ts'
import { writerName } from './take-over.ts'

export interface StagingPlace {
  readonly address: PostgresAddress
  readonly passwordFile: string | null
  readonly run: string
}

const rowsAtOnce = 2_000

/** The run must still have the store, and keeps it until the statement has ended. */
const ownRun = '(SELECT run FROM run WHERE run = $1 AND fenced_by IS NULL FOR SHARE)'

export class SharedStaging implements Staging, AsyncDisposable {
  readonly #pool: ReadingPool
  readonly #run: string
  readonly #copies: Staging
  /** How many items of each copy PostgreSQL has. */
  readonly #known = new WeakMap<StagedOperation, number>()

  constructor({ address, passwordFile, run }: StagingPlace, copies: Staging) {
    this.#run = run
    this.#copies = copies
    // By the name of the writer, so that a statement that hangs is ended together with it when the store is taken over.
    const name = writerName(run)
    this.#pool = new ReadingPool({ address, passwordFile, name, writes: true }, 1)
  }

  async create(head: StagingHead): Promise<StagedOperation> {
    const made = await this.#pool.query(
      `WITH own AS ${ownRun},
         plans AS (DELETE FROM staged_plan USING own WHERE operation = $2),
         items AS (DELETE FROM staged_item USING own WHERE operation = $2)
       INSERT INTO staged (operation, run, body) SELECT $2, run, $3 FROM own
       ON CONFLICT (operation) DO UPDATE SET run = excluded.run, body = excluded.body RETURNING operation`,
      [this.#run, head.number, headText(head)],
    )
    if (made.length === 0) throw takenOver()
    const copy = await this.#copies.create(head)
    this.#known.set(copy, 0)
    return copy
  }

  async open(number: number, store: string): Promise<StagedOperation | null> {
    const [found] = await this.#pool.query<{ body: string }>(
      `UPDATE staged SET run = own.run FROM ${ownRun} AS own WHERE operation = $2 RETURNING body`,
      [this.#run, number],
    )
    if (found === undefined) return await this.#adopted(number, store)
    const head = headOf(number, found.body)
    if (head.store !== store) return null
    const copy = await this.#copies.create(head)
    try {
      await this.#fill(copy, head)
      this.#known.set(copy, copy.uploaded)
      return copy
    } catch (error) {
      copy[Symbol.dispose]()
      throw error
    }
  }

  async share(copy: StagedOperation, withPlan: boolean): Promise<void> {
    const { head } = copy
    let known = this.#known.get(copy)!
    do {
      const items = copy.itemsFrom(known, rowsAtOnce)
      await this.#write(
        head,
        `, added AS (INSERT INTO staged_item (operation, ordinal, body, sealed) SELECT mine.operation, given.*
           FROM mine, unnest($4::bigint[], $5::text[], $6::bytea[]) AS given ON CONFLICT DO NOTHING)`,
        [
          items.map(({ ordinal }) => ordinal),
          items.map(itemText),
          items.map(({ sealed }) => (sealed === null ? null : Buffer.from(sealed))),
        ],
      )
      known += items.length
      this.#known.set(copy, known)
    } while (known < copy.uploaded)
    if (withPlan) await this.#sharePlan(copy)
  }

  async remove(number: number): Promise<void> {
    await this.#pool.query(
      `WITH own AS ${ownRun},
         plans AS (DELETE FROM staged_plan USING own WHERE operation = $2),
         items AS (DELETE FROM staged_item USING own WHERE operation = $2)
       DELETE FROM staged USING own WHERE operation = $2`,
      [this.#run, number],
    )
    await this.#copies.remove(number)
  }

  async numbers(): Promise<readonly number[]> {
    const rows = await this.#pool.query<{ operation: number }>('SELECT operation FROM staged')
    return [...new Set([...rows.map(({ operation }) => operation), ...(await this.#copies.numbers())])]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool[Symbol.asyncDispose]()
  }

  /** Earlier versions staged in the files of one machine only. */
  async #adopted(number: number, store: string): Promise<StagedOperation | null> {
    const copy = await this.#copies.open(number, store)
    if (copy === null) return null
    const [made] = await this.#pool.query(
      `INSERT INTO staged (operation, run, body) SELECT $2, run, $3 FROM ${ownRun} AS own
       ON CONFLICT (operation) DO NOTHING RETURNING operation`,
      [this.#run, number, headText(copy.head)],
    )
    if (made === undefined) throw takenOver()
    this.#known.set(copy, 0)
    await this.share(copy, true)
    return copy
  }

  async #sharePlan(copy: StagedOperation): Promise<void> {
    await this.#write(
      copy.head,
      ', gone AS (DELETE FROM staged_plan USING mine WHERE staged_plan.operation = mine.operation)',
    )
    let last: PlannedItem = { rank: -1, ordinal: -1, seen: null, outcome: '' }
    for (;;) {
      const planned = copy.plannedAfter(last.rank, last.ordinal, rowsAtOnce)
      if (planned.length === 0) return
      await this.#write(
        copy.head,
        `, added AS (INSERT INTO staged_plan (operation, ordinal, body) SELECT mine.operation, given.*
           FROM mine, unnest($4::bigint[], $5::text[]) AS given ON CONFLICT DO NOTHING)`,
        [planned.map(({ ordinal }) => ordinal), planned.map(planText)],
      )
      last = planned.at(-1)!
    }
  }

  async #fill(copy: StagedOperation, { number, touchedAt }: StagingHead): Promise<void> {
    const none = () => {}
    for (let from = 0; ; from += rowsAtOnce) {
      const rows = await this.#pool.query<{ ordinal: number; body: string; sealed: Uint8Array | null }>(
        `SELECT ordinal, body, sealed FROM staged_item
         WHERE operation = $1 AND ordinal >= $2 AND ordinal < $3 ORDER BY ordinal`,
        [number, from, from + rowsAtOnce],
      )
      const items = rows.map(({ ordinal, body, sealed }) => itemOf(ordinal, body, sealed))
      copy.add(items, touchedAt, none, none)
      if (rows.length < rowsAtOnce) break
    }
    copy.indexResources()
    for (let from = 0; from < copy.uploaded; from += rowsAtOnce) {
      const rows = await this.#pool.query<{ ordinal: number; body: string }>(
        'SELECT ordinal, body FROM staged_plan WHERE operation = $1 AND ordinal >= $2 AND ordinal < $3',
        [number, from, from + rowsAtOnce],
      )
      copy.plan(rows.map(({ ordinal, body }) => planOf(ordinal, body)))
    }
  }

  /** `rows` adds rows for the operation that `mine` names, if the run still has it. */
  async #write(head: StagingHead, rows: string, values: readonly unknown[] = []): Promise<void> {
    const [own] = await this.#pool.query<{ mine: number }>(
      `WITH mine AS (UPDATE staged SET body = $3 WHERE operation = $2 AND run = $1 RETURNING operation)${rows}
       SELECT count(*) AS mine FROM mine`,
      [this.#run, head.number, headText(head), ...values],
    )
    if (own!.mine === 0) throw takenOver()
  }
}
