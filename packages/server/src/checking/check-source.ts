// checking/check-source.ts: a place that check results come from: the probe threads of this process, external workers, or
// anything else that can observe a target. The flow offers it time slots as they come. The source reports on each of them
// exactly once, in a turn: with a result, or that the offer was not taken. How it gets the result is up to the source.
import type { ProbeAmendment, ProbeFleet, ResultNote } from './probe/probe-protocol.ts'

export interface CheckSource {
  /** The check types that only this source handles. */
  readonly types: readonly string[]
  /** Present in the one source that runs checks whose monitors name a location, whatever their type. */
  readonly isElsewhere?: true
  /**
   * Its checks run in this process: each takes a place in the pool while it runs, and if many fail at once it
   * may be our own fault.
   */
  readonly runsHere: boolean
  /** Its checks start when they are offered. Otherwise the source reports each start in a turn. */
  readonly startsAtOnce: boolean
  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void
  amendFleet(fleet: ProbeFleet, amendment: ProbeAmendment): void
  /**
   * A time slot of this monitor has come; the next one is at nextDueMs, by the monotonic clock. Nothing else
   * is offered for the monitor before this has ended. Results of an earlier generation are ignored.
   */
  offer(row: number, generation: number, nextDueMs: number): void
  /** Everything that is due now has been offered. */
  flush(): void
  /**
   * The result of this row's offer no longer counts. True: it is dropped, and nothing will be reported.
   * False: it cannot be recalled and ends as usual.
   */
  cancel(row: number): boolean
  /**
   * Present in a source that runs nothing at intervals: it says when a monitor needs it, and gets these
   * deadlines instead of time slots, offers and places in the pool.
   */
  readonly deadlines?: SourceDeadlines
  /** Present in a source that lets another one carry out a part of a check: the result of that part. */
  takePart?(part: PartResult): void
  /** The fraction of time since the last call in which its threads were busy; absent if it has none. */
  takeLoad?(): number
}

/** What one source found for the check of another, which ends when that one says so. */
export interface PartResult {
  readonly row: number
  readonly generation: number
  readonly startedMs: number
  /** As in a batch of results, with own faults found. */
  readonly outcome: number
  readonly latencyMs: number
  readonly note: ResultNote | null
}

/** Why a monitor is watched from now on: it is new, its check changed, or it was disabled or snoozed. */
export type WatchedBecause = 'added' | 'check-changed' | 'again'

/** All of these are called during a turn. */
export interface SourceDeadlines {
  /** Called once, with what arms the wheel: by the monotonic clock, or null to disarm. Only for watched monitors. */
  connect(arm: (row: number, dueMs: number | null) => void): void
  watch(row: number, because: WatchedBecause): void
  /** The monitor was disabled, snoozed or removed. */
  unwatch(row: number): void
  /** The time that was armed has come; it is armed no more. */
  passed(row: number): void
}

/** The index of the source that runs checks at other locations; -1 if there is none. */
export function sourceElsewhere(sources: readonly CheckSource[]): number {
  return sources.findIndex(({ isElsewhere }) => isElsewhere)
}

/** The index of the source that handles each check type, by the number of the type. */
export function sourcesOfTypes(types: readonly string[], sources: readonly CheckSource[]): Uint8Array {
  return Uint8Array.from(types, (type) => {
    const number = sources.findIndex((source) => source.types.includes(type))
    if (number === -1) throw new Error(`no source runs ${type} checks`)
    return number
  })
}
