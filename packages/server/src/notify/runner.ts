// notify/runner.ts: runs one notifier to its end, whatever the driver does: the deadline applies even to a
// driver that ignores it, and no secret is left in a reason. Retries are decided elsewhere.
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { Network } from '../platform/network/network.ts'
import { type ActionCall, runAction } from '../platform/network/outbound-call.ts'
import type { Notification, Notifier, NotifyRun } from './driver.ts'

export interface Delivery extends Pick<ActionCall, 'timeoutMs' | 'secrets'> {
  readonly driver: Notifier
  /** With the values of credentials filled in. */
  readonly config: Record<string, unknown>
  readonly notification: Notification
  /** Ends it as its deadline would. */
  readonly signal?: AbortSignal
}

export interface NotifyOutlets {
  readonly network: Network
  readonly log: NotifyRun['log']
}

/** Never rejects, and ends within the timeout and a grace of 30 ms. */
export function runNotifier(
  { driver, config, notification, timeoutMs, secrets, signal: giveUp }: Delivery,
  { network, log }: NotifyOutlets,
): Promise<ActionOutcome> {
  return runAction({ noun: 'notifier', network, timeoutMs, secrets, giveUp }, (call) =>
    driver.notify(config, notification, {
      network: call.network,
      timeoutMs,
      signal: call.signal,
      log: (message, fields) => {
        call.departs()
        log(message, fields)
      },
    }),
  )
}
