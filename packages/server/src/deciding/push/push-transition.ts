// deciding/push/push-transition.ts: the life of a job that reports by itself. Pure: a state, an input and the
// rules give the next state, results for the monitor's health, and events.
//
//   new ──first signal──▶ waiting ──due──▶ late ──grace──▶ missed ──grace of the next due──▶ missed …
//                            ▲  a success, or a reported failure      │
//                            └────────────────────────────────────────┘
//
// - A success and a failure both satisfy the window: the next signal is expected after the next due. A failure
//   is one failed result; the silence of the same window is not another.
// - late is shown and tells nobody. Each window that passes in silence is one failed result, so that
//   thresholds above 1 work; windows that passed together (nobody looked) count once.
// - start opens a run and moves no deadline, except that the first signal of all begins the waiting. The run is
//   open until its own end, or until it has taken too long, which is one failed result.
// - log changes nothing.
// - A window in which the service was down says nothing: no_data, and the next window counts.
import type { PushBecause } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import { clockTime, dueAfterSignal, dueStillOpen, type PushRules, windowBegan } from './push-rules.ts'
import {
  isAhead,
  longestRunMs,
  mostRuns,
  type PushPhase,
  type PushState,
  type SignalKind,
} from './push-state.ts'
import { prolonged, type Unreachable, wasDown } from './unreachable.ts'

export interface Signal {
  readonly kind: SignalKind
  /** The run; '' for the one without an id. */
  readonly rid: string
  /** What the job said, in words without secrets. */
  readonly words: string
  /** How long it took, if the job says so itself. */
  readonly tookMs: number | null
}

export type PushInput =
  | { readonly kind: 'signal'; readonly signal: Signal }
  /** Something may be due. */
  | { readonly kind: 'time'; readonly unreachable: readonly Unreachable[] }
  /** It is watched from now on, for the first time. */
  | { readonly kind: 'loaded' }
  /** It is watched again, after it was disabled or snoozed, or by other rules. */
  | { readonly kind: 'watched-again' | 'rules-changed' }
  /** A new process continues. */
  | { readonly kind: 'restarted'; readonly downSince: Instant }
  | { readonly kind: 'clock-moved'; readonly stepMs: number }

export interface PushResult {
  readonly status: 'success' | 'failure' | 'no_data'
  readonly reason: string | null
  /** How long the run took; null if its start is not known. */
  readonly latencyMs: number | null
}

export interface PushEvent {
  readonly type: 'push_late' | 'push_missed' | 'push_not_ended' | 'push_unknown'
  readonly because: PushBecause
  readonly reason: string
}

export interface PushStep {
  readonly state: PushState
  readonly results: readonly PushResult[]
  readonly events: readonly PushEvent[]
}

const none: readonly never[] = []

export function pushTransition(state: PushState, input: PushInput, rules: PushRules, now: Instant): PushStep {
  switch (input.kind) {
    case 'signal':
      return onSignal(state, input.signal, rules, now)
    case 'time':
      return onTime(state, rules, now, input.unreachable)
    case 'loaded':
      return only(awaitFirst(state, rules, now))
    case 'watched-again':
      return only(state.dueAt !== null && state.dueAt <= now ? awaitAnew(state, rules, now) : state)
    case 'rules-changed':
      return only(awaitAnew(state, rules, now))
    case 'restarted':
      return onRestarted(state, rules, now, input.downSince)
    case 'clock-moved':
      return only(onClockMoved(state, rules, now, input.stepMs))
    default:
      return assertNever(input)
  }
}

/** When time is the next input that changes something; null if only a signal does. */
export function pushWakeAt(
  state: PushState,
  rules: PushRules,
  unreachable: readonly Unreachable[],
): Instant | null {
  const { phase, dueAt, runs } = state
  let wakeAt = Number.POSITIVE_INFINITY
  if (dueAt !== null)
    wakeAt = phase === 'waiting' || phase === 'new' ? dueAt : deadlineOf(rules, dueAt, unreachable)
  if (rules.maxRuntimeMs !== null)
    for (const startedAt of runs.values())
      wakeAt = Math.min(wakeAt, prolonged(unreachable, startedAt, startedAt + rules.maxRuntimeMs))
  return wakeAt === Number.POSITIVE_INFINITY ? null : wakeAt
}

function onSignal(
  state: PushState,
  { kind, rid, words, tookMs }: Signal,
  rules: PushRules,
  now: Instant,
): PushStep {
  if (kind === 'log') return only({ ...state, lastSignalAt: now, lastKind: kind })
  if (kind === 'start') return only(started(state, rid, rules, now))
  const startedAt = state.runs.get(rid)
  const runMs = startedAt === undefined ? null : Math.max(0, now - startedAt)
  const next: PushState = {
    phase: 'waiting',
    dueAt: dueAfterSignal(rules, now),
    lastDueAt: state.phase === 'new' ? null : (state.dueAt ?? state.lastDueAt),
    lastSignalAt: now,
    lastKind: kind,
    hasFailed: kind === 'fail',
    runs: without(state.runs, rid),
  }
  const result: PushResult = {
    status: kind === 'success' ? 'success' : 'failure',
    reason: kind === 'success' ? null : words,
    latencyMs: tookMs ?? (runMs !== null && runMs <= longestRunMs ? runMs : null),
  }
  return { state: next, results: [result], events: none }
}

