// store/postgres/process-register.ts: the table of the processes that share the store. Each counts up in its row, and the
// others see by their own clock whether it still does. The register only informs: nothing is decided by it but whether
// fleet files differ.
import type { KnownProcess, ProcessCard, Sharing } from '../standing.ts'
import type { Query } from './commit-line.ts'

export interface RegisteredProcess extends ProcessCard {
  readonly run: string
  readonly beat: number
  readonly isActive: boolean
}

interface Exchanged extends RegisteredProcess {
  readonly takeovers: number
}

const tellEveryMs = 1_000
/** A process that did not count for this long is not shown, nor one that never did while we looked; rows go a while later. */
const unheardAfterMs = 10_000
const forgottenAfterMs = 60_000

export class ProcessRegister implements Sharing {
  readonly #query: Query
  readonly #run: string
  readonly #card: () => ProcessCard
  /** Since when each row has this count; `lives` once it was seen to grow. */
  readonly #heard = new Map<string, { beat: number; atMs: number; lives: boolean }>()
  #known: readonly RegisteredProcess[] = []
  #takeovers: number | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(query: Query, run: string, card: () => ProcessCard) {
    this.#query = query
    this.#run = run
    this.#card = card
  }

  /** Tells and looks regularly. What fails is tried again; the commits report what is wrong. */
  start(): void {
    this.#timer = setInterval(() => void this.exchange().catch(() => undefined), tellEveryMs).unref()
    void this.exchange().catch(() => undefined)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  /** Updates the own row and reads those of the others. */
  async exchange(): Promise<void> {
    const { name, url, place, files } = this.#card()
    const rows = await this.#query<Exchanged>(
      `WITH told AS (
         INSERT INTO process (run, name, url, place, files) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (run) DO UPDATE SET beat = process.beat + 1, name = $2, url = $3, place = $4, files = $5)
       SELECT process.run, process.name, process.url, process.place, process.files, process.beat,
         process.run = head.run AS "isActive", head.takeovers
       FROM head LEFT JOIN process ON true`,
      [this.#run, name, url, place, files],
    )
    this.#takeovers = rows[0]!.takeovers
    this.#known = rows.filter(({ run }) => run !== null)
    this.#listen(performance.now())
    await this.#forgetGone(performance.now())
  }

  /** Leaves the register; for a process that stood by. */
  async leave(): Promise<void> {
    this.stop()
    await this.#query('DELETE FROM process WHERE run = $1', [this.#run])
  }

  get active(): RegisteredProcess | null {
    return this.#known.find(({ isActive }) => isActive) ?? null
  }

  takeovers(): number | null {
    return this.#takeovers
  }

  processes(): readonly KnownProcess[] {
    const { name, url, files } = this.#card()
    const now = performance.now()
    const others = this.#known.filter(({ run }) => run !== this.#run && this.#lives(run, now))
    return [
      { name, url, role: 'active', hasSameFiles: true },
      ...others.map((other) => ({
        name: other.name,
        url: other.url,
        role: 'standby' as const,
        hasSameFiles: other.files === files,
      })),
    ]
  }

  #listen(now: number): void {
    for (const { run, beat } of this.#known) {
      const before = this.#heard.get(run)
      if (before?.beat !== beat) this.#heard.set(run, { beat, atMs: now, lives: before !== undefined })
    }
  }

  async #forgetGone(now: number): Promise<void> {
    const gone = this.#known.filter(
      ({ run, isActive }) => !isActive && this.#silentMs(run, now) > forgottenAfterMs,
    )
    for (const { run, beat } of gone) {
      this.#heard.delete(run)
      await this.#query('DELETE FROM process WHERE run = $1 AND beat = $2', [run, beat])
    }
  }

  #lives(run: string, now: number): boolean {
    return this.#heard.get(run)?.lives === true && this.#silentMs(run, now) < unheardAfterMs
  }

  #silentMs(run: string, now: number): number {
    return now - (this.#heard.get(run)?.atMs ?? now)
  }
}
