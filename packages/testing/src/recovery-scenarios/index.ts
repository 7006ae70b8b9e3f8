// recovery-scenarios/index.ts: what each driver of the registry meets in its contract, by the name of the recovery.
import type { StartRecoveryScenarios } from '../recovery-contract.ts'
import { awsScenarios } from './aws.ts'
import { commandScenarios } from './command.ts'
import { dockerScenarios } from './docker.ts'
import { kubernetesScenarios } from './kubernetes.ts'
import { systemdScenarios } from './systemd.ts'
import { webhookScenarios } from './webhook.ts'

export const recoveryScenarios: Readonly<Record<string, StartRecoveryScenarios>> = {
  webhook: webhookScenarios,
  docker: dockerScenarios,
  kubernetes: kubernetesScenarios,
  systemd: systemdScenarios,
  aws: awsScenarios,
  command: commandScenarios,
}
