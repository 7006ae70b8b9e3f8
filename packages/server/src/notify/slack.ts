// notify/slack.ts: a Slack incoming webhook. Foreign text stands in plain_text objects, which know no markup, and the
// characters that Slack reads as control characters are escaped everywhere. A hook says "ok" in its body; a 200
// without it was answered by somebody else.
import type { OutboundAnswer } from '../platform/network/outbound-http.ts'
import { shownOrigin } from '../platform/network/outbound-http.ts'
import { closed, Secret } from '../platform/schema.ts'
import { defineHttpNotifier, jsonPost } from './driver/http.ts'
import { cut } from './driver/text.ts'
import { facts, headline, sentence } from './driver/wording.ts'
import { type Color, delivered, gone, type Notification, rejected, unknown, type Verdict } from './driver.ts'

const HEADER_LIMIT = 150
const FIELD_LIMIT = 2_000
const TEXT_LIMIT = 3_000

const colors: Readonly<Record<Color, string>> = {
  red: '#c62828',
  yellow: '#f9a825',
  green: '#2e7d32',
  cyan: '#00838f',
  gray: '#757575',
}

export const slack = defineHttpNotifier({
  summary: 'Posts to a Slack incoming webhook.',
  config: closed({ hook: Secret }),
  rate: { maxInFlight: 4, perSecond: 1 },
  target: ({ hook }) => shownOrigin(hook),
  buildRequest: ({ hook }, notification) => jsonPost(hook, message(notification)),
  judge,
})

function message(notification: Notification): unknown {
  const { color, link } = notification
  const fields = facts(notification).map(({ label, value }) => plainText(`${label}: ${value}`, FIELD_LIMIT))
  const blocks: unknown[] = [
    { type: 'header', text: plainText(headline(notification), HEADER_LIMIT) },
    { type: 'section', fields },
  ]
  if (link !== null) blocks.push({ type: 'section', text: { type: 'mrkdwn', text: linkTo(link) } })
  const text = escaped(cut(sentence(notification), TEXT_LIMIT))
  return { text, mrkdwn: false, attachments: [{ color: colors[color], fallback: text, blocks }] }
}

function plainText(text: string, maxCodePoints: number): unknown {
  return { type: 'plain_text', text: escaped(cut(text, maxCodePoints)), emoji: false }
}

function linkTo(link: string): string {
  return `<${escaped(link).replaceAll('|', '%7C')}|Open in Pulseward>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!)
}

/** Words of Slack after which a hook never works again; the only part of an answer that is ever repeated. */
const DEAD = new Set([
  'channel_is_archived',
  'invalid_token',
  'no_active_hooks',
  'no_service',
  'no_team',
  'team_disabled',
])

function judge({ status, body, isWhole }: OutboundAnswer): Verdict | null {
  const word = body.trim()
  if (status >= 200 && status <= 299) {
    if (word === 'ok') return delivered()
    return isWhole
      ? rejected(`an answer ${status} came without Slack's "ok"`)
      : unknown(`the answer ${status} of Slack broke off`)
  }
  if ((status === 400 || status === 403) && DEAD.has(word)) {
    return gone(`Slack answered ${status} (${word}): the hook is dead`)
  }
  if (status === 404 || status === 410) return gone(`Slack answered ${status}: the hook is dead`)
  return null
}
