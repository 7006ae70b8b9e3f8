// simulation/model/telling.ts: behaviour.md §4 where it says what a started action has reported, and what
// happens to a notification that was not delivered.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import {
  arrivalKey,
  cooldownOf,
  enqueueCancelled,
  queueOrFail,
  recoveryTarget,
  replaceAction,
} from './ledger-model.ts'
import type { Instant, ModelAction, Range } from './monitor-state.ts'
import type { Step } from './step.ts'
import { greenArrived, redArrived, redRejected, triedInVain } from './untold-model.ts'

const firstWaitMs = 4_000
const longestWaitMs = 300_000
const longestWishMs = 3_600_000

/** A started notification counts as told. */
export function onStarted(step: Step, action: ModelAction, at: Instant, isProbe: boolean): void {
  const { monitor } = step
  replaceAction(step, action, { ...action, state: 'started', startedAt: at, isProbe })
  if (action.kind === 'intervention') {
    monitor.intervention = { state: 'started', episode: action.episode! }
    monitor.heard = [...monitor.heard, recoveryTarget]
  } else if (action.color === null || action.color === 'gray') return
  else if (action.color === 'green') monitor.owed = monitor.owed.filter((one) => one !== action.endpoint)
  else if (action.cause === 'warning' && action.episode === null)
    monitor.heardWarning = [...monitor.heardWarning, action.endpoint!]
  else monitor.heard = [...monitor.heard, action.endpoint!]
}

/** A notification has ended; the draft no longer holds it. */
export function onCodeEnded(step: Step, action: ModelAction, answer: ActionOutcome, at: Instant): void {
  noteArrival(step, action, answer, at)
  const { followUp } = action
  account(step, action, answer, at)
  const wait = answer.kind === 'retry' ? waitOf(step, action, answer.retryAfterMs, at) : { from: at, to: at }
  if (answer.kind !== 'retry' && followUp === null) return
  const cooldown = action.color === null ? wait : cooldownOf(step, action.color, action.endpoint!)
  if (followUp === null) return retry(step, action, { from: wait.from, to: Math.max(wait.to, cooldown.to) })
  queueOrFail(step, {
    kind: 'code',
    color: action.color,
    endpoint: action.endpoint,
    ...followUp,
    attempt: 1,
    notBefore: { from: cooldown.from, to: Math.max(cooldown.to, wait.to) },
  })
}

/** A delivered notification, or one that may have been, starts a cooldown. */
function noteArrival(
  { monitor, around }: Step,
  action: ModelAction,
  answer: ActionOutcome,
  at: Instant,
): void {
  if (action.color === null || (answer.kind !== 'accepted' && answer.kind !== 'unknown')) return
  const from = Math.min(at, action.startedAt!)
  const arrival = { from, to: at, process: around.process, isMoved: false }
  monitor.arrivals = { ...monitor.arrivals, [arrivalKey(action.color, action.endpoint!)]: arrival }
}

function account(step: Step, action: ModelAction, answer: ActionOutcome, at: Instant): void {
  const isOver = answer.kind === 'rejected' || answer.kind === 'gone' || answer.kind === 'unknown'
  if (action.color === 'red' && answer.kind === 'accepted') redArrived(step, action)
  if (action.color === 'red' && isOver && answer.kind !== 'unknown') redRejected(step, action, at)
  if (action.color === 'green' && answer.kind === 'accepted') greenArrived(step, action)
  if (answer.kind !== 'accepted') triedInVain(step, action, at)
}

/** The notification waits, or, if the provider asks for a wait or is ailing, the whole destination does. */
function waitOf(
  step: Step,
  { endpoint, attempt }: ModelAction,
  retryAfterMs: number | null,
  at: Instant,
): Range {
  const isHeld = retryAfterMs !== null || step.around.isAiling(endpoint!)
  const ownMs = Math.max(2 * firstWaitMs, Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)))
  const mostMs = Math.max(ownMs, Math.min(longestWishMs, retryAfterMs ?? 0))
  return {
    from: isHeld ? at : at + firstWaitMs,
    to: Math.max(at + mostMs, step.around.heldUntil(endpoint!)),
  }
}

function retry(step: Step, action: ModelAction, notBefore: Range): void {
  const { color, endpoint, cause, episode, incident, acknowledgedBy, because, page } = action
  const { retryEndsAs, retryEndsBecause } = action
  const attempt = action.attempt + 1
  const subject = { cause, episode, incident, acknowledgedBy, because }
  const next = { kind: 'code', color, endpoint, page, ...subject, attempt, notBefore } as const
  if (retryEndsAs === null) return queueOrFail(step, next)
  enqueueCancelled(step, next, retryEndsAs, retryEndsBecause!)
  // The snooze or the dismissal may be over by now, with the incident still open.
  const mayBeOver = retryEndsAs === 'snoozed' || retryEndsAs === 'dismissed'
  if (color === 'red' && mayBeOver) redRejected(step, action, step.around.now)
}
