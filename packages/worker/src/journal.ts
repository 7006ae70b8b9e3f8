// journal.ts: what a worker must not forget, in an SQLite file: executions whose handler may have started,
// outcomes without a receipt, and the latest executions that ended. A handler runs only after its start is on
// disk, and an outcome is sent only after it is on disk. So after a kill, the next process knows what may
// have started and what must still be reported. One commit covers all writes of a few milliseconds.
//
// started ──finish──▶ undelivered ──end──▶ ended. Entries that are `started` when the file is opened were left
// by the previous process.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { JobKind } from './job-type.ts'
import { openJournalFile } from './journal-file.ts'
import { WorkerError } from './worker-error.ts'

export interface Execution {
  readonly executionID: string
  readonly grantID: string
  readonly kind: JobKind
}

/** An execution in the journal; `seq` is its row. */
export interface Entry extends Execution {
  readonly seq: number
}

/** How the delivery of an outcome ended. */
export type Ending = 'receipt' | 'notFound' | 'conflict' | 'refused'

interface Write {
  readonly run: () => void
  readonly done: (isOnDisk: boolean) => void
  /** Whether to continue if the write fails; then `done` gets false. */
  readonly mayGoOn: boolean
}

const states = { started: 1, undelivered: 2, ended: 3 } as const

/** How many ended executions are remembered, so that none of them runs again even if the service offers it again. */
const remembered = 10_000
const betweenCommitsMs = 5
const retryMs = 1_000

export class Journal {
  readonly #database: DatabaseSync
  readonly #known = new Set<string>()
  readonly #onTrouble: (error: unknown) => void
  readonly #statements: Readonly<
    Record<'start' | 'finish' | 'end' | 'forget' | 'outcome' | 'setMeta', StatementSync>
  >
  #writes: Write[] = []
  #cancelCommit: (() => void) | null = null
  #committedAt = Number.NEGATIVE_INFINITY
  #lastSeq: number
  #sinceForgetting = 0
  #isWritable = true
  #isClosed = false
  #serverID: string | null
  readonly workerID: string
  /** Executions left by the previous process, whose handlers may have started. */
  readonly interrupted: readonly Entry[]
  /** Outcomes without a receipt, left by the previous process. */
  readonly leftOver: readonly Entry[]

  /** `onTrouble` is called once when the disk stops taking writes, and with null when it takes them again. */
  constructor(path: string, workerID: string | undefined, onTrouble: (error: unknown) => void) {
    this.#database = openJournalFile(path)
    this.#onTrouble = onTrouble
    this.#statements = this.#prepare()
    const rows = this.#database
      .prepare(
        'SELECT seq, execution AS executionID, grant_id AS grantID, kind, state FROM executions ORDER BY seq',
      )
      .all() as unknown as (Entry & { state: number })[]
    for (const { executionID } of rows) this.#known.add(executionID)
    this.interrupted = rows.filter(({ state }) => state === states.started)
    this.leftOver = rows.filter(({ state }) => state === states.undelivered)
    this.#lastSeq = rows.at(-1)?.seq ?? 0
    this.#serverID = this.#meta('serverID')
    this.workerID = workerID ?? this.#meta('workerID') ?? this.#newWorkerID()
  }

  get isWritable(): boolean {
    return this.#isWritable
  }

  /** Whether this worker has had the execution before. */
  knows(executionID: string): boolean {
    return this.#known.has(executionID)
  }

  /** The journal belongs to the first service that answers. */
  belongsTo(serverID: string): boolean {
    if (this.#serverID === null) {
      this.#serverID = serverID
      void this.#write(true, () => this.#statements.setMeta.run('serverID', serverID))
    }
    return this.#serverID === serverID
  }

  /** Resolves when the start is on disk. Only then may the handler run. */
  async start(execution: Execution): Promise<Entry> {
    this.#known.add(execution.executionID)
    const entry = { ...execution, seq: ++this.#lastSeq }
    const { executionID, grantID, kind } = execution
    await this.#write(false, () =>
      this.#statements.start.run(entry.seq, executionID, grantID, kind, states.started),
    )
    return entry
  }

