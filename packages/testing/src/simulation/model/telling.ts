// simulation/model/telling.ts: behaviour.md §4 where it says what becomes of a notification that was not delivered.
import type { Verdict } from '@pulseward/server/internal/notify/driver.ts'
import { cooldownOf, enqueueCancelled, queueOrFail } from './ledger-model.ts'
import type { Instant, ModelAction } from './monitor-state.ts'
import type { Step } from './step.ts'

const firstWaitsMs = [4_000, 8_000]
const attemptsAtMost = 3
const longestWaitMs = 3_600_000

/** A code has ended; the draft does not hold it any more. */
export function onCodeEnded(step: Step, action: ModelAction, answer: Verdict, at: Instant): void {
  const { followUp } = action
  if (answer.kind === 'retry' && followUp === null && action.attempt < attemptsAtMost)
    return retry(step, action, answer.waitMs, at)
  if (followUp === null) return
  queueOrFail(step, {
    ...{ kind: 'code', color: action.color, endpoint: action.endpoint, ...followUp, attempt: 1 },
    notBefore: cooldownOf(step, action.color!, action.endpoint!),
  })
}

function retry(step: Step, action: ModelAction, waitMs: number | null, at: Instant): void {
  const usualMs = firstWaitsMs[action.attempt - 1]!
  const from = at + Math.min(longestWaitMs, waitMs ?? usualMs)
  const queue = action.isOvertaken ? enqueueCancelled : queueOrFail
  queue(step, {
    ...{ kind: 'code', color: action.color, endpoint: action.endpoint, attempt: action.attempt + 1 },
    ...{ cause: action.cause, episode: action.episode, incident: action.incident },
    notBefore: { from, to: Math.max(from, at + usualMs) + 1_000 },
  })
}
