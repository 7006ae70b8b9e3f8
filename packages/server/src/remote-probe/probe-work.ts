// remote-probe/probe-work.ts: the work of a probe: runs what the service asks for and reports on each check once. Checks that
// were begun for a session that is over end unheard.
import type { Buffer } from 'node:buffer'
import type { ProbePool } from '../checking/probe/probe-pool.ts'
import { notMade, outcomeStatuses, type ResultBatch } from '../checking/probe/probe-protocol.ts'
import { type RemoteNote, type RemoteResults, readNumbers, readTickets } from '../locations/batches.ts'
import type { Definition, ProbeState } from '../locations/messages.ts'
import type { Clock } from '../platform/clock.ts'
import { HeldDefinitions } from './held-definitions.ts'
import { Lateness } from './lateness.ts'

/** The session that the work is for. */
export interface WorkReports {
  results(results: RemoteResults): void
  state(state: ProbeState): void
}

export interface ProbeWorkOptions {
  readonly pool: ProbePool
  readonly clock: Clock
  /** The outcomes as the service should take them. */
  readonly judge: (batch: ResultBatch) => Uint8Array
  readonly log: (words: string) => void
}

interface Asked {
  readonly ticket: number
  readonly number: number
  readonly receivedMs: number
}

const noData = outcomeStatuses.indexOf('no_data')
const ownFaultReason = 'the network of the probe does not work'

export class ProbeWork {
  readonly held: HeldDefinitions
  readonly #options: ProbeWorkOptions
  readonly #lateness = new Lateness()
  /** By the number that the pool knows them by, which no other check of this process has. */
  readonly #asked = new Map<number, Asked>()
  #next = 0
  #reports: WorkReports | null = null
  #isDraining = false
  #whenIdle: (() => void) | null = null

  constructor(options: ProbeWorkOptions) {
    const { pool, log } = options
    this.#options = options
    this.held = new HeldDefinitions(pool)
    pool.tell({
      results: (batch) => this.#ended(batch),
      lost: (rows, words) => {
        log(`${words}; it is replaced, and its checks have no result`)
        this.#lost(new Set(rows), words)
      },
    })
  }

  begin(reports: WorkReports): void {
    this.#reports = reports
    if (this.#isDraining) this.#tellState()
  }

  /** The session is over. */
  end(): void {
    this.#reports = null
    this.#asked.clear()
    this.#lateness.caughtUp()
    this.held.clear()
    this.#whenIdle?.()
  }

  define(definitions: readonly Definition[]): void {
    this.held.define(definitions)
  }

  forget(body: Buffer): void {
    this.held.forget(readNumbers(body))
  }

  run(body: Buffer): void {
    const { tickets, numbers } = readTickets(body)
    const receivedMs = this.#options.clock.monotonicMs()
    for (const [index, number] of numbers.entries()) {
      const id = this.#next
      this.#next = (this.#next + 1) >>> 0
      this.#asked.set(id, { ticket: tickets[index]!, number, receivedMs })
      this.#options.pool.offer(number, id)
    }
    this.#options.pool.flush()
  }

  /** Asks for no more checks, and resolves when all have ended, or the session has. */
  drain(): Promise<void> {
    this.#isDraining = true
    this.#tellState()
    if (this.#asked.size === 0 || this.#reports === null) return Promise.resolve()
    return new Promise((resolve) => {
      this.#whenIdle = resolve
    })
  }

  #ended(batch: ResultBatch): void {
    const { clock, judge } = this.#options
    const outcomes = judge(batch)
    const nowMs = clock.monotonicMs()
    const wasOverloaded = this.#lateness.isOverloaded
    const positions: number[] = []
    const tickets: number[] = []
    for (const [position, id] of batch.generations.entries()) {
      const asked = this.#asked.get(id)
      if (asked === undefined) continue
      this.#asked.delete(id)
      this.#lateness.noteWait(batch.startedMs[position]! - asked.receivedMs, nowMs)
      positions.push(position)
      tickets.push(asked.ticket)
    }
    if (positions.length > 0) this.#reports?.results(remoteResults(batch, outcomes, positions, tickets))
    this.#settle(wasOverloaded)
  }

  #lost(numbers: ReadonlySet<number>, words: string): void {
    const lost = [...this.#asked].filter(([, { number }]) => numbers.has(number))
    for (const [id] of lost) this.#asked.delete(id)
    const tickets = Uint32Array.from(lost, ([, { ticket }]) => ticket)
    if (lost.length > 0)
      this.#reports?.results({
        tickets,
        outcomes: new Uint8Array(lost.length).fill(noData),
        tookMs: new Float32Array(lost.length),
        latencyMs: new Float32Array(lost.length),
        notes: lost.map((_, position) => ({
          position,
          reason: words,
          warning: null,
          certificateExpiresAt: null,
        })),
      })
    this.#settle(this.#lateness.isOverloaded)
  }

  #settle(wasOverloaded: boolean): void {
    if (this.#asked.size === 0) {
      this.#lateness.caughtUp()
      this.#whenIdle?.()
    }
    if (this.#lateness.isOverloaded !== wasOverloaded) this.#tellState()
  }

  #tellState(): void {
    this.#reports?.state({ isDraining: this.#isDraining, isOverloaded: this.#lateness.isOverloaded })
  }
}

function remoteResults(
  batch: ResultBatch,
  outcomes: Uint8Array,
  positions: readonly number[],
  tickets: readonly number[],
): RemoteResults {
  const noteAt = new Map(batch.notes.map((note) => [note.position, note]))
  const notes = positions.flatMap((from, position): RemoteNote[] => {
    const { reason = null, warning = null, certificateExpiresAt = null } = noteAt.get(from) ?? {}
    const isExcused = (outcomes[from]! & notMade) !== 0
    const words = isExcused ? ownFaultReason : reason
    if (words === null && warning === null && certificateExpiresAt === null) return []
    return [{ position, reason: words, warning, certificateExpiresAt }]
  })
  return {
    tickets: Uint32Array.from(tickets),
    outcomes: Uint8Array.from(positions, (from) => outcomes[from]!),
    tookMs: Float32Array.from(positions, (from) => batch.finishedMs[from]! - batch.startedMs[from]!),
    latencyMs: Float32Array.from(positions, (from) => batch.latencyMs[from]!),
    notes,
  }
}
