// notify/driver/alert.ts: providers that keep alerts and not only messages: what a notification does to the alert of
// its monitor, and by which key that alert is known. A monitor has one alert, whatever opened it, so that any green
// closes it: a warning that turns into a failure ends without a green of its own. Pure.
import { createHash } from 'node:crypto'
import type { Color, Notification } from '../driver.ts'

/** Inform neither opens nor closes anything: no other color follows that would close it. */
export type AlertStep = 'trigger' | 'resolve' | 'inform'

const steps: Readonly<Record<Color, AlertStep>> = {
  red: 'trigger',
  yellow: 'trigger',
  green: 'resolve',
  cyan: 'inform',
  gray: 'inform',
}

export function alertStep({ color, digest }: Notification): AlertStep {
  return digest === null ? steps[color] : 'inform'
}

/** From the id, which outlives every rename. A test has a key of its own: it must not close what is open. */
export function alertKey({ monitorId, cause, actionId }: Notification, maxLength: number): string {
  if (cause === 'digest') return `pulseward-digest:${actionId}`.slice(0, maxLength)
  const prefix = cause === 'test' ? 'pulseward-test:' : 'pulseward:'
  const key = `${prefix}${monitorId}`
  if (key.length <= maxLength) return key
  return `${prefix}${createHash('sha256').update(monitorId).digest('hex')}`
}
