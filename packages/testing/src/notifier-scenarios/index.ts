// notifier-scenarios/index.ts: what each driver of the registry meets in its contract, by the name of the notifier.
import type { StartNotifierScenarios } from '../notifier-contract.ts'
import { emailScenarios } from './email.ts'
import { logScenarios } from './log.ts'
import { slackScenarios } from './slack.ts'
import { webhookScenarios } from './webhook.ts'

export const notifierScenarios: Readonly<Record<string, StartNotifierScenarios>> = {
  log: logScenarios,
  webhook: webhookScenarios,
  email: emailScenarios,
  slack: slackScenarios,
}
