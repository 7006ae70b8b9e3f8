import { expect, it } from 'vitest'
import { notificationOf } from '../../../testing/src/notifications.ts'
import { webhook } from './webhook.ts'

it('posts the documented body', () => {
  const config = { url: 'https://hooks.test/x?token=1', headers: { 'X-Key': 'k' } }
  const request = webhook.buildRequest(config, notificationOf())
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://hooks.test/x?token=1',
    headers: { 'content-type': 'application/json; charset=utf-8', 'X-Key': 'k' },
  })
  expect(JSON.parse(request.body!)).toEqual({
    monitor_id: 'checkout-api',
    monitor: 'Checkout API',
    color: 'red',
    status: 'incident',
    severity: 'critical',
    summary: 'Checkout API is down: connection refused by shop.test:443',
    incident_id: '0mfx-7',
    action_id: '0mfx-9',
    at: '2026-01-31T08:15:00.000Z',
    link: 'https://status.test/monitors/checkout-api',
  })
})

it('says null where there is no incident and no link', () => {
  const bare = notificationOf({ incidentId: null, link: null })
  const request = webhook.buildRequest({ url: 'https://hooks.test/' }, bare)
  expect(JSON.parse(request.body!)).toMatchObject({ incident_id: null, link: null })
})
