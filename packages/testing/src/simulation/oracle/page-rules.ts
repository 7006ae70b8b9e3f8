// simulation/oracle/page-rules.ts: a client reads the log page by page while it grows. It reads the log as of
// the first page: nothing twice, nothing missing, nothing that came later.
import type { EventPage, EventQuery } from '@pulseward/server/internal/store/store.ts'
import type { Random } from '../../random.ts'
import type { Findings } from './findings.ts'
import type { LogRules } from './log-rules.ts'

export type ReadPage = (query: EventQuery) => Promise<EventPage>

interface Reading {
  readonly monitorId: string | null
  readonly order: 'asc' | 'desc'
  readonly upTo: number
  readonly limit: number
  readonly positions: number[]
}

export class PageRules {
  readonly #findings: Findings
  readonly #log: LogRules
  readonly #random: Random
  readonly #read: ReadPage
  #reading: Reading | null = null

  constructor(findings: Findings, log: LogRules, random: Random, read: ReadPage) {
    this.#findings = findings
    this.#log = log
    this.#random = random
    this.#read = read
  }

  /** Reads one more page. */
  async turn(): Promise<void> {
    this.#reading ??= this.#begin()
    const { monitorId, order, upTo, limit, positions } = this.#reading
    const page = await this.#read({ monitorId, order, upTo, limit, after: positions.at(-1) ?? null })
    positions.push(...page.events.map(({ position }) => position))
    if (page.more) return
    this.#compare(this.#reading)
    this.#reading = null
  }

  #begin(): Reading {
    const random = this.#random
    const { events } = this.#log
    const some = events.length === 0 ? null : random.pick(events).monitorId
    return {
      monitorId: random.chance(0.5) ? null : some,
      order: random.pick(['asc', 'desc']),
      upTo: events.length,
      // Enough for a few pages, however long the log is.
      limit: Math.max(5, Math.ceil(events.length / random.whole(2, 6))),
      positions: [],
    }
  }

  #compare({ monitorId, order, upTo, positions }: Reading): void {
    const expected = this.#log.events
      .slice(0, upTo)
      .flatMap((event, index) => (monitorId === null || event.monitorId === monitorId ? [index + 1] : []))
    if (order === 'desc') expected.reverse()
    const isSame =
      expected.length === positions.length && expected.every((one, index) => one === positions[index])
    if (!isSame)
      this.#findings.note(
        '8 pagination',
        `${positions.length} events were read of ${expected.length} that were there at ${upTo}`,
      )
  }
}
