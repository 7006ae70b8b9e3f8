// locations/open-tickets.ts: the checks that a probe has in this session, by their tickets. A ticket is given once and ends
// once. A result for one that ended without it is late, and ignored; one for a ticket that was never given, or was
// already answered, is a fault of the probe.
import { ProtocolFault } from './frame.ts'

export interface OpenCheck {
  readonly row: number
  readonly generation: number
  readonly offeredMs: number
  /** When the service stops waiting for the result. */
  readonly untilMs: number
}

/** Results may be owed for so many checks that have ended; a probe that owes more is not one of ours. */
const mostOwed = 65_536

export class OpenTickets {
  readonly #open = new Map<number, OpenCheck>()
  readonly #byRow = new Map<number, number>()
  /** Checks that ended without the probe, which may still answer them. Oldest first. */
  readonly #owed = new Set<number>()
  #next = 0

  get count(): number {
    return this.#open.size
  }

  hasCheckOf(row: number): boolean {
    return this.#byRow.has(row)
  }

  give(check: OpenCheck): number {
    const ticket = this.#next
    this.#next = (this.#next + 1) >>> 0
    this.#open.set(ticket, check)
    this.#byRow.set(check.row, ticket)
    return ticket
  }

  /** The probe has answered. Null if the check has already ended. Throws a ProtocolFault if it was never asked. */
  answer(ticket: number): OpenCheck | null {
    const check = this.#open.get(ticket)
    if (check !== undefined) {
      this.#open.delete(ticket)
      this.#byRow.delete(check.row)
      return check
    }
    if (this.#owed.delete(ticket)) return null
    throw new ProtocolFault('The probe reported on a check that it was not asked for.')
  }

  /** The check of this row ends without an answer; false if it has none. */
  end(row: number): boolean {
    const ticket = this.#byRow.get(row)
    if (ticket === undefined) return false
    this.#open.delete(ticket)
    this.#byRow.delete(row)
    this.#owed.add(ticket)
    if (this.#owed.size > mostOwed) for (const oldest of this.#owed) return this.#owed.delete(oldest)
    return true
  }

  /** Ends those that have been waited for long enough. */
  endExpired(nowMs: number): readonly OpenCheck[] {
    const expired = [...this.#open.values()].filter(({ untilMs }) => untilMs <= nowMs)
    for (const { row } of expired) this.end(row)
    return expired
  }

  all(): readonly OpenCheck[] {
    return [...this.#open.values()]
  }
}
