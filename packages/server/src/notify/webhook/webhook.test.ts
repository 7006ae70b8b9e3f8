import { notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
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

it('says who acknowledged the incident, where somebody has', () => {
  const request = webhook.buildRequest(
    { url: 'https://hooks.test/' },
    notificationOf({ acknowledgedBy: 'mara' }),
  )
  expect(JSON.parse(request.body!)).toMatchObject({ acknowledged_by: 'mara' })
  const format = 'alertmanager' as const
  const asAlert = webhook.buildRequest(
    { url: 'https://hooks.test/', format },
    notificationOf({ acknowledgedBy: 'mara' }),
  )
  expect(JSON.parse(asAlert.body!).alerts[0].annotations).toMatchObject({ acknowledged_by: 'mara' })
})

it('has null without an incident and without a link', () => {
  const bare = notificationOf({ incidentId: null, link: null })
  const request = webhook.buildRequest({ url: 'https://hooks.test/' }, bare)
  expect(JSON.parse(request.body!)).toMatchObject({ incident_id: null, link: null })
})

describe("Alertmanager's format", () => {
  const bodyOf = (...parameters: Parameters<typeof notificationOf>) => {
    const config = { url: 'https://hooks.test/', format: 'alertmanager' as const }
    return JSON.parse(webhook.buildRequest(config, notificationOf(...parameters)).body!)
  }

  it('is version 4 with one firing alert for red', () => {
    const labels = { alertname: 'MonitorUnhealthy', monitor_id: 'checkout-api' }
    const annotations = {
      summary: 'Checkout API is down: connection refused by shop.test:443',
      status: 'incident',
      severity: 'critical',
      seen: 'connection refused by shop.test:443',
      since: '2026-01-31 08:14:30 UTC',
      incident: '0mfx-7',
      color: 'red',
    }
    expect(bodyOf()).toEqual({
      version: '4',
      groupKey: '{}:{"alertname":"MonitorUnhealthy","monitor_id":"checkout-api"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'pulseward',
      groupLabels: labels,
      commonLabels: labels,
      commonAnnotations: annotations,
      externalURL: 'https://status.test',
      alerts: [
        {
          status: 'firing',
          labels,
          annotations,
          startsAt: '2026-01-31T08:14:30.000Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://status.test/monitors/checkout-api',
          fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
        },
      ],
    })
  })

  it('resolves the same group and fingerprint for green, even after a rename', () => {
    const beganMs = Date.UTC(2026, 0, 31, 8, 14, 30)
    const green = bodyOf({ color: 'green', monitor: 'Renamed', link: null, beganMs })
    const red = bodyOf()
    expect(green).toMatchObject({ status: 'resolved', groupKey: red.groupKey, externalURL: '' })
    expect(green.alerts[0]).toMatchObject({
      status: 'resolved',
      startsAt: '2026-01-31T08:14:30.000Z',
      endsAt: '2026-01-31T08:15:00.000Z',
      fingerprint: red.alerts[0].fingerprint,
      generatorURL: '',
    })
  })

  it('tells monitors apart', () => {
    const other = bodyOf({ monitorId: 'other' })
    expect(other.alerts[0].fingerprint).not.toBe(bodyOf().alerts[0].fingerprint)
    expect(other.groupKey).not.toBe(bodyOf().groupKey)
  })
})
