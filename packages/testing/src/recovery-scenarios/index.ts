// recovery-scenarios/index.ts: what each driver of the registry meets in its contract, by the name of the recovery.
import type { StartRecoveryScenarios } from '../recovery-contract.ts'
import { commandScenarios } from './command.ts'
import { webhookScenarios } from './webhook.ts'

export const recoveryScenarios: Readonly<Record<string, StartRecoveryScenarios>> = {
  webhook: webhookScenarios,
  command: commandScenarios,
}
