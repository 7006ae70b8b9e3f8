// notify/driver/wording.ts: what a notification says to people, once for all providers: a headline, a sentence, and
// the facts beside it. Texts are neutralised here; escaping is left to the provider. Pure.
import type { Notification } from '../driver.ts'
import { neutral } from './text.ts'

const NAME_LIMIT = 256
const SEEN_LIMIT = 1_000

/** Such as "Checkout API is down". */
export function headline(notification: Notification): string {
  return headlineOf(notification, neutral(notification.monitor, NAME_LIMIT))
}

function headlineOf({ color, cause }: Notification, name: string): string {
  if (cause === 'test') return `Test: this would be about ${name}`
  if (cause === 'maintenance') return `Maintenance of ${name}`
  switch (color) {
    case 'red':
      return cause === 'repeat' ? `${name} is still down` : `${name} is down`
    case 'yellow':
      return cause === 'warning' ? `${name} gives a warning` : `${name} is failing`
    case 'green':
      return cause === 'warning' ? `The warning of ${name} is over` : `${name} has recovered`
    case 'cyan':
      return `${name} is watched after a recovery action`
    case 'gray':
      return name
  }
}

/** The headline and what was seen, as one sentence. */
export function sentence(notification: Notification): string {
  const seen = seenOf(notification)
  return seen === null ? headline(notification) : `${headline(notification)}: ${seen}`
}

export interface Fact {
  readonly label: string
  readonly value: string
}

/** Everything but the headline and the link. */
export function facts(notification: Notification): Fact[] {
  const { status, severity, sinceMs, incidentId } = notification
  const known: [string, string | null][] = [
    ['Status', neutral(status, 32)],
    ['Severity', severity],
    ['Seen', seenOf(notification)],
    ['Since', sinceMs === null ? null : timeOf(sinceMs)],
    ['Incident', incidentId === null ? null : neutral(incidentId, 128)],
  ]
  return known.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

/** The facts, a line each, and the link as the last one. */
export function factLines(notification: Notification): string[] {
  const lines = facts(notification).map(({ label, value }) => `${label}: ${value}`)
  return notification.link === null ? lines : [...lines, notification.link]
}

/** Such as 2026-01-31 08:15:00 UTC. */
export function timeOf(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}

function seenOf({ seen }: Notification): string | null {
  const text = seen === null ? '' : neutral(seen, SEEN_LIMIT)
  return text === '' ? null : text
}
