// fenced-simulation/simulated-database.ts: what PostgreSQL does for the fence: the rows of the runs, a commit that counts its
// batch, a takeover, the register of processes, sessions that can be ended. Each statement of the product is answered by what
// it does; the content of a batch is in a store in memory. It can be slow, full, restarted, and broken on purpose.
import { MemoryStore } from '@pulseward/server/internal/store/memory-store.ts'
import { commitCall } from '@pulseward/server/internal/store/postgres/commit-function.ts'
import { currentFormat, placeQuery } from '@pulseward/server/internal/store/postgres/format.ts'
import type { CommitBatch } from '@pulseward/server/internal/store/store.ts'
import type { Random } from '../random.ts'
import type { Agenda } from '../simulation/agenda.ts'

/** What the first statement of a commit asks of the row of its run. */
export type Fence = (
  row: RunRow,
  asked: { readonly run: string; readonly batch: number; readonly head: string },
) => boolean

export interface RunRow {
  run: string
  batch: number
  ended: boolean
  fencedBy: string | null
}

export interface DatabaseWitness {
  /** A batch of a run is on disk; `fencedBy` took the store over before. */
  committed(run: string, batch: CommitBatch, fencedBy: string | null): void
  tookOver(run: string, before: string): void
}

export interface DatabaseOptions {
  readonly agenda: Agenda
  readonly random: Random
  readonly nowMs: () => number
  readonly wallMs: () => number
  readonly witness: DatabaseWitness
  readonly fence: Fence
}

export const fence: Fence = (row, { batch }) => row.batch === batch - 1 && row.fencedBy === null

export interface Session {
  readonly name: string
  isOpen: boolean
  /** The connection is gone, as its client notices. */
  readonly closed: () => void
}

type Row = Readonly<Record<string, unknown>>
type Answer = (rows: readonly Row[] | Error) => void

interface Registered {
  readonly name: string
  readonly url: string
  readonly place: string
  readonly files: string
  beat: number
}

const lockWaitMs = 3_000

