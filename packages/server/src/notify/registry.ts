// notify/registry.ts: every notifier by its name in fleet files, one line per driver.
import { alertmanager } from './alertmanager/alertmanager.ts'
import { datadog } from './datadog/datadog.ts'
import { discord } from './discord/discord.ts'
import type { Notifier } from './driver.ts'
import { email } from './email/email.ts'
import { googleChat } from './google-chat/google-chat.ts'
import { gotify } from './gotify/gotify.ts'
import { log } from './log/log.ts'
import { matrix } from './matrix/matrix.ts'
import { mattermost } from './mattermost/mattermost.ts'
import { ntfy } from './ntfy/ntfy.ts'
import { opsgenie } from './opsgenie/opsgenie.ts'
import { pagerduty } from './pagerduty/pagerduty.ts'
import { pushover } from './pushover/pushover.ts'
import { slack } from './slack/slack.ts'
import { teams } from './teams/teams.ts'
import { telegram } from './telegram/telegram.ts'
import { twilio } from './twilio/twilio.ts'
import { victorops } from './victorops/victorops.ts'
import { webhook } from './webhook/webhook.ts'

export const notifiers: Readonly<Record<string, Notifier>> = {
  log,
  webhook,
  email,
  slack,
  discord,
  teams,
  mattermost,
  telegram,
  pagerduty,
  opsgenie,
  victorops,
  pushover,
  twilio,
  datadog,
  ntfy,
  gotify,
  google_chat: googleChat,
  matrix,
  alertmanager,
}

/** The driver of a validated endpoint, whose type is one of the names above. */
export function notifierOf({ type }: { readonly type: string }): Notifier {
  return notifiers[type] as Notifier
}
