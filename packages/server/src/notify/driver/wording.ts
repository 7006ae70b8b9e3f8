// notify/driver/wording.ts: what a notification says to people, the same for all providers: a headline, a
// sentence, and the facts beside it. Texts are neutralised here; escaping is left to the provider. Pure.
import { counted } from '../../platform/wording.ts'
import type { Digest, MaintenanceNews, Notification, Page, Untold } from '../driver.ts'
import { neutral } from './text.ts'

const NAME_LIMIT = 256
const SEEN_LIMIT = 1_000
const DIGEST_SEEN_LIMIT = 120

/** Such as "Checkout API is down". */
export function headline(notification: Notification): string {
  if (notification.digest !== null) return digestHeadline(notification.digest)
  if (notification.page !== undefined) return pageHeadline(notification, notification.page)
  return headlineOf(notification, neutral(notification.monitor, NAME_LIMIT))
}

/** Such as "14 monitors of payments are down, first of all Checkout API". */
function pageHeadline({ monitor, acknowledgedBy }: Notification, page: Page): string {
  const { stage, policy, monitors } = page
  const name = neutral(monitor, NAME_LIMIT)
  const isOne = monitors === 1
  const about = isOne ? name : `${counted(monitors, 'monitor')} of ${neutral(policy, NAME_LIMIT)}`
  switch (stage) {
    case 'step':
      return isOne ? `${name} is down` : `${about} are down, first of all ${name}`
    case 'nobody':
      return `No person is on call for ${isOne ? name : about}, which ${isOne ? 'is' : 'are'} down`
    case 'acknowledged':
      return `${about}: acknowledged by ${neutral(acknowledgedBy ?? '', NAME_LIMIT) || 'a person'}`
    case 'ended':
      return `${about}: over`
    case 'handover':
      return handoverHeadline(name, page.handover)
    case 'missed':
      return `${about} ${isOne ? 'was' : 'were'} down in your quiet hours, and ${isOne ? 'is' : 'are'} no more`
  }
}

/** Such as "You are on call by primary until 2026-03-30 07:00:00 UTC". */
function handoverHeadline(schedule: string, handover: Page['handover']): string {
  const { to = null, isYours = false, untilMs = null } = handover ?? {}
  if (isYours) return `You are on call by ${schedule}${untilMs === null ? '' : ` until ${timeOf(untilMs)}`}`
  const next = to === null ? 'no person is' : `${neutral(to, NAME_LIMIT)} is`
  return `You are no longer on call by ${schedule}: ${next}`
}