export class SimulatedDatabase {
  readonly store: MemoryStore
  latencyMs = 2
  isFull = false
  isDown = false
  takeovers = 0
  readonly #options: DatabaseOptions
  readonly #runs = new Map<string, RunRow>([['none', { run: 'none', batch: 0, ended: true, fencedBy: null }]])
  #head = 'none'
  #position = 0
  readonly #sessions = new Set<Session>()
  readonly #register = new Map<string, Registered>()
  /** A commit that is being written keeps the row of its run locked. */
  #writing: { readonly session: Session; readonly run: string; finish: () => void } | null = null
  #waiting: (() => void)[] = []

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.store = new MemoryStore(options.wallMs)
  }

  /** The run that has the store, or had it last. */
  get owner(): string {
    return this.#head
  }

  open(session: Session): void {
    this.#sessions.add(session)
  }

  close(session: Session): void {
    session.isOpen = false
    this.#sessions.delete(session)
    if (this.#writing?.session === session) this.#release()
  }

  /** The machine of the database loses power; a commit that was being written is on disk or not. */
  crash(): void {
    if (this.#options.random.chance(0.5)) this.#writing?.finish()
    this.isDown = true
    for (const session of [...this.#sessions]) {
      this.close(session)
      session.closed()
    }
    this.#release()
  }

  /** The connections of a run are reset on their way. */
  cut(name: string): void {
    for (const session of [...this.#sessions]) {
      if (session.name !== name) continue
      this.close(session)
      session.closed()
    }
  }

  query(session: Session, text: string, values: readonly unknown[], answer: Answer): void {
    if (text === commitCall) return this.#commit(session, values, answer)
    if (text.startsWith('SELECT take_over('))
      return this.#takeOver(values as [string, string, number], answer)
    answer(this.#answerAtOnce(session, text, values))
  }

  #answerAtOnce(session: Session, text: string, values: readonly unknown[]): readonly Row[] {
    if (text.includes("to_regclass('head')")) return [{ table: 'head' }]
    if (text.startsWith('SELECT format FROM head')) return [{ format: currentFormat }]
    if (text.startsWith('UPDATE head SET identity')) return []
    if (text.includes('moved_to IS NOT NULL')) return []
    if (text === placeQuery) return [{ place: 'here' }]
    if (text.startsWith('SELECT place, epoch'))
      return [{ place: 'here', epoch: 1, restores: '[]', committedAt: null }]
    if (text.startsWith('SELECT run.run, run.batch, run.ended')) return [{ ...this.#runs.get(this.#head)! }]
    if (text.startsWith('SELECT end_run(')) return this.#end(String(values[0]))
    if (text.includes('INSERT INTO process')) return this.#exchange(values as string[])
    if (text.startsWith('DELETE FROM process')) return this.#forget(String(values[0]))
    if (text.includes('pg_terminate_backend')) return this.#endSessions(session, String(values[0]))
    throw new Error(`the simulated database does not know this statement: ${text}`)
  }

  #commit(session: Session, values: readonly unknown[], answer: Answer): void {
    const [run, batch, , , , content] = values as [string, number, unknown, unknown, unknown, CommitBatch]
    this.#whenFree(
      run,
      () => {
        if (!session.isOpen) return
        const row = this.#runs.get(run)
        const isFenced = row === undefined || !this.#options.fence(row, { run, batch, head: this.#head })
        if (isFenced) return answer([{ outcome: outcomeOf(row, batch), reached: this.#position }])
        if (this.isFull) return answer(serverError('53100'))
        const finish = () => {
          const { fencedBy } = row
          row.batch = batch
          void this.store.commit(content)
          this.#position += content.events.length
          this.#options.witness.committed(run, content, fencedBy)
        }
        const writing = { session, run, finish }
        this.#writing = writing
        const { agenda, nowMs, random } = this.#options
        agenda.at(nowMs() + random.between(0.5, 1.5) * this.latencyMs, () => {
          if (this.#writing !== writing) return
          finish()
          this.#release()
          answer([{ outcome: 'committed', reached: this.#position }])
        })
      },
      () => answer(serverError('55P03')),
    )
  }

  #takeOver([run, before, observed]: [string, string, number], answer: Answer): void {
    const judge = () => {
      const row = this.#runs.get(before)
      if (row === undefined || row.batch !== observed || row.fencedBy !== null)
        return answer([{ taken: false }])
      row.fencedBy = run
      this.#runs.set(run, { run, batch: 0, ended: false, fencedBy: null })
      this.#head = run
      if (!row.ended) this.takeovers++
      for (const [name, { fencedBy }] of this.#runs)
        if (fencedBy !== null && name !== run && name !== before) this.#runs.delete(name)
      this.#options.witness.tookOver(run, before)
      answer([{ taken: true }])
    }
    this.#whenFree(before, judge, () => answer(serverError('55P03')))
  }

  #end(run: string): readonly Row[] {
    const row = this.#runs.get(run)
    if (row?.fencedBy === null) row.ended = true
    return []
  }

  #exchange([run, name, url, place, files]: readonly string[]): readonly Row[] {
    const beat = (this.#register.get(run!)?.beat ?? -1) + 1
    // The statement sees the rows as they were.
    const rows = [...this.#register].map(([other, known]) => ({
      ...known,
      run: other,
      isActive: other === this.#head,
      takeovers: this.takeovers,
    }))
    this.#register.set(run!, { name: name!, url: url!, place: place!, files: files!, beat })
    return rows.length > 0 ? rows : [{ run: null, takeovers: this.takeovers }]
  }

  #forget(run: string): readonly Row[] {
    this.#register.delete(run)
    return []
  }

  #endSessions(asking: Session, name: string): readonly Row[] {
    for (const session of [...this.#sessions]) {
      if (session.name !== name || session === asking) continue
      this.close(session)
      session.closed()
    }
    return []
  }

  #whenFree(run: string, work: () => void, tooLate: () => void): void {
    if (this.#writing?.run !== run) return work()
    const { agenda, nowMs } = this.#options
    let isOver = false
    const begin = () => {
      if (!isOver) this.#whenFree(run, work, tooLate)
      isOver = true
    }
    this.#waiting.push(begin)
    agenda.at(nowMs() + lockWaitMs, () => {
      if (!isOver) tooLate()
      isOver = true
    })
  }

  #release(): void {
    this.#writing = null
    for (const begin of this.#waiting.splice(0)) begin()
  }
}

function outcomeOf(row: RunRow | undefined, batch: number): 'fenced' | 'there' | 'lost' {
  if (row === undefined || row.fencedBy !== null) return 'fenced'
  return row.batch === batch ? 'there' : 'lost'
}

function serverError(code: string): Error {
  return Object.assign(new Error('refused by the server'), { code, severity: 'ERROR' })
}
