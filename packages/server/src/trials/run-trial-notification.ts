// trials/run-trial-notification.ts: sends one test message, in the runner and with the drivers of every notification, and
// knows whether its provider was reached at all. Never repeats it.
import { type Delivery, type NotifyOutlets, runNotifier } from '../notify/runner.ts'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import { watchConnect } from '../platform/network/watched-network.ts'

export interface TriedNotification {
  readonly outcome: ActionOutcome
  /** A provider that was never connected to has neither accepted nor refused. */
  readonly isReached: boolean
}

export async function runTrialNotification(
  delivery: Delivery,
  { network, log }: NotifyOutlets,
): Promise<TriedNotification> {
  let isReached = false
  const reached = (): void => {
    isReached = true
  }
  const outcome = await runNotifier(delivery, { network: watchConnect(network, reached), log })
  return { outcome, isReached }
}
