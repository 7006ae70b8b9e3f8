// notify/registry.ts: every notification driver by its name in fleet files. One line a driver.
import { alertmanager } from './alertmanager.ts'
import { datadog } from './datadog.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { googleChat } from './google-chat.ts'
import { gotify } from './gotify.ts'
import { log } from './log.ts'
import { matrix } from './matrix.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import { pushover } from './pushover.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { twilio } from './twilio.ts'
import { victorops } from './victorops.ts'
import { webhook } from './webhook.ts'

export const notifiers = {
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