  /**
   * Keeps the outcome until it is delivered. Resolves with true when it is on disk, or with false if the
   * write fails: then it is delivered from memory, and written when the disk works again.
   */
  finish(entry: Entry, outcome: string): Promise<boolean> {
    return this.#write(true, () => this.#statements.finish.run(states.undelivered, outcome, entry.seq))
  }

  /** Not awaited: if this write is lost, the outcome is delivered again and gets the same receipt. */
  end(entry: Entry, ending: Ending, receiptID: string): void {
    void this.#write(true, () => {
      this.#statements.end.run(states.ended, ending, receiptID, entry.seq)
      if (++this.#sinceForgetting >= remembered / 10) this.#forget()
    })
  }

  /** The text to send, exactly as it was stored. */
  outcomeOf(entry: Entry): string {
    const row = this.#statements.outcome.get(entry.seq) as { outcome: string | null } | undefined
    if (typeof row?.outcome === 'string') return row.outcome
    throw new WorkerError(
      'journalUnusable',
      `The journal has lost the outcome of execution ${entry.executionID}.`,
    )
  }

  /** Writes what is pending and closes the file. */
  close(): void {
    if (this.#isClosed) return
    this.#commit()
    this.#isClosed = true
    this.#cancelCommit?.()
    this.#database.close()
  }

  #write(mayGoOn: boolean, run: () => void): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#writes.push({ run, done: resolve, mayGoOn })
    this.#schedule()
    return promise
  }

  #schedule(): void {
    if (this.#cancelCommit !== null || this.#isClosed) return
    const waitMs = this.#isWritable ? this.#committedAt + betweenCommitsMs - performance.now() : retryMs
    const commit = () => {
      this.#cancelCommit = null
      this.#commit()
    }
    if (waitMs <= 0) {
      const immediate = setImmediate(commit)
      this.#cancelCommit = () => clearImmediate(immediate)
    } else {
      const timer = setTimeout(commit, waitMs)
      this.#cancelCommit = () => clearTimeout(timer)
    }
  }

  #commit(): void {
    const writes = this.#writes
    if (writes.length === 0 || this.#isClosed) return
    try {
      this.#database.exec('BEGIN IMMEDIATE')
      for (const { run } of writes) run()
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#failed(error)
      return
    }
    this.#writes = []
    this.#committedAt = performance.now()
    for (const { done } of writes) done(true)
    if (this.#isWritable) return
    this.#isWritable = true
    this.#onTrouble(null)
  }

  #failed(error: unknown): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
    if (this.#isWritable) this.#onTrouble(error)
    this.#isWritable = false
    for (const { done, mayGoOn } of this.#writes) if (mayGoOn) done(false)
    this.#schedule()
  }

  #forget(): void {
    this.#sinceForgetting = 0
    const forgotten = this.#statements.forget.all(states.ended, this.#lastSeq - remembered)
    for (const { execution } of forgotten) this.#known.delete(String(execution))
  }

  #prepare() {
    const prepare = (sql: string) => this.#database.prepare(sql)
    return {
      start: prepare('INSERT INTO executions (seq, execution, grant_id, kind, state) VALUES (?, ?, ?, ?, ?)'),
      finish: prepare('UPDATE executions SET state = ?, outcome = ? WHERE seq = ?'),
      end: prepare('UPDATE executions SET state = ?, outcome = NULL, ending = ?, receipt = ? WHERE seq = ?'),
      forget: prepare('DELETE FROM executions WHERE state = ? AND seq <= ? RETURNING execution'),
      outcome: prepare('SELECT outcome FROM executions WHERE seq = ?'),
      setMeta: prepare('INSERT INTO meta (name, value) VALUES (?, ?)'),
    }
  }

  #meta(name: string): string | null {
    const row = this.#database.prepare('SELECT value FROM meta WHERE name = ?').get(name)
    return typeof row?.['value'] === 'string' ? row['value'] : null
  }

  /** Stored, so that it stays the same in every process that uses this journal. */
  #newWorkerID(): string {
    const host = hostname()
      .replace(/[^A-Za-z0-9._-]/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 100)
    const workerID = `${host || 'worker'}-${randomBytes(3).toString('hex')}`
    this.#statements.setMeta.run('workerID', workerID)
    return workerID
  }
}
