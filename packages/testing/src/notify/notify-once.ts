// notify/notify-once.ts: sends one notification with a driver, as the service does.
import type { Notification, Notifier } from '@pulseward/server/internal/notify/driver.ts'
import { runNotifier } from '@pulseward/server/internal/notify/runner.ts'
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import { type OutboundOptions, outboundFixture } from '../outbound-contract/outbound-fixture.ts'
import { notificationOf } from './notifications.ts'

export interface NotifyOptions extends OutboundOptions {
  readonly notification?: Notification
}

/** The configuration has its credentials in place. */
export async function notifyOnce(
  driver: Notifier,
  config: Record<string, unknown>,
  options: NotifyOptions = {},
): Promise<ActionOutcome> {
  using fixture = outboundFixture(options)
  const { notification = notificationOf(), timeoutMs = 3_000 } = options
  const delivery = { driver, config, notification, timeoutMs, secrets: [] }
  return await runNotifier(delivery, { network: fixture.network, log: () => {} })
}
