import {
  answered,
  codePoints,
  hostileNotification,
  longNotification,
  notificationOf,
  notifyOnce,
} from '@pulseward/testing/notify'
import { answersBy, HttpTarget, hangs, readRequest } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Notification } from '../driver.ts'
import { telegram } from './telegram.ts'

const config = { bot_token: '123:AAtoken', chat_id: -42 }

function messageOf(notification: Notification, more: object = {}) {
  const { url, body } = telegram.buildRequest({ ...config, ...more }, notification)
  expect(url).toBe('https://api.telegram.org/bot123:AAtoken/sendMessage')
  return JSON.parse(body!)
}

describe('a Telegram message', () => {
  it('is plain text without a preview of its link', () => {
    expect(messageOf(notificationOf())).toEqual({
      chat_id: -42,
      text: [
        'Checkout API is down',
        '',
        'Status: incident',
        'Severity: critical',
        'Seen: connection refused by shop.test:443',
        'Since: 2026-01-31 08:14:30 UTC',
        'Incident: 0mfx-7',
        'https://status.test/monitors/checkout-api',
      ].join('\n'),
      link_preview_options: { is_disabled: true },
    })
    expect(messageOf(notificationOf({ color: 'green' })).text).toMatch(/^Checkout API has recovered\n/)
  })

  it('goes to a topic, or to a channel by its name', () => {
    expect(messageOf(notificationOf(), { chat_id: '@ops', message_thread_id: 7 })).toMatchObject({
      chat_id: '@ops',
      message_thread_id: 7,
    })
  })

  it('keeps to the limit of Telegram, mentions no one, and is not parsed', () => {
    expect(codePoints(messageOf({ ...longNotification, link: 'x'.repeat(5_000) }).text)).toBe(4_096)
    const hostile = messageOf(hostileNotification)
    expect(hostile.text).not.toMatch(/@(everyone|here|channel)/)
    expect(hostile).not.toHaveProperty('parse_mode')
  })
})

const refusal = (status: number, description: string) => answered(status, { ok: false, description })

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200, { ok: true, result: {} })],
  ['rejected', answered(200, '<html>')],
  ['gone', refusal(403, 'Forbidden: bot was blocked by the user')],
  ['gone', refusal(403, 'Forbidden: bot was kicked from the supergroup chat')],
  ['gone', refusal(403, 'Forbidden: user is deactivated')],
  ['gone', refusal(400, 'Bad Request: chat not found')],
  ['gone', refusal(401, 'Unauthorized')],
  ['gone', refusal(404, 'Not Found')],
  ['rejected', refusal(400, 'Bad Request: message text is empty')],
  ['rejected', answered(404, '<html>')],
  ['retry', refusal(500, 'Internal Server Error')],
])('%s is what Telegram means by %j', (kind, answer) => {
  expect(telegram.classifyResponse(answer).kind).toBe(kind)
})

it('waits as long as the body says', () => {
  const limited = answered(429, { ok: false, error_code: 429, parameters: { retry_after: 35 } })
  expect(telegram.classifyResponse(limited)).toMatchObject({ kind: 'retry', retryAfterMs: 35_000 })
})

describe('a group that has become a supergroup', () => {
  const moved = {
    status: 400,
    body: JSON.stringify({
      ok: false,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: -1_009_876 },
    }),
  }
  const isOld = (request: string): boolean => readRequest(request).body.includes('"chat_id":-42')

  const sent = (target: HttpTarget, timeoutMs = 2_000): Promise<ActionOutcome> =>
    notifyOnce(telegram, { ...config, api_url: target.url('') }, { timeoutMs })

  it('gets the message at its new id, and a note names it', async () => {
    await using target = await HttpTarget.start()
    target.behave(answersBy((request) => (isOld(request) ? moved : { body: '{"ok":true}' })))
    expect(await sent(target)).toEqual({
      kind: 'accepted',
      note: 'the group has become chat -1009876: chat_id should name that one',
    })
    expect(target.requests).toHaveLength(2)
  })

  it('is followed once, not in a circle', async () => {
    await using target = await HttpTarget.start()
    target.behave(answersBy(() => moved))
    expect(await sent(target)).toEqual({ kind: 'rejected', reason: 'the provider answered 400' })
    expect(target.requests).toHaveLength(2)
  })

  it('does not know what became of the message if its new id does not answer', async () => {
    await using target = await HttpTarget.start()
    target.behave({
      when: 'request',
      act(socket, request) {
        answersBy(() => moved).act(socket, request)
        target.behave(hangs())
      },
    })
    expect(await sent(target, 300)).toMatchObject({ kind: 'unknown' })
  })
})
