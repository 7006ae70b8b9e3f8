// self-watch/own-fault.ts: whether failed checks are our own fault. Only timeouts and local errors can be: an answer
// from the target's side never is. They are excused when many fail at once while a canary fails that has passed in this
// process, or when they were caught in a stall of the engine or a jump of the clock. No clock and no I/O; memory is ten
// counters per scope. A batch must be counted before its results are asked about, or the first ones would be too few.
import type { OwnFaultBecause } from '../deciding/health/because.ts'
import type { Instant } from '../deciding/health/health.ts'
import { ResultWindow } from './result-window.ts'

export const WINDOW_MS = 10_000
const LEAST_SUSPICIOUS = 20
const LEAST_SHARE = 0.5
/** Below this rate there are never enough results in the window. */
export const EXCUSABLE_PER_SECOND = LEAST_SUSPICIOUS / (WINDOW_MS / 1_000)
const STALL_MS = 1_000
/** A canary reading older than this says nothing about now. */
export const CANARY_FRESH_MS = 30_000

export const canaries = ['loopback', 'resolver', 'gateway'] as const
export type Canary = (typeof canaries)[number]

/** Loopback targets need neither a resolver nor a gateway, so they are counted and excused separately. */
export type Scope = 'loopback' | 'remote'

export interface OwnFaultEvent {
  readonly type: 'own_fault'
  readonly phase: 'began' | 'ended'
  readonly at: Instant
  readonly words: string
  readonly because: OwnFaultBecause
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

/** A time in which we observed nothing: checks that were in flight then say nothing about their targets. */
interface Blackout {
  readonly beganAt: Instant
  readonly endedAt: Instant
  readonly words: string
  readonly because: OwnFaultBecause
}

/** From the first excused result until none was excused for a whole window. */
interface Spell {
  beganAt: Instant
  readonly words: string
  readonly because: OwnFaultBecause
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

  /** suspicious: how many of the results were timeouts or local errors, excused or not. */
  count(scope: Scope, total: number, suspicious: number, at: Instant): void {
    this.#windows[scope].add(total, suspicious, at)
  }

  readCanary(canary: Canary, passes: boolean, at: Instant): void {
    const hasPassed = passes || (this.#readings.get(canary)?.hasPassed ?? false)
    this.#readings.set(canary, { hasPassed, fails: !passes, at })
  }

  /** The engine was late by lagMs: a stalled event loop or a suspended process, noticed at its end. */
  lagged(lagMs: number, at: Instant): void {
    if (lagMs > STALL_MS) this.#black(at - lagMs, at, null)
  }

  /** The wall clock jumped, as after a suspended machine; `since` is the last time that was known to be right. */
  jumped(jumpMs: number, since: Instant, at: Instant): void {
    this.#black(since, at, {
      words: `own fault: the wall clock jumped ${seconds(jumpMs)}, as after a suspended machine`,
      because: { kind: 'clock_jumped', lastedMs: jumpMs },
    })
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
    const blackout = this.#blackoutOf(suspect)
    if (blackout === null && !this.#isBlind(suspect.scope, at)) return false
    this.#spell ??= {
      beganAt: at,
      ...whyOf(blackout ?? this.#blindness(suspect.scope, at)),
      lastExcuseAt: at,
      excused: 0,
      reported: false,
    }
    this.#spell.lastExcuseAt = at
    this.#spell.excused++
    return true
  }

  /** To be called about every second: returns one event when a spell of own faults begins, and one when it ends. */
  review(at: Instant): OwnFaultEvent | null {
    const spell = this.#spell
    if (spell === null) return null
    if (!spell.reported) {
      spell.reported = true
      const { beganAt, words, because } = spell
      return { type: 'own_fault', phase: 'began', at: beganAt, words, because }
    }
    if (at - spell.lastExcuseAt < WINDOW_MS) return null
    this.#spell = null
    const { excused, lastExcuseAt, beganAt } = spell
    const because = { kind: 'own_fault_ended', excused, lastedMs: lastExcuseAt - beganAt } as const
    return { type: 'own_fault', phase: 'ended', at, words: endWords(spell), because }
  }

  /** The blackout that the check was caught in; null when there was none. */
  #blackoutOf({ startedAt, finishedAt }: Suspect): Blackout | null {
    const blackout = this.#blackout
    const isCaught = blackout !== null && startedAt <= blackout.endedAt && finishedAt >= blackout.beganAt
    return isCaught ? blackout : null
  }

  #black(beganAt: Instant, endedAt: Instant, jump: Pick<Blackout, 'words' | 'because'> | null): void {
    const last = this.#blackout
    // Stalls come in series; the result of a check that ended between two of them may be applied after the second.
    const isSeries = last !== null && beganAt - last.endedAt < WINDOW_MS
    const firstAt = isSeries ? Math.min(last.beganAt, beganAt) : beganAt
    const lastedMs = endedAt - firstAt
    const words = `own fault: the controller lagged ${seconds(lastedMs)}`
    const because = { kind: 'stalled', lastedMs } as const
    this.#blackout = { beganAt: firstAt, endedAt, ...(jump ?? { words, because }) }
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

  #blindness(scope: Scope, at: Instant): Pick<Spell, 'words' | 'because'> {
    const { total, suspicious } = this.#windows[scope].sum(at)
    const targets = scope === 'loopback' ? 'loopback targets' : 'targets'
    const blamed = canaries.filter((canary) => this.#blames(canary, scope, at))
    const seen = `${suspicious} of ${total} results of ${targets} in ${WINDOW_MS / 1000} s were timeouts or local errors`
    const words = `own fault: ${seen}, and the check of our own ${blamed.join(' and ')} failed`
    return { words, because: { kind: 'own_fault', suspicious, results: total, canaries: blamed } }
  }
}

function whyOf({ words, because }: Pick<Spell, 'words' | 'because'>) {
  return { words, because }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function endWords(spell: Spell): string {
  const lastedSeconds = Math.round((spell.lastExcuseAt - spell.beganAt) / 1000)
  const results = spell.excused === 1 ? '1 result was' : `${spell.excused} results were`
  return `own fault over after ${lastedSeconds} s: ${results} set aside`
}
