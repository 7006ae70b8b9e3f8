// recovery/recover-once.ts: acts once with a driver, as the service does.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { RecoveryDriver } from '@pulseward/server/internal/recovery/driver.ts'
import { runRecovery } from '@pulseward/server/internal/recovery/runner.ts'
import { type OutboundOptions, outboundFixture } from '../outbound-contract/outbound-fixture.ts'
import { intervention } from './intervention.ts'

export interface RecoverOptions extends OutboundOptions {
  readonly allowCommand?: boolean
}

/** The configuration has its credentials in place. */
export async function recoverOnce(
  driver: RecoveryDriver,
  config: Record<string, unknown>,
  options: RecoverOptions = {},
): Promise<ActionOutcome> {
  using fixture = outboundFixture(options)
  const { allowCommand = false, timeoutMs = 3_000 } = options
  const job = { driver, config, intervention, timeoutMs, secrets: [] }
  return await runRecovery(job, { network: fixture.network, allowCommand })
}
