// store/postgres/commit-line.ts: the one connection that writes, one thing after the other. Batches are numbered within
// the run, and the commit function counts each number once. A batch whose answer was lost is in doubt: the same one is
// sent again with the same number, until the database says that it has it.
//
//   prepared ─▶ sent ─▶ acknowledged in time ─▶ done
//                │ └──▶ rolled back ─▶ rejected: nothing was written
//                │ └──▶ acknowledged late, or there already ─▶ a further batch ─▶ acknowledged in time ─▶ done
//                └────▶ no answer ─▶ rejected as in doubt; the next commit sends it again
//
// A late answer says nothing about now: another run may have taken the store over meanwhile. So effects begin only after
// a further batch was acknowledged in time.
import { StoreError } from '../store.ts'
import { storeError } from '../store-errors.ts'
import { commitCall } from './commit-function.ts'
import { type ConnectionOptions, PostgresConnection } from './connection.ts'
import { isServersAnswer, postgresTrouble, sqlStateOf } from './postgres-errors.ts'
import { stopwatch } from './stopwatch.ts'

/** Everything of a batch but its number. */
export interface PreparedBatch {
  readonly committedAt: number
  readonly keepsUntil: number | null
  readonly pastKeepsUntil: number | null
  /** An array for each column of each set. */
  readonly rows: readonly unknown[]
  /** Called once, when it is known to be committed. */
  committed(): void
}

export interface Reached {
  readonly position: number
  readonly batch: number
}

/** A takeover needs 5 s without a batch: within less, nobody else can have taken the store over. */
const certainWithinMs = 4_000

export interface Acknowledgement {
  readonly outcome: 'committed' | 'there'
  /** Since the batch was sent. */
  readonly elapsedMs: number
  /** A wait for a synchronous standby was cancelled. */
  readonly isUnreplicated: boolean
}

/** Whether the acknowledgement proves that this run still has the store. */
export function provesOwnership({ outcome, elapsedMs, isUnreplicated }: Acknowledgement): boolean {
  return outcome === 'committed' && elapsedMs <= certainWithinMs && !isUnreplicated
}

const answerWithinMs = 30_000
/** A run that lives commits at least once per second. */
const idleMs = 700
const lookForIdlenessMs = 250
const readOnly = '25006'

export interface CommitLineRules {
  /** If false, only commits show that the process lives; for tests that count batches. */
  readonly beats: boolean
  /** For tests with a wrong rule. */
  readonly proves?: typeof provesOwnership | undefined
}

export class CommitLine {
  readonly #options: ConnectionOptions
  readonly run: string
  readonly #emptyBatch: () => PreparedBatch
  readonly #proves: typeof provesOwnership
  #connection: PostgresConnection | null
  #last: Promise<unknown> = Promise.resolve()
  /** The number of the last batch that was acknowledged. */
  #batch = 0
  /** Sent, and perhaps committed. */
  #inDoubt: PreparedBatch | null = null
  /** The batch in doubt is one of ours, not of a caller. */
  #isOwnInDoubt = false
  readonly #beat: NodeJS.Timeout | null
  #isBeatWaiting = false
  #deliveredAt = performance.now()
  /** Committed, and not yet followed by a batch that was acknowledged in time. */
  #unconfirmed: Reached | null = null
  /** How long ago the last batch was sent that proved the ownership; null before the first. */
  #sinceProofMs: (() => number) | null = null
  #over: StoreError | null = null

  /** `connection`: by which the run has taken the store over. */
  constructor(
    options: ConnectionOptions,
    run: string,
    connection: PostgresConnection,
    emptyBatch: () => PreparedBatch,
    { beats, proves = provesOwnership }: CommitLineRules,
  ) {
    this.#options = options
    this.run = run
    this.#connection = connection
    this.#emptyBatch = emptyBatch
    this.#proves = proves
    this.#beat = beats ? setInterval(() => this.#beatIfIdle(), lookForIdlenessMs).unref() : null
  }

  /** Whether no other run can have taken the store over by now. */
  holds(): boolean {
    return this.#over === null && this.#sinceProofMs !== null && this.#sinceProofMs() <= certainWithinMs
  }

  /** If a batch is in doubt, the caller gives the same one again, and it is not prepared anew. */
  commit(prepare: () => Promise<PreparedBatch> | PreparedBatch): Promise<Reached> {
    return this.#alone(async () => {
      if (this.#inDoubt !== null && this.#isOwnInDoubt) await this.#deliver(this.#inDoubt, true)
      let reached = this.#unconfirmed
      let isCertain = false
      if (reached === null) {
        const delivered = await this.#deliver(this.#inDoubt ?? (await prepare()))
        reached = delivered
        isCertain = delivered.isCertain
        this.#unconfirmed = reached
      }
      while (!isCertain) isCertain = (await this.#deliver(this.#inDoubt ?? this.#emptyBatch())).isCertain
      this.#unconfirmed = null
      return { position: reached.position, batch: reached.batch }
    })
  }

