import { notificationOf } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { Color } from '../driver.ts'
import { type AlertStep, alertKey, alertStep } from './alert.ts'

describe('what a color does to the alert of a monitor', () => {
  it.each<[Color, AlertStep]>([
    ['red', 'trigger'],
    ['yellow', 'trigger'],
    ['green', 'resolve'],
    ['cyan', 'inform'],
    ['gray', 'inform'],
  ])('%s: %s', (color, step) => {
    expect(alertStep(notificationOf({ color }))).toBe(step)
  })
})

describe('the key of an alert', () => {
  it('is the same for every color, cause, incident and name of a monitor', () => {
    const key = alertKey(notificationOf(), 100)
    const later = notificationOf({
      color: 'green',
      cause: 'warning',
      incidentId: null,
      monitor: 'Renamed',
      actionId: 'x',
    })
    expect(key).toBe('pulseward:checkout-api')
    expect(alertKey(later, 100)).toBe(key)
  })

  it('differs between monitors, even if it must be shortened', () => {
    const keys = ['a', 'b', 'x'.repeat(128), `${'x'.repeat(127)}y`].map((monitorId) =>
      alertKey(notificationOf({ monitorId }), 100),
    )
    expect(new Set(keys).size).toBe(4)
    for (const key of keys) expect(key.length).toBeLessThanOrEqual(100)
  })

  it('is different for a test, which must not close an open alert', () => {
    const test = notificationOf({ cause: 'test', color: 'green' })
    expect(alertKey(test, 100)).not.toBe(alertKey(notificationOf(), 100))
  })
})