function started(state: PushState, rid: string, rules: PushRules, now: Instant): PushState {
  const runs = new Map(without(state.runs, rid))
  for (const oldest of runs.keys()) {
    if (runs.size < mostRuns) break
    runs.delete(oldest)
  }
  runs.set(rid, now)
  const seen: PushState = { ...state, lastSignalAt: now, lastKind: 'start', runs }
  return state.phase === 'new' ? { ...seen, phase: 'waiting', dueAt: dueAfterSignal(rules, now) } : seen
}

function onTime(
  state: PushState,
  rules: PushRules,
  now: Instant,
  unreachable: readonly Unreachable[],
): PushStep {
  const ofRuns = endLongRuns(state, rules, now, unreachable)
  const ofDue = whenDue(ofRuns.state, rules, now, unreachable)
  return {
    state: ofDue.state,
    results: [...ofRuns.results, ...ofDue.results],
    events: [...ofRuns.events, ...ofDue.events],
  }
}

function endLongRuns(
  state: PushState,
  rules: PushRules,
  now: Instant,
  unreachable: readonly Unreachable[],
): PushStep {
  const { maxRuntimeMs: limitMs } = rules
  if (limitMs === null || state.runs.size === 0) return only(state)
  const runs = new Map(state.runs)
  const results: PushResult[] = []
  const events: PushEvent[] = []
  let { hasFailed } = state
  for (const [rid, startedAt] of state.runs) {
    if (now < prolonged(unreachable, startedAt, startedAt + limitMs)) continue
    runs.delete(rid)
    const run = rid === '' ? '' : ` (run ${rid})`
    // Its end may have been reported to nobody.
    if (wasDown(unreachable, startedAt, now, false)) {
      const reason = `whether the run of ${clockTime(rules, startedAt, now)}${run} ended is not known: the service was not running`
      results.push({ status: 'no_data', reason, latencyMs: null })
      events.push({ type: 'push_unknown', because: { kind: 'push_unreachable' }, reason })
      continue
    }
    const reason = `started ${clockTime(rules, startedAt, now)}, not ended within ${inWords(limitMs)}${run}`
    hasFailed = true
    results.push({ status: 'failure', reason, latencyMs: null })
    const because = { kind: 'push_not_ended', limitMs, openMs: now - startedAt } as const
    events.push({ type: 'push_not_ended', because, reason })
  }
  return results.length === 0 ? only(state) : { state: { ...state, runs, hasFailed }, results, events }
}

function whenDue(
  state: PushState,
  rules: PushRules,
  now: Instant,
  unreachable: readonly Unreachable[],
): PushStep {
  const { phase, dueAt } = state
  if (dueAt === null || now < dueAt) return only(state)
  if (phase === 'new') return windowPassed(state, dueAt, rules, now, unreachable)
  if (now >= deadlineOf(rules, dueAt, unreachable)) return windowPassed(state, dueAt, rules, now, unreachable)
  if (phase !== 'waiting') return only(state)
  const because = { kind: 'push_overdue', lateMs: now - dueAt } as const
  const reason = `expected at ${clockTime(rules, dueAt, now)}`
  return {
    state: { ...state, phase: 'late' },
    results: none,
    events: [{ type: 'push_late', because, reason }],
  }
}

function windowPassed(
  state: PushState,
  dueAt: Instant,
  rules: PushRules,
  now: Instant,
  unreachable: readonly Unreachable[],
): PushStep {
  const { lastSignalAt } = state
  const isFirst = state.phase === 'new'
  const began = isFirst ? dueAt - (rules.firstWithinMs ?? 0) : windowBegan(rules, dueAt)
  const next = dueStillOpen(rules, dueAt, now)
  const byTheClock = rules.timing.kind === 'cron' && !isFirst
  if (wasDown(unreachable, began, isFirst ? dueAt : dueAt + rules.graceMs, byTheClock)) {
    const reason = `whether it ran at ${clockTime(rules, dueAt, now)} is not known: the service was not running`
    return unknownWindow(state, { dueAt: next, lastDueAt: dueAt }, reason)
  }
  const last = lastSignalAt === null ? '' : `; the last one came at ${clockTime(rules, lastSignalAt, now)}`
  const reason = isFirst
    ? `no signal yet; the first was expected by ${clockTime(rules, dueAt, now)}`
    : `no signal, expected at ${clockTime(rules, dueAt, now)} with ${inWords(rules.graceMs)} of grace${last}`
  const silent = lastSignalAt === null ? {} : { silentMs: now - lastSignalAt }
  return {
    state: { ...state, phase: 'missed', dueAt: next, lastDueAt: dueAt, hasFailed: true },
    results: [{ status: 'failure', reason, latencyMs: null }],
    events: [
      {
        type: 'push_missed',
        because: { kind: 'push_silent', graceMs: rules.graceMs, ...silent },
        reason,
      },
    ],
  }
}

