import { notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { Cause, Color, Notification } from '../driver.ts'
import { factLines, facts, headline, sentence } from './wording.ts'

describe('the wording of a notification', () => {
  it.each<[Color, Cause, string]>([
    ['red', 'episode', 'Checkout API is down'],
    ['red', 'repeat', 'Checkout API is still down'],
    ['yellow', 'episode', 'Checkout API is failing'],
    ['yellow', 'warning', 'Checkout API gives a warning'],
    ['green', 'episode', 'Checkout API has recovered'],
    ['green', 'warning', 'The warning of Checkout API is over'],
    ['cyan', 'episode', 'Checkout API is watched after a recovery action'],
    ['gray', 'maintenance', 'Maintenance of Checkout API'],
    ['red', 'test', 'Test: this would be about Checkout API'],
  ])('heads %s for %s with words of its own', (color, cause, words) => {
    expect(headline(notificationOf({ color, cause }))).toBe(words)
  })

  it('says of a window that it begins or has ended, with its name on one line, and until when', () => {
    const gray = (maintenance: NonNullable<Notification['maintenance']>) =>
      headline(notificationOf({ color: 'gray', cause: 'maintenance', maintenance }))
    const untilMs = Date.UTC(2026, 2, 29, 3)
    expect(gray({ is: 'begun', name: null, untilMs })).toBe(
      'Maintenance of Checkout API begins, until 2026-03-29 03:00:00 UTC',
    )
    expect(gray({ is: 'begun', name: 'Move\n@here', untilMs: null })).toMatch(
      /^Maintenance "Move @\u200bhere" of Checkout API begins$/,
    )
    expect(gray({ is: 'over', name: 'Move', untilMs: null })).toBe(
      'Maintenance "Move" of Checkout API has ended',
    )
  })

  it('says in a digest why each monitor was down, where it is known', () => {
    const monitor = { monitorId: 'a', monitor: 'A', incidents: 1, downMs: 5_000 }
    const monitors = [
      { ...monitor, seen: 'status 503' },
      { ...monitor, monitor: 'B', seen: null },
    ]
    const digest = { incidents: 2, downMs: 10_000, fromMs: 0, toMs: 10_000, monitors, moreMonitors: 0 }
    expect(sentence(notificationOf({ cause: 'digest', digest }))).toMatch(
      /: A 5 s in 1 incident \(status 503\); B 5 s in 1 incident$/,
    )
  })

  it('says what was seen, where something was', () => {
    expect(sentence(notificationOf())).toBe('Checkout API is down: connection refused by shop.test:443')
    expect(sentence(notificationOf({ seen: null }))).toBe('Checkout API is down')
    expect(sentence(notificationOf({ seen: '\r\n' }))).toBe('Checkout API is down')
  })

  it('says who acknowledged the incident, without any markup that the name may have', () => {
    const acknowledged = notificationOf({ acknowledgedBy: 'mara\u202e\n@here' })
    expect(facts(acknowledged).at(-1)?.label).toBe('Acknowledged by')
    expect(facts(acknowledged).at(-1)?.value).not.toMatch(/[\u202e\n]/)
    expect(facts(notificationOf({ acknowledgedBy: null })).map(({ label }) => label)).not.toContain(
      'Acknowledged by',
    )
  })

  it('lists what is known and nothing else', () => {
    expect(facts(notificationOf())).toEqual([
      { label: 'Status', value: 'incident' },
      { label: 'Severity', value: 'critical' },
      { label: 'Seen', value: 'connection refused by shop.test:443' },
      { label: 'Since', value: '2026-01-31 08:14:30 UTC' },
      { label: 'Incident', value: '0mfx-7' },
    ])
    const bare = notificationOf({ seen: null, sinceMs: null, incidentId: null })
    expect(facts(bare).map(({ label }) => label)).toEqual(['Status', 'Severity'])
    expect(factLines({ ...bare, link: null })).toEqual(['Status: incident', 'Severity: critical'])
    expect(factLines(notificationOf()).at(-1)).toBe('https://status.test/monitors/checkout-api')
  })
})
