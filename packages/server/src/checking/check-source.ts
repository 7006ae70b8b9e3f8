// checking/check-source.ts: a place from which results of checks come: the probe threads of this process, workers outside it,
// or whatever else can tell how a target is. The flow offers it the time slots that have come. What becomes of each is told in a
// turn, once: a result, or that it was not taken. How a source gets to know is its own business.
import type { ProbeAmendment, ProbeFleet } from './probe/probe-protocol.ts'

export interface CheckSource {
  /** The types of checks that are its own: no other source has them. */
  readonly types: readonly string[]
  /**
   * Its checks run in this process: each has a place in the pool while it runs, and many that fail at once may be our own
   * fault.
   */
  readonly runsHere: boolean
  /** Its checks start when they are offered. Otherwise it tells in a turn that one has started. */
  readonly startsAtOnce: boolean
  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void
  amendFleet(fleet: ProbeFleet, amendment: ProbeAmendment): void
  /**
   * A time slot of this monitor has come; its next one comes at nextDueMs, by the monotonic clock. Nothing else of the
   * monitor is offered before this has ended. A result of an earlier generation is ignored.
   */
  offer(row: number, generation: number, nextDueMs: number): void
  /** All that is due in this moment has been offered. */
  flush(): void
  /**
   * The result of what was offered for this row does not count any more. True: nothing of it is left, and nothing is told of
   * it. False: it cannot be called back, and ends as ever.
   */
  cancel(row: number): boolean
  /** The share of time since the last call in which its threads were busy; absent where there are none. */
  takeLoad?(): number
}

/** The number of the source that has each type, by the number of the type. */
export function sourcesOfTypes(types: readonly string[], sources: readonly CheckSource[]): Uint8Array {
  return Uint8Array.from(types, (type) => {
    const number = sources.findIndex((source) => source.types.includes(type))
    if (number === -1) throw new Error(`results of ${type} checks come from nowhere`)
    return number
  })
}
