// notify/registry.ts: every notification driver by its name in fleet files. One line a driver.
import { email } from './email.ts'
import { log } from './log.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

export const notifiers = { log, webhook, email, slack }
