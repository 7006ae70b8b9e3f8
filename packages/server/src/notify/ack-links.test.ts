// The link by which a person acknowledges a page, in the messages of every provider for people: whole, whatever else there
// is to say.
import { longNotification } from '@pulseward/testing/notify'
import { expect, it } from 'vitest'
import { discord } from './discord/discord.ts'
import type { Notification } from './driver.ts'
import { composeMail } from './email/compose.ts'
import { googleChat } from './google-chat/google-chat.ts'
import { gotify } from './gotify/gotify.ts'
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

const ackLink = `https://status.test/ack/${'aB3_'.repeat(40)}`
const page: Notification = {
  ...longNotification,
  cause: 'page',
  color: 'red',
  page: {
    id: 'p',
    stage: 'step',
    policy: 'page',
    round: 1,
    step: 1,
    person: 'ana',
    monitors: 11,
    others: Array.from({ length: 9 }, () => longNotification.monitor),
    ackLink,
  },
}

const url = 'https://provider.test/hook'
const bodies: Readonly<Record<string, () => string | null | undefined>> = {
  discord: () => discord.buildRequest({ webhook_url: url }, page).body,
  'google-chat': () => googleChat.buildRequest({ webhook_url: url }, page).body,
  gotify: () => gotify.buildRequest({ api_url: url, token: 't' }, page).body,
  mattermost: () => mattermost.buildRequest({ webhook_url: url }, page).body,
  ntfy: () => ntfy.buildRequest({ topic: 'ana' }, page).body,
  opsgenie: () => opsgenie.buildRequest({ api_key: 'k' }, page)?.body,
  pagerduty: () => pagerduty.buildRequest({ routing_key: 'k' }, page)?.body,
  pushover: () => pushover.buildRequest({ token: 't', user: 'u' }, page).body,
  slack: () => slack.buildRequest({ hook: url }, page).body,
  teams: () => teams.buildRequest({ webhook_url: url }, page).body,
  telegram: () => telegram.buildRequest({ bot_token: 't', chat_id: 1 }, page).body,
  twilio: () => twilio.buildRequest({ account_sid: 'a', auth_token: 't', from: '+1', to: '+2' }, page).body,
  victorops: () => victorops.buildRequest({ api_key: 'k', routing_key: 'r' }, page)?.body,
  webhook: () => webhook.buildRequest({ url }, page).body,
}

/** Some are forms. */
const decoded = (body: string) => body.replace(/%3A|%2F/g, decodeURIComponent)

it.each(Object.entries(bodies))('is in a message of %s', (_, bodyOf) => {
  expect(decoded(bodyOf() ?? '')).toContain(ackLink)
})

it('is in a mail', async () => {
  const mail = (await composeMail('from@shop.test', ['to@shop.test'], page)).toString()
  const [, text = ''] = mail.split('\r\n\r\n')
  expect(Buffer.from(text, 'base64').toString()).toContain(ackLink)
})

it('is a button, where the provider has buttons', () => {
  expect(bodies['slack']!()).toContain('"type":"button"')
  expect(JSON.parse(bodies['telegram']!()!).reply_markup.inline_keyboard).toEqual([
    [{ text: 'Acknowledge', url: ackLink }],
  ])
  expect(bodies['mattermost']!()).toContain(`[Acknowledge](${ackLink})`)
})
