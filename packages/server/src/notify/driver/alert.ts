// notify/driver/alert.ts: for providers that keep alerts, not only messages: what a notification does to its
// monitor's alert, and the key that identifies the alert. A monitor has one alert, whatever opened it, so any
// green closes it: a warning that turns into a failure does not get a separate green. Pure.
import { createHash } from 'node:crypto'
import type { Color, Notification } from '../driver.ts'

/** `inform` neither opens nor closes an alert: no later color would close one that it opened. */
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

/** Made from the id, which survives renames. A test has its own key, because it must not close an open alert. */
export function alertKey({ monitorId, cause, actionId, page }: Notification, maxLength: number): string {
  // The monitor has an alert of its own, which another policy or its colors open and close.
  if (page !== undefined) return `pulseward-page:${page.id}`.slice(0, maxLength)
  if (cause === 'digest') return `pulseward-digest:${actionId}`.slice(0, maxLength)
  const prefix = cause === 'test' ? 'pulseward-test:' : 'pulseward:'
  const key = `${prefix}${monitorId}`
  if (key.length <= maxLength) return key
  return `${prefix}${createHash('sha256').update(monitorId).digest('hex')}`
}
