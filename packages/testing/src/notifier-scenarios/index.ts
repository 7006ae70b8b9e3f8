// notifier-scenarios/index.ts: what each driver of the registry meets in its contract, by the name of the notifier. In
// groups, because a contract takes its time and groups can be run beside each other.
import type { StartNotifierScenarios } from '../notifier-contract.ts'
import { alertmanagerScenarios } from './alertmanager.ts'
import { datadogScenarios } from './datadog.ts'
import { discordScenarios } from './discord.ts'
import { emailScenarios } from './email.ts'
import { googleChatScenarios } from './google-chat.ts'
import { gotifyScenarios } from './gotify.ts'
import { logScenarios } from './log.ts'
import { matrixScenarios } from './matrix.ts'
import { mattermostScenarios } from './mattermost.ts'
import { ntfyScenarios } from './ntfy.ts'
import { opsgenieScenarios } from './opsgenie.ts'
import { pagerdutyScenarios } from './pagerduty.ts'
import { pushoverScenarios } from './pushover.ts'
import { slackScenarios } from './slack.ts'
import { teamsScenarios } from './teams.ts'
import { telegramScenarios } from './telegram.ts'
import { twilioScenarios } from './twilio.ts'
import { victoropsScenarios } from './victorops.ts'
import { webhookScenarios } from './webhook.ts'

type Scenarios = Readonly<Record<string, StartNotifierScenarios>>

const basic: Scenarios = {
  log: logScenarios,
  webhook: webhookScenarios,
  email: emailScenarios,
  slack: slackScenarios,
}

const chat: Scenarios = {
  discord: discordScenarios,
  teams: teamsScenarios,
  mattermost: mattermostScenarios,
  telegram: telegramScenarios,
  google_chat: googleChatScenarios,
  matrix: matrixScenarios,
}

const paging: Scenarios = {
  pagerduty: pagerdutyScenarios,
  opsgenie: opsgenieScenarios,
  victorops: victoropsScenarios,
  datadog: datadogScenarios,
  alertmanager: alertmanagerScenarios,
}

const push: Scenarios = {
  pushover: pushoverScenarios,
  twilio: twilioScenarios,
  ntfy: ntfyScenarios,
  gotify: gotifyScenarios,
}

export const scenarioGroups = { basic, chat, paging, push }
