// simulation/model/telling.ts: behaviour.md §4 where it says what becomes of a notification that was not delivered.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import { cooldownOf, enqueueCancelled, queueOrFail } from './ledger-model.ts'
import type { Instant, ModelAction, Range } from './monitor-state.ts'
import type { Step } from './step.ts'
import { greenArrived, redArrived, redRejected, triedInVain } from './untold-model.ts'

const firstWaitMs = 4_000
const longestWaitMs = 300_000
const longestWishMs = 3_600_000

/** A code has ended; the draft does not hold it any more. */
export function onCodeEnded(step: Step, action: ModelAction, answer: ActionOutcome, at: Instant): void {
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

function account(step: Step, action: ModelAction, answer: ActionOutcome, at: Instant): void {
  const isOver = answer.kind === 'rejected' || answer.kind === 'gone' || answer.kind === 'unknown'
  if (action.color === 'red' && answer.kind === 'accepted') redArrived(step, action)
  if (action.color === 'red' && isOver && answer.kind !== 'unknown') redRejected(step, action, at)
  if (action.color === 'green' && answer.kind === 'accepted') greenArrived(step, action)
  if (answer.kind !== 'accepted') triedInVain(step, action, at)
}

/** It waits by itself, or, where the provider names a wait or is ailing, the destination does. */
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
  const { color, endpoint, cause, episode, incident, retryEndsAs } = action
  const attempt = action.attempt + 1
  const next = { kind: 'code', color, endpoint, cause, episode, incident, attempt, notBefore } as const
  if (retryEndsAs === null) queueOrFail(step, next)
  else enqueueCancelled(step, next, retryEndsAs)
}
