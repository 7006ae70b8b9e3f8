import { answered, hostileNotification, longNotification, notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { matrix } from './matrix.ts'

const config = { api_url: 'https://matrix.test', access_token: 'syt_1', room_id: '!ops:shop.test' }

describe('a Matrix message', () => {
  it('is put into the room under the id of its action', () => {
    const request = matrix.buildRequest(config, notificationOf())
    expect(request).toMatchObject({
      method: 'PUT',
      url: 'https://matrix.test/_matrix/client/v3/rooms/!ops:shop.test/send/m.room.message/0mfx-9',
      headers: { authorization: 'Bearer syt_1' },
    })
    expect(JSON.parse(request.body!)).toEqual({
      msgtype: 'm.text',
      body: [
        'Checkout API is down',
        '',
        'Status: incident',
        'Severity: critical',
        'Seen: connection refused by shop.test:443',
        'Since: 2026-01-31 08:14:30 UTC',
        'Incident: 0mfx-7',
        'https://status.test/monitors/checkout-api',
      ].join('\n'),
      'm.mentions': {},
    })
    const green = matrix.buildRequest(config, notificationOf({ color: 'green' }))
    expect(JSON.parse(green.body!).body).toMatch(/^Checkout API has recovered\n/)
  })

  it('mentions no one, has no format and stays far below the size of an event', () => {
    const hostile = JSON.parse(matrix.buildRequest(config, hostileNotification).body!)
    expect(hostile.body).not.toMatch(/@(everyone|here|channel|room)/)
    expect(hostile).not.toHaveProperty('format')
    const room = JSON.parse(matrix.buildRequest(config, notificationOf({ monitor: '@room' })).body!)
    expect(room.body).toMatch(/^@\u200broom is down/)
    expect(Buffer.byteLength(matrix.buildRequest(config, longNotification).body!)).toBeLessThan(65_536)
  })

  it('does not let a room id change the path', () => {
    const { url } = matrix.buildRequest({ ...config, room_id: '!a/../../x?y' }, notificationOf())
    expect(url).toBe(
      'https://matrix.test/_matrix/client/v3/rooms/!a%2F..%2F..%2Fx%3Fy/send/m.room.message/0mfx-9',
    )
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200, { event_id: '$1' })],
  ['rejected', answered(200, '<html>')],
  ['gone', answered(401, { errcode: 'M_UNKNOWN_TOKEN' })],
  ['gone', answered(403, { errcode: 'M_FORBIDDEN' })],
  ['gone', answered(403, { errcode: 'M_USER_DEACTIVATED' })],
  ['rejected', answered(404, { errcode: 'M_NOT_FOUND' })],
  ['rejected', answered(413, { errcode: 'M_TOO_LARGE' })],
  ['retry', answered(502)],
])('%s is what Matrix means by %j', (kind, answer) => {
  expect(matrix.classifyResponse(answer).kind).toBe(kind)
})

it('waits as long as the body or the header says', () => {
  const limited = { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2_000 }
  expect(matrix.classifyResponse(answered(429, limited))).toMatchObject({
    kind: 'retry',
    retryAfterMs: 2_000,
  })
  expect(matrix.classifyResponse(answered(429, limited, { 'retry-after': '5' }))).toMatchObject({
    retryAfterMs: 5_000,
  })
})