/** The next window counts. */
function unknownWindow(
  state: PushState,
  next: Pick<PushState, 'dueAt' | 'lastDueAt'>,
  reason: string,
): PushStep {
  return {
    state: { ...state, ...next, phase: 'waiting' },
    results: [{ status: 'no_data', reason, latencyMs: null }],
    events: [{ type: 'push_unknown', because: { kind: 'push_unreachable' }, reason }],
  }
}

/**
 * With cron, each window that overlaps the time without a service is judged when it is over. With every there
 * are no times but those that follow a signal: the whole time runs from now. Times from a clock that was ahead
 * count as now.
 */
function onRestarted(stored: PushState, rules: PushRules, now: Instant, downSince: Instant): PushStep {
  const state = isAhead(stored, now) ? notAhead(stored, now) : stored
  const { dueAt, phase } = state
  if (dueAt === null) return only(state)
  if (phase === 'new') return only({ ...state, dueAt: now + (rules.firstWithinMs ?? 0) })
  if (rules.timing.kind === 'cron') return only(dueAgain(state, dueAt, rules, now))
  const next = { dueAt: dueAfterSignal(rules, now), lastDueAt: dueAt }
  const wasOpen = windowBegan(rules, dueAt) < now && downSince < dueAt + rules.graceMs
  // What is known to have failed stays so.
  if (!wasOpen || state.hasFailed) return only({ ...state, ...next, phase: 'waiting' })
  const reason = `whether it ran at ${clockTime(rules, dueAt, now)} is not known: the service was not running`
  return unknownWindow(state, next, reason)
}

function awaitFirst(state: PushState, { firstWithinMs }: PushRules, now: Instant): PushState {
  return firstWithinMs === null ? state : { ...state, dueAt: now + firstWithinMs }
}

function awaitAnew(state: PushState, rules: PushRules, now: Instant): PushState {
  if (state.phase === 'new') return awaitFirst({ ...state, dueAt: null }, rules, now)
  return { ...state, phase: 'waiting', dueAt: dueAfterSignal(rules, now), lastDueAt: state.dueAt }
}

/** Instants that have passed move with the clock, and so does what is a duration after them; cron stays. */
function onClockMoved(state: PushState, rules: PushRules, now: Instant, stepMs: number): PushState {
  const moved: PushState = {
    ...state,
    lastDueAt: state.lastDueAt === null ? null : state.lastDueAt + stepMs,
    lastSignalAt: state.lastSignalAt === null ? null : state.lastSignalAt + stepMs,
    runs: new Map([...state.runs].map(([rid, startedAt]) => [rid, startedAt + stepMs])),
  }
  if (state.dueAt === null) return moved
  if (rules.timing.kind === 'every' || state.phase === 'new') return { ...moved, dueAt: state.dueAt + stepMs }
  return stepMs < 0 ? dueAgain(moved, state.dueAt, rules, now) : moved
}

/** After the clock was set back, times come again that lie before the next due. */
function dueAgain(state: PushState, dueAt: Instant, rules: PushRules, now: Instant): PushState {
  const again = dueAfterSignal(rules, now)
  const isEarlier = again !== null && again < dueAt
  return isEarlier ? { ...state, dueAt: again, phase: afterClockBack(state.phase) } : state
}

function notAhead(state: PushState, now: Instant): PushState {
  const { lastSignalAt, lastDueAt, runs } = state
  return {
    ...state,
    lastSignalAt: lastSignalAt === null ? null : Math.min(lastSignalAt, now),
    lastDueAt: lastDueAt === null ? null : Math.min(lastDueAt, now),
    runs: new Map([...runs].map(([rid, startedAt]) => [rid, Math.min(startedAt, now)])),
  }
}

function afterClockBack(phase: PushPhase): PushPhase {
  return phase === 'late' ? 'waiting' : phase
}

function deadlineOf(rules: PushRules, dueAt: Instant, unreachable: readonly Unreachable[]): Instant {
  return prolonged(unreachable, windowBegan(rules, dueAt), dueAt + rules.graceMs)
}

function without(runs: ReadonlyMap<string, Instant>, rid: string): ReadonlyMap<string, Instant> {
  if (!runs.has(rid)) return runs
  const rest = new Map(runs)
  rest.delete(rid)
  return rest
}

function only(state: PushState): PushStep {
  return { state, results: none, events: none }
}

/** The two largest units, such as "4 h" and "1 h 30 min". */
export function inWords(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const
  const parts: string[] = []
  let rest = ms
  for (const [unit, unitMs] of units) {
    const count = Math.floor(rest / unitMs)
    if (count > 0) parts.push(`${count} ${unit}`)
    rest -= count * unitMs
  }
  return parts.length === 0 ? `${Math.round(ms)} ms` : parts.slice(0, 2).join(' ')
}

function assertNever(input: never): never {
  throw new TypeError(`unknown input of a push monitor: ${JSON.stringify(input)}`)
}