  /** A statement that is carried out once, or not at all, and may be repeated. */
  write<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#alone(() => this.#query<Row>(text, values))
  }

  /** Several statements, without a commit between them. */
  alone<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#alone(() => work((text, values) => this.#query(text, values)))
  }

  /** For use while a batch is prepared. */
  readonly query: Query = (text, values) => this.#query(text, values)

  /** After all earlier calls. */
  close(): Promise<void> {
    if (this.#beat !== null) clearInterval(this.#beat)
    const closing = this.#last.then(async () => {
      if (this.#over === null && this.#inDoubt === null && this.#unconfirmed === null)
        await this.#query('SELECT end_run($1)', [this.run]).catch(() => undefined)
      this.#over ??= storeError('closed')
      await this.#connection?.end()
    })
    this.#last = closing.catch(() => undefined)
    return closing
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(async () => {
      if (this.#over !== null) throw this.#over
      try {
        return await work()
      } catch (error) {
        throw this.#told(error)
      }
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** While the caller has nothing to commit, such as during a start, so that no other process takes the store over. */
  #beatIfIdle(): void {
    if (this.#isBeatWaiting || !this.#isIdle()) return
    this.#isBeatWaiting = true
    // Looked at again in its turn: a commit that it waited for may be in doubt now, and must be the next to be sent.
    const beat = async () => {
      this.#isBeatWaiting = false
      if (this.#isIdle()) await this.#deliver(this.#emptyBatch(), true)
    }
    // The next commit reports what is wrong.
    this.#alone(beat).catch(() => undefined)
  }

  #isIdle(): boolean {
    const isSettled = this.#inDoubt === null && this.#unconfirmed === null && this.#over === null
    return isSettled && performance.now() - this.#deliveredAt > idleMs
  }

  #told(error: unknown): unknown {
    if (!(error instanceof StoreError)) return error
    const { problem, message, recovers, cause, told } = error
    if (!recovers) this.#over = error
    const inDoubt = this.#inDoubt !== null || this.#unconfirmed !== null
    return inDoubt && recovers ? new StoreError(problem, message, { cause, told, inDoubt }) : error
  }

  async #deliver(batch: PreparedBatch, isOwn = false): Promise<Reached & { readonly isCertain: boolean }> {
    const connection = await this.#connected()
    const elapsedMs = stopwatch()
    const number = this.#batch + 1
    const { committedAt, keepsUntil, pastKeepsUntil, rows } = batch
    const values = [this.run, number, committedAt, keepsUntil, pastKeepsUntil, ...rows]
    const { unreplicated } = connection
    let answers: { outcome: 'committed' | 'there' | 'fenced' | 'lost'; reached: number }[]
    try {
      answers = await connection.query(commitCall, values, { name: 'commit', withinMs: answerWithinMs })
    } catch (error) {
      // Once in doubt, it stays so: an earlier attempt may still be waiting for the row that this one has left.
      if (!isServersAnswer(error)) {
        this.#inDoubt = batch
        this.#isOwnInDoubt = isOwn
      }
      this.#dropIfUseless(error)
      throw error
    }
    const { outcome, reached: position } = answers[0]!
    if (outcome === 'fenced') throw takenOver()
    if (outcome === 'lost') throw postgresTrouble('gone', lostBatches)
    this.#inDoubt = null
    this.#batch = number
    this.#deliveredAt = performance.now()
    batch.committed()
    const isUnreplicated = connection.unreplicated !== unreplicated
    const isCertain = this.#proves({ outcome, elapsedMs: elapsedMs(), isUnreplicated })
    if (isCertain) this.#sinceProofMs = elapsedMs
    return { position, batch: number, isCertain }
  }

  async #query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const connection = await this.#connected()
    try {
      return await connection.query<Row & Record<string, unknown>>(text, values)
    } catch (error) {
      this.#dropIfUseless(error)
      throw error
    }
  }

  async #connected(): Promise<PostgresConnection> {
    if (this.#connection?.isLost) this.#connection = null
    if (this.#connection !== null) return this.#connection
    const connection = await PostgresConnection.open(this.#options)
    this.#connection = connection
    // A statement of the lost connection may still hold the row of the run.
    await connection.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = $1 AND usename = current_user AND pid <> pg_backend_pid()`,
      [this.#options.name],
    )
    return connection
  }

  /** A server that became read-only may have been replaced by another one. */
  #dropIfUseless(error: unknown): void {
    if (isServersAnswer(error) && sqlStateOf(error) !== readOnly) return
    this.#connection?.destroy()
    this.#connection = null
  }
}

export type Query = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>

const lostBatches =
  'PostgreSQL no longer has what it acknowledged: a standby without the last commits was promoted, or a backup was restored. Nothing more is decided; restart the service, which goes on from what the database has.'

export function takenOver(): StoreError {
  return new StoreError(
    'fenced',
    'Another process has taken over the store, so this one ends; it stands by when it is started again.',
  )
}
