// self-watch/own-fault.ts: whether failures are our own. Only timeouts and local errors are ever asked about: an answer
// from the target's side is never our fault. They are excused when many fail at once and a canary that has passed in
// this process fails now, or when they were caught in a stall of the controller or a jump of the clock. No clock and no I/O; memory is ten
// counters a scope. Count a batch of results before judging the results in it, or its first ones are judged alone.
import type { Instant } from '../deciding/health/health.ts'
import { ResultWindow } from './result-window.ts'

export const WINDOW_MS = 10_000
const LEAST_SUSPICIOUS = 20
const LEAST_SHARE = 0.5
const STALL_MS = 1_000
/** A canary that was not read for this long says nothing about now. */
export const CANARY_FRESH_MS = 30_000

export const canaries = ['loopback', 'resolver', 'gateway'] as const
export type Canary = (typeof canaries)[number]

/** Loopback targets need neither a resolver nor a gateway, so they are counted and judged apart. */
export type Scope = 'loopback' | 'remote'

export interface OwnFaultEvent {
  readonly type: 'own_fault'
  readonly phase: 'began' | 'ended'
  readonly at: Instant
  readonly words: string
}

/** A timeout or a local error: the only results that can be our own fault. */
export interface Suspect {
  readonly scope: Scope
  readonly startedAt: Instant
  readonly finishedAt: Instant
}

interface CanaryReading {
  readonly hasPassed: boolean
  readonly fails: boolean
  readonly at: Instant
}

/** A time in which we saw nothing: checks that were in flight in it say nothing about their targets. */
interface Blackout {
  readonly beganAt: Instant
  readonly endedAt: Instant
  readonly words: string
}

/** From the first result that was set aside until none was for a whole window. */
interface Spell {
  beganAt: Instant
  readonly words: string
  lastExcuseAt: Instant
  excused: number
  reported: boolean
}

export class OwnFaultDetector {
  readonly #windows: Record<Scope, ResultWindow> = {
    loopback: new ResultWindow(WINDOW_MS),
    remote: new ResultWindow(WINDOW_MS),
  }
  readonly #readings = new Map<Canary, CanaryReading>()
  #blackout: Blackout | null = null
  #spell: Spell | null = null

  /** suspicious: how many of them were timeouts or local errors, whether they were excused or not. */
  count(scope: Scope, total: number, suspicious: number, at: Instant): void {
    this.#windows[scope].add(total, suspicious, at)
  }

  readCanary(canary: Canary, passes: boolean, at: Instant): void {
    const hasPassed = passes || (this.#readings.get(canary)?.hasPassed ?? false)
    this.#readings.set(canary, { hasPassed, fails: !passes, at })
  }

  /** How late the controller was: a stalled loop or a suspended process, noticed at its end. */
  lagged(lagMs: number, at: Instant): void {
    if (lagMs > STALL_MS) this.#black(at - lagMs, at, null)
  }

  /** The wall clock jumped, as it does when the machine was suspended; `since` is when all was well for the last time. */
  jumped(jumpMs: number, since: Instant, at: Instant): void {
    this.#black(
      since,
      at,
      `own fault: the wall clock jumped ${seconds(jumpMs)}, as after a suspended machine`,
    )
  }

  /** The clock was set, and all instants with it. */
  move(stepMs: number): void {
    for (const window of Object.values(this.#windows)) window.move(stepMs)
    for (const [canary, reading] of this.#readings)
      this.#readings.set(canary, { ...reading, at: reading.at + stepMs })
    const blackout = this.#blackout
    if (blackout !== null)
      this.#blackout = {
        ...blackout,
        beganAt: blackout.beganAt + stepMs,
        endedAt: blackout.endedAt + stepMs,
      }
    if (this.#spell === null) return
    this.#spell.beganAt += stepMs
    this.#spell.lastExcuseAt += stepMs
  }

  /** Whether this result is our own fault. */
  excuses(suspect: Suspect, at: Instant): boolean {
    const isCaught = this.#isCaught(suspect)
    if (!isCaught && !this.#isBlind(suspect.scope, at)) return false
    this.#spell ??= {
      beganAt: at,
      words: isCaught ? this.#blackout!.words : this.#blindWords(suspect.scope, at),
      lastExcuseAt: at,
      excused: 0,
      reported: false,
    }
    this.#spell.lastExcuseAt = at
    this.#spell.excused++
    return true
  }

  /** To be called about every second: the one event when a spell of own fault begins, and the one when it ends. */
  review(at: Instant): OwnFaultEvent | null {
    const spell = this.#spell
    if (spell === null) return null
    if (!spell.reported) {
      spell.reported = true
      return { type: 'own_fault', phase: 'began', at: spell.beganAt, words: spell.words }
    }
    if (at - spell.lastExcuseAt < WINDOW_MS) return null
    this.#spell = null
    return { type: 'own_fault', phase: 'ended', at, words: endWords(spell) }
  }

  #isCaught({ startedAt, finishedAt }: Suspect): boolean {
    const blackout = this.#blackout
    return blackout !== null && startedAt <= blackout.endedAt && finishedAt >= blackout.beganAt
  }

  #black(beganAt: Instant, endedAt: Instant, words: string | null): void {
    const last = this.#blackout
    // They come in series; the result of a check that ended between two of them may be judged after the second.
    const isSeries = last !== null && beganAt - last.endedAt < WINDOW_MS
    const firstAt = isSeries ? Math.min(last.beganAt, beganAt) : beganAt
    const lagged = `own fault: the controller lagged ${seconds(endedAt - firstAt)}`
    this.#blackout = { beganAt: firstAt, endedAt, words: words ?? lagged }
  }

  #isBlind(scope: Scope, at: Instant): boolean {
    const { total, suspicious } = this.#windows[scope].sum(at)
    const areMany = suspicious >= LEAST_SUSPICIOUS && suspicious >= total * LEAST_SHARE
    return areMany && canaries.some((canary) => this.#blames(canary, scope, at))
  }

  #blames(canary: Canary, scope: Scope, at: Instant): boolean {
    const reading = this.#readings.get(canary)
    const speaksFor = scope === 'remote' || canary === 'loopback'
    return speaksFor && reading?.hasPassed === true && reading.fails && at - reading.at < CANARY_FRESH_MS
  }

  #blindWords(scope: Scope, at: Instant): string {
    const { total, suspicious } = this.#windows[scope].sum(at)
    const targets = scope === 'loopback' ? 'loopback targets' : 'targets'
    const blamed = canaries.filter((canary) => this.#blames(canary, scope, at))
    const seen = `${suspicious} of ${total} results of ${targets} in ${WINDOW_MS / 1000} s were timeouts or local errors`
    return `own fault: ${seen}, and the check of our own ${blamed.join(' and ')} failed`
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function endWords(spell: Spell): string {
  const lastedSeconds = Math.round((spell.lastExcuseAt - spell.beganAt) / 1000)
  const results = spell.excused === 1 ? '1 result was' : `${spell.excused} results were`
  return `own fault over after ${lastedSeconds} s: ${results} set aside`
}
