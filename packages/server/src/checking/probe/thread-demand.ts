// checking/probe/thread-demand.ts: how many probe threads the load needs. Each thread more costs memory and makes batches
// smaller, so a second one comes only when the first is busy, and goes when the rest could do its work with ease. The first
// number follows from the rate that the fleet asks for: a large fleet must not wait for its threads at the start, and a small
// one needs none.
import type { CheckDriver } from '../../checks/driver.ts'
import { checks } from '../../checks/registry.ts'
import type { ProbeFleet } from './probe-protocol.ts'

type Policies = Pick<ProbeFleet, 'policies'>

/** Up to this many checks per second take less of the engine's time than a thread would to be told of them. */
const checksWithoutThread = 200

/** What one thread does with much time to spare, unless its checks are expensive ones. */
const checksPerThread = 6_000

/** Above this share of busy time, one more thread is started. */
const busyFrom = 0.8
/** A thread leaves when the others would stay below this share without it. */
const easyBelow = 0.5
const easyForMs = 60_000
/**
 * How long threads have to take their share before another is asked for. A thread that has just started runs code that
 * is not compiled yet, and looks twice as busy as it will be.
 */
const settlingMs = 15_000
/** Load is the mean over about this time. */
const rememberedMs = 3_000

export interface ThreadBounds {
  /** 0 where the engine's own thread may do the work. */
  readonly least: number
  readonly most: number
}

/** Σ 1/interval of the monitors that are checked. */
export function expectedChecksPerSecond({ policies: { of, values } }: Policies): number {
  const rates = values.map(({ enabled, intervalMs }) => (enabled ? 1_000 / intervalMs : 0))
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
 * Whether the engine's own thread can run all checks. Not those that are built on somebody else's package: what
 * that does with its time, its memory and its errors must end in a thread that can be replaced.
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

  /** load: the share of time since the last look in which so many threads were busy, on average. How many there should be. */
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