function headlineOf({ color, cause, maintenance }: Notification, name: string): string {
  if (cause === 'test') return `Test: this would be about ${name}`
  if (cause === 'maintenance') return maintenanceHeadline(maintenance ?? null, name)
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

function maintenanceHeadline(news: MaintenanceNews | null, name: string): string {
  const title = news?.name == null ? '' : neutral(news.name, NAME_LIMIT)
  const window = `Maintenance${title === '' ? '' : ` "${title}"`} of ${name}`
  if (news === null) return window
  if (news.is === 'over') return `${window} has ended`
  return news.untilMs === null ? `${window} begins` : `${window} begins, until ${timeOf(news.untilMs)}`
}

/** The headline and what was seen, as one sentence. */
export function sentence(notification: Notification): string {
  const { digest, untold } = notification
  if (digest !== null) return `${headline(notification)}: ${digestedMonitors(digest).join('; ')}`
  const seen = seenOf(notification) ?? (untold === null ? null : untoldWords(untold))
  return seen === null ? headline(notification) : `${headline(notification)}: ${seen}`
}

function digestHeadline({ incidents, monitors, moreMonitors, downMs, fromMs, toMs }: Digest): string {
  const count = `${counted(incidents, 'incident')} of ${counted(monitors.length + moreMonitors, 'monitor')}`
  const were = incidents === 1 ? 'was' : 'were'
  const when = `from ${timeOf(fromMs)} to ${timeOf(toMs)}, down ${lasting(downMs)} in all`
  return `${count} ${were} not told before, ${when}`
}

function digestedMonitors({ monitors, moreMonitors }: Digest): string[] {
  const named = monitors.map(({ monitor, incidents, downMs, seen }) => {
    const reason = seen === null ? '' : neutral(seen, DIGEST_SEEN_LIMIT)
    const why = reason === '' ? '' : ` (${reason})`
    return `${neutral(monitor, NAME_LIMIT)} ${lasting(downMs)} in ${counted(incidents, 'incident')}${why}`
  })
  return moreMonitors === 0 ? named : [...named, `and ${counted(moreMonitors, 'more monitor')}`]
}

function untoldWords({ incidents, downMs, fromMs, seen }: Untold): string {
  const text = seen === null ? '' : neutral(seen, SEEN_LIMIT)
  const reason = text === '' ? '' : `: ${text}`
  const was = `was down ${lasting(downMs)} ${incidents === 1 ? 'from' : 'in all since'} ${timeOf(fromMs)}`
  const count = incidents === 1 ? '' : ` in ${counted(incidents, 'incident')}`
  return `${was}${count}${reason}; not told before`
}

/** Such as 5 s, 8 min 2 s or 3 h 4 min. */
function lasting(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

export interface Fact {
  readonly label: string
  readonly value: string
}

/** Everything except the headline and the link. */
export function facts(notification: Notification): Fact[] {
  const { status, severity, sinceMs, incidentId, acknowledgedBy, untold, digest, page } = notification
  if (digest !== null) return digestFacts(digest)
  if (page?.handover !== undefined) return handoverFacts(notification, page.handover)
  const known: [string, string | null][] = [
    ['Status', neutral(status, 32)],
    ['Severity', severity],
    ['Policy', page === undefined ? null : pageWords(page)],
    ['Other monitors', page === undefined ? null : otherMonitors(page)],
    ['Seen', seenOf(notification)],
    ['Since', sinceMs === null ? null : timeOf(sinceMs)],
    ['Incident', incidentId === null ? null : neutral(incidentId, 128)],
    ['Acknowledged by', acknowledgedBy ? neutral(acknowledgedBy, NAME_LIMIT) : null],
    ['Not told before', untold === null ? null : untoldWords(untold)],
  ]
  return known.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}

function handoverFacts(
  { monitor }: Notification,
  { from, to, untilMs }: NonNullable<Page['handover']>,
): Fact[] {
  return [
    { label: 'Schedule', value: neutral(monitor, NAME_LIMIT) },
    { label: 'On call', value: to === null ? 'no person' : neutral(to, NAME_LIMIT) },
    { label: 'Before', value: from === null ? 'no person' : neutral(from, NAME_LIMIT) },
    ...(untilMs === null ? [] : [{ label: 'Until', value: timeOf(untilMs) }]),
  ]
}

function pageWords({ policy, round, step }: Page): string {
  return `${neutral(policy, NAME_LIMIT)}, step ${step}${round === 1 ? '' : ` of round ${round}`}`
}

function otherMonitors({ monitors, others }: Page): string | null {
  if (monitors === 1) return null
  const more = monitors - 1 - others.length
  const named = others.map((name) => neutral(name, NAME_LIMIT))
  return [...named, ...(more > 0 ? [`and ${counted(more, 'more monitor')}`] : [])].join(', ')
}

function digestFacts(digest: Digest): Fact[] {
  const { fromMs, toMs, downMs } = digest
  return [
    { label: 'From', value: timeOf(fromMs) },
    { label: 'To', value: timeOf(toMs) },
    { label: 'Down in all', value: lasting(downMs) },
    { label: 'Monitors', value: digestedMonitors(digest).join('; ') },
  ]
}

/** Where the person acknowledges a page; null if this is no step of one, or there is no address. */
export function ackLinkOf({ page }: Notification): string | null {
  return page?.ackLink ?? null
}

/** The link to acknowledge first, so that no cut shortens it; the facts, one per line; and the other link last. */
export function factLines(notification: Notification): string[] {
  const { link } = notification
  const ack = ackLinkOf(notification)
  return [
    ...(ack === null ? [] : [`Acknowledge: ${ack}`]),
    ...facts(notification).map(({ label, value }) => `${label}: ${value}`),
    ...(link === null ? [] : [link]),
  ]
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
