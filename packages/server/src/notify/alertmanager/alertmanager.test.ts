import { answered, hostileNotification, notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Color } from '../driver.ts'
import { alertmanager } from './alertmanager.ts'

const config = { api_url: 'https://am.test/prefix' }

function alertsOf(...parameters: Parameters<typeof notificationOf>) {
  const { url, body } = alertmanager.buildRequest(config, notificationOf(...parameters))
  expect(url).toBe('https://am.test/prefix/api/v2/alerts')
  return JSON.parse(body!)
}

const alertOf = (...parameters: Parameters<typeof notificationOf>) => alertsOf(...parameters).at(-1)

describe('an alert for Alertmanager', () => {
  it('opens for red and stays open by itself', () => {
    expect(alertOf()).toEqual({
      labels: { alertname: 'MonitorUnhealthy', monitor_id: 'checkout-api' },
      annotations: {
        summary: 'Checkout API is down: connection refused by shop.test:443',
        status: 'incident',
        severity: 'critical',
        seen: 'connection refused by shop.test:443',
        since: '2026-01-31 08:14:30 UTC',
        incident: '0mfx-7',
        color: 'red',
      },
      startsAt: '2026-01-31T08:14:30.000Z',
      endsAt: '2026-03-02T08:15:00.000Z',
      generatorURL: 'https://status.test/monitors/checkout-api',
    })
  })

  it('ends for green under the same labels, even after a rename, with the times of the outage', () => {
    const beganMs = Date.UTC(2026, 0, 31, 8, 14, 55)
    const green = alertOf({ color: 'green', monitor: 'Renamed', severity: 'info', link: null, beganMs })
    expect(green.labels).toEqual(alertOf().labels)
    expect(green).toMatchObject({ startsAt: '2026-01-31T08:14:55.000Z', endsAt: '2026-01-31T08:15:00.000Z' })
    expect(green).not.toHaveProperty('generatorURL')
  })

  it('of a page ends under its own labels, whichever monitor it is named after then', () => {
    const page = {
      id: 'p-1',
      policy: 'payments',
      round: 1,
      step: 1,
      person: 'ana',
      monitors: 2,
      others: ['B'],
      ackLink: null,
    }
    const opened = alertOf({ cause: 'page', page: { ...page, stage: 'step' } })
    const named = { monitorId: 'another', monitor: 'Another', link: null }
    const ended = alertOf({ ...named, cause: 'page', color: 'green', page: { ...page, stage: 'ended' } })
    expect(opened.labels).toEqual({ alertname: 'MonitorUnhealthy', page: 'p-1', policy: 'payments' })
    expect(ended.labels).toEqual(opened.labels)
  })

  it('withdraws the far end before it sends the real one, so that a clock behind ours ends it too', () => {
    const [open, ended] = alertsOf({ color: 'green' })
    expect(open).toEqual({ ...ended, endsAt: undefined })
    expect(alertsOf()).toHaveLength(1)
  })

  it('never ends before it began', () => {
    for (const beganMs of [null, Date.UTC(2030, 0, 1)]) {
      const { startsAt, endsAt } = alertOf({ color: 'green', beganMs })
      expect([startsAt, endsAt]).toEqual(['2026-01-31T08:15:00.000Z', '2026-01-31T08:15:00.000Z'])
    }
  })

  it('is the same alert for yellow', () => {
    const yellow = alertOf({ color: 'yellow', severity: 'warning' })
    expect(yellow.labels).toEqual(alertOf().labels)
    expect(yellow.annotations.severity).toBe('warning')
  })

  it.each<Color>(['cyan', 'gray'])('is a notice for %s that ends by itself', (color) => {
    expect(alertOf({ color })).toMatchObject({
      labels: { alertname: 'MonitorNotice' },
      startsAt: '2026-01-31T08:15:00.000Z',
      endsAt: '2026-01-31T08:20:00.000Z',
    })
  })

  it('of a test closes no open alert', () => {
    expect(alertOf({ cause: 'test', color: 'green' }).labels.alertname).toBe('PulsewardTest')
  })

  it('never begins after it is sent', () => {
    expect(alertOf({ sinceMs: Date.UTC(2030, 0, 1) }).startsAt).toBe('2026-01-31T08:15:00.000Z')
    expect(alertOf({ sinceMs: null }).startsAt).toBe('2026-01-31T08:15:00.000Z')
  })

  it('has the configured labels, which cannot replace its own', () => {
    const labels = { team: 'payments', monitor_id: 'other' }
    const { body, headers } = alertmanager.buildRequest(
      { ...config, labels, headers: { Authorization: 'Basic x' } },
      notificationOf(),
    )
    expect(JSON.parse(body!)[0].labels).toEqual({
      team: 'payments',
      alertname: 'MonitorUnhealthy',
      monitor_id: 'checkout-api',
    })
    expect(headers['Authorization']).toBe('Basic x')
  })

  it('does not mention anyone', () => {
    expect(JSON.stringify(alertOf(hostileNotification))).not.toMatch(/@(everyone|here|channel)/)
  })
})

it.each<[ActionOutcome['kind'], ReturnType<typeof answered>]>([
  ['accepted', answered(200)],
  ['rejected', answered(400, 'bad start time')],
  ['retry', answered(429, '', { 'retry-after': '6' })],
  ['retry', answered(503)],
  ['gone', answered(410)],
])('%s is what Alertmanager means by %j', (kind, answer) => {
  expect(alertmanager.classifyResponse(answer).kind).toBe(kind)
})
