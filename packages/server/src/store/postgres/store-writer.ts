// store/postgres/store-writer.ts: prepares what is written: the rows of a batch, what the clock says about retention, and
// trend blocks joined with what the store has. State in memory changes only when a batch is known to be committed.
import type { Instant } from '../../deciding/health/health.ts'
import { emptyBatch } from '../record-types.ts'
import type { ResealedValue, ResourceWrite } from '../resource.ts'
import { credentialKind } from '../resource-rows.ts'
import type { StoreBounds } from '../retention.ts'
import { forgetBefore, lookAtClock, pastRule, type RetentionClock } from '../retention-clock.ts'
import type { CommitBatch } from '../store.ts'
import { type CommitLine, type PreparedBatch, type Query, type Reached, takenOver } from './commit-line.ts'
import { commitParameters } from './record-sets.ts'
import { trendQueries } from './trend-queries.ts'
import { KeptTrends, type TrendChanges, trendRound } from './trend-round.ts'

/** What it goes on with, from the head of the store. */
export interface WriterState {
  readonly committedAt: number | null
  readonly keepsUntil: number | null
  readonly pastKeepsUntil: number | null
  readonly lastChange: number
}

export class StoreWriter {
  readonly #line: CommitLine
  readonly #now: () => Instant
  readonly #bounds: StoreBounds
  readonly #trends = new KeptTrends()
  #history: RetentionClock
  #past: RetentionClock
  #lastChange: number

  constructor(
    makeLine: (emptyBatch: () => PreparedBatch) => CommitLine,
    { committedAt, keepsUntil, pastKeepsUntil, lastChange }: WriterState,
    now: () => Instant,
    bounds: StoreBounds,
  ) {
    this.#line = makeLine(() => this.#prepared(emptyBatch, []))
    this.#now = now
    this.#bounds = bounds
    this.#history = { seenAt: committedAt, keepsUntil }
    this.#past = { seenAt: committedAt, keepsUntil: pastKeepsUntil }
    this.#lastChange = lastChange
  }

  holds(): boolean {
    return this.#line.holds()
  }

  async commit(batch: CommitBatch): Promise<Reached> {
    return await this.#line.commit(async () => {
      requireInOrder(batch.resources, this.#lastChange)
      return this.#prepared(batch, await this.#joinedTrends(batch))
    })
  }

  async reseal(values: readonly ResealedValue[]): Promise<readonly number[]> {
    const [{ replaced }] = (await this.#line.write<{ replaced: string[] | null }>(
      'SELECT reseal_values($1, $2, $3, $4, $5) AS replaced',
      [
        ...[this.#line.run, credentialKind, values.map(({ id }) => id)],
        ...[values.map(({ change }) => change), values.map(({ sealed }) => sealed)],
      ],
    )) as [{ replaced: string[] | null }]
    if (replaced === null) throw takenOver()
    const done = new Set(replaced.map(Number))
    return values.map(({ change }) => change).filter((change) => done.has(change))
  }

  /** What is kept only for minutes goes first: it grows fastest. */
  retain(now: Instant, rows: number): Promise<number> {
    return this.#line.alone(async (query) => {
      let left = rows - (await this.#forgetRecent(query, now, rows))
      const before = forgetBefore(this.#history, now)
      if (left > 0) left -= await this.#keepTrends(query, now, left, before !== null)
      if (left > 0 && before !== null)
        left -= await this.#removed(query, 'forget_history($1, $2, $3, $4)', [now, before, left])
      return rows - left
    })
  }

  /** A statement that is carried out once, or not at all, and may be repeated. */
  write<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#line.write(text, values)
  }

  /** Between two commits. */
  alone<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#line.alone(work)
  }

  close(): Promise<void> {
    return this.#line.close()
  }

  #prepared(batch: CommitBatch, trends: readonly TrendChanges[]): PreparedBatch {
    const now = this.#now()
    const history = lookAtClock(this.#history, now)
    const past = lookAtClock(this.#past, now, pastRule(this.#bounds))
    return {
      committedAt: now,
      keepsUntil: history.keepsUntil,
      pastKeepsUntil: past.keepsUntil,
      rows: commitParameters({ ...batch, trends }),
      committed: () => {
        this.#history = history
        this.#past = past
        this.#lastChange = batch.resources.at(-1)?.change ?? this.#lastChange
      },
    }
  }

  async #joinedTrends({ trends }: CommitBatch): Promise<readonly TrendChanges[]> {
    if (trends.length === 0) return []
    const queries = trendQueries(this.#line.query)
    const { changes } = await trendRound(this.#trends, queries, (keeping) => keeping.commit(trends))
    return [changes]
  }

  async #forgetRecent(query: Query, now: Instant, rows: number): Promise<number> {
    const rule = pastRule(this.#bounds)
    this.#past = lookAtClock(this.#past, now, rule)
    const before = forgetBefore(this.#past, now, rule)
    const { changes, operations } = this.#bounds
    return await this.#removed(query, 'forget_recent($1, $2, $3, $4, $5, $6, $7)', [
      ...[now, rows, before, this.#past.keepsUntil, changes, operations],
    ])
  }

  async #keepTrends(query: Query, now: Instant, rows: number, forgets: boolean): Promise<number> {
    const [head] = await query<{ highest: number }>('SELECT highest_numeric_id AS highest FROM head', [])
    const round = await trendRound(this.#trends, trendQueries(query), (keeping) => {
      const added = keeping.addUpDays(now, head!.highest)
      return added + (forgets && rows > added ? keeping.forget(now, rows - added) : 0)
    })
    const { closed, removed } = round.changes
    if (closed.length > 0 || removed.length > 0)
      await this.#removed(query, 'keep_trends($1, $2, $3, $4, $5, $6, $7)', [
        ...[0, 1, 2].map((column) => closed.map((row) => row[column])),
        removed.map(({ level }) => level),
        removed.map(({ below }) => below),
        removed.map(({ count }) => count),
      ])
    this.#trends.settle()
    return round.result
  }

  async #removed(query: Query, call: string, values: readonly unknown[]): Promise<number> {
    const [answer] = await query<{ removed: number }>(`SELECT ${call} AS removed`, [
      this.#line.run,
      ...values,
    ])
    if (answer!.removed < 0) throw takenOver()
    return answer!.removed
  }
}

function requireInOrder(writes: readonly ResourceWrite[], lastChange: number): void {
  let last = lastChange
  for (const { change, id } of writes) {
    if (change <= last) throw new Error(`The change ${change} of ${id} comes after the change ${last}.`)
    last = change
  }
}
