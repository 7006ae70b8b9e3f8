// checking/probe/thread-demand.ts: how many probe threads the load needs. Each additional thread costs memory
// and makes batches smaller, so one is added only when the others are busy, and removed when they could
// easily do its work. The initial number follows from the check rate of the fleet: a large fleet must not
// wait for its threads at the start, and a small one needs none.
import type { CheckDriver } from '../../checks/driver.ts'
import { checks } from '../../checks/registry.ts'
import { isReported } from '../../config/push-check.ts'
import type { ProbeFleet } from './probe-protocol.ts'

type Policies = Pick<ProbeFleet, 'policies'>

/** Up to this rate, running a check takes less of the engine's time than sending it to a thread would. */
const checksWithoutThread = 200

/** What one thread handles with much capacity to spare, unless its checks are expensive. */
const checksPerThread = 6_000

/** Above this fraction of busy time, one more thread is started. */
const busyFrom = 0.8
/** A thread is removed if the others would stay below this fraction without it. */
const easyBelow = 0.5
const easyForMs = 60_000
/**
 * How long threads have to take their share before another is added. A thread that has just started runs code
 * that is not compiled yet, and looks twice as busy as it will be.
 */
const settlingMs = 15_000
/** The load is averaged over about this time. */
const rememberedMs = 3_000

export interface ThreadBounds {
  /** 0 if the engine's own thread may do the work. */
  readonly least: number
  readonly most: number
}

/** The sum of 1/interval over all monitors that are checked. */
export function expectedChecksPerSecond({ policies: { of, values } }: Policies): number {
  const rates = values.map(({ type, enabled, intervalMs }) =>
    enabled && !isReported(type) ? 1_000 / intervalMs : 0,
  )
  let sum = 0
  for (const policy of of) sum += rates[policy]!
  return sum
}

export function threadsAtStart(fleet: Policies, bounds: ThreadBounds): number {
  if (bounds.least === 0 && needsNoThread(fleet)) return 0
  return Math.max(
    1,
    bounds.least,
    Math.min(bounds.most, Math.ceil(expectedChecksPerSecond(fleet) / checksPerThread)),
  )
}

/**
 * Whether the engine's own thread can run all checks. It must not run checks that are built on third-party
 * packages: their use of time and memory and their errors must be confined to a thread that can be replaced.
 */
export function needsNoThread(fleet: Policies): boolean {
  const drivers = checks as Readonly<Record<string, CheckDriver | undefined>>
  const isOurs = fleet.policies.values.every(({ type }) => drivers[type]?.requires === undefined)
  return isOurs && expectedChecksPerSecond(fleet) <= checksWithoutThread
}

export class ThreadDemand {
  readonly #bounds: ThreadBounds
  #lookedMs: number
  #changedMs: number
  #easySinceMs: number | null = null
  #load = 0

  constructor(bounds: ThreadBounds, nowMs: number) {
    this.#bounds = bounds
    this.#lookedMs = this.#changedMs = nowMs
  }

  /**
   * Returns how many threads there should be. load: the fraction of time since the last call in which these
   * threads were busy, on average.
   */
  look(threads: number, load: number, nowMs: number): number {
    const weight = 1 - Math.exp(-(nowMs - this.#lookedMs) / rememberedMs)
    this.#lookedMs = nowMs
    this.#load += (load - this.#load) * weight
    const isEasy = this.#load * threads < easyBelow * (threads - 1)
    if (!isEasy) this.#easySinceMs = null
    else this.#easySinceMs ??= nowMs
    if (this.#load > busyFrom && threads < this.#bounds.most && nowMs - this.#changedMs >= settlingMs)
      return this.#change(threads + 1, nowMs)
    const isEasyForLong = this.#easySinceMs !== null && nowMs - this.#easySinceMs >= easyForMs
    return isEasyForLong && threads > Math.max(1, this.#bounds.least)
      ? this.#change(threads - 1, nowMs)
      : threads
  }

  #change(threads: number, nowMs: number): number {
    this.#changedMs = nowMs
    this.#easySinceMs = null
    return threads
  }
}
