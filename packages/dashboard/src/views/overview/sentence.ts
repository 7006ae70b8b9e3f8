// views/overview/sentence.ts: the answer to "is everything all right?", from data alone. It also says what is
// unknown; without data it says only that.

import { staleWords } from '@pulseward/contract/v1/words'
import type { Overview } from '../../data/overview.ts'
import type { Reading } from '../../data/reading.ts'
import { formatCount, plural } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'
import { are, checkedOf, openIncidents, uncheckedOf, were } from '../../words/fleet-words.ts'

export interface Sentence {
  readonly lead: string
  /** The part that is loud; null if nothing is in trouble. */
  readonly trouble: string | null
  /** What else to know, as whole sentences. */
  readonly notes: readonly string[]
}

/** When monitors with an unknown status are due, as far as they were read. */
export interface UnknownDue {
  readonly lookedAt: number
  readonly total: number
  /** The last of them; null if none of them has an upcoming check. */
  readonly latestAtMs: number | null
  readonly neverChecked: boolean
}

/** Older figures are described in the past tense. */
const currentForMs = 30_000

/** isLost: the service is silent, so the figures are of the past, however new they are. */
export function sentenceOf(
  reading: Reading<Overview>,
  due: UnknownDue | null,
  nowMs: number,
  isLost = false,
): Sentence {
  if (!reading.available) return without(reading)
  const { body, stale } = reading
  const ageMs = Math.max(0, nowMs - Date.parse(body.generated))
  const isCurrent = stale === null && body.stale === null && ageMs <= currentForMs
  if (isCurrent && !isLost) return present(body, due, nowMs)
  const notes = [stale?.message ?? whyPast(body, isLost), 'The current state is unknown.']
  return { ...past(body, ageMs), notes: [...notes, ...capped(body)] }
}

function whyPast({ stale }: Overview, isLost: boolean): string {
  if (isLost) return 'Pulseward does not answer.'
  return stale === null ? 'The service has not looked at the fleet since.' : staleWords[stale.reason]
}

function without(reading: Reading<Overview> & { available: false }): Sentence {
  if (reading.reason === 'loading') return { lead: 'Reading the fleet…', trouble: null, notes: [] }
  if (reading.reason === 'unreachable')
    return {
      lead: 'Pulseward does not answer, so nothing is known about the fleet.',
      trouble: null,
      notes: ['The page tries again every five seconds.'],
    }
  const notes = 'failure' in reading ? [reading.failure.message] : []
  return { lead: 'Nothing is known about the fleet.', trouble: null, notes }
}

function present(overview: Overview, due: UnknownDue | null, nowMs: number): Sentence {
  const notes = [
    ...conditions(overview),
    ...unknown(overview, due, nowMs),
    ...unchecked(overview),
    ...capped(overview),
  ]
  return { lead: lead(overview), trouble: openIncidents(overview, 'present'), notes }
}

function lead(overview: Overview): string {
  const { total, by_status: by } = overview
  const { checked, up } = checkedOf(overview)
  if (total === 0) return 'No monitors are configured, so nothing is watched.'
  if (checked === 0)
    return `${total === 1 ? 'The one monitor' : `Every monitor (${formatCount(total)})`} is ${whyUnchecked(overview)}, so nothing is watched.`
  const noun = checkedMonitors(overview)
  if (by.unknown === checked) return `Nothing is known yet about ${plural(checked, noun)}.`
  if (up < checked)
    return `${formatCount(up)} of ${plural(checked, noun)} ${checked === 1 ? 'is' : are(up)} up.`
  return checked === 1 ? `The one ${noun} is up.` : `All ${formatCount(checked)} ${noun}s are up.`
}

/** Where not all are checked, the sentence must not read as if it were about all. */
function checkedMonitors({ by_status: { disabled } }: Overview): string {
  return disabled === 0 ? 'monitor' : 'checked monitor'
}

function whyUnchecked(overview: Overview): string {
  const { snoozed, disabled } = uncheckedOf(overview)
  if (snoozed === 0) return 'disabled'
  return disabled === 0 ? 'snoozed' : 'disabled or snoozed'
}

function past(overview: Overview, ageMs: number): Sentence {
  const { checked, up } = checkedOf(overview)
  const ago = `${formatDuration(Math.max(1000, Math.floor(ageMs / 1000) * 1000))} ago`
  const verb = checked === 1 ? 'was' : were(up)
  return {
    lead: `${ago}, ${formatCount(up)} of ${plural(checked, checkedMonitors(overview))} ${verb} up.`,
    trouble: openIncidents(overview, 'past'),
    notes: [],
  }
}

function conditions({ by_status: by }: Overview): string[] {
  const notes: string[] = []
  if (by.down > 0) notes.push(`${formatCount(by.down)} ${are(by.down)} down, so far without an incident.`)
  if (by.verifying > 0)
    notes.push(`${formatCount(by.verifying)} ${are(by.verifying)} being verified after a recovery.`)
  if (by.degraded > 0)
    notes.push(`${formatCount(by.degraded)} of those up ${by.degraded === 1 ? 'has' : 'have'} a warning.`)
  return notes
}

function unknown(
  { by_status: { unknown: count } }: Overview,
  due: UnknownDue | null,
  nowMs: number,
): string[] {
  if (count === 0) return []
  const subject = `${formatCount(count)} ${are(count)} unknown`
  if (due === null || due.lookedAt === 0) return [`${subject}.`]
  if (due.latestAtMs === null) return [`${subject}, and no check of them is due.`]
  const whose = `${count === 1 ? 'its' : 'their'} ${due.neverChecked ? 'first' : 'next'} check is due`
  const when = formatDuration(Math.max(1_000, due.latestAtMs - nowMs))
  const extent = due.lookedAt < due.total ? ` (of ${formatCount(due.lookedAt)} looked at)` : ''
  return [`${subject}: ${whose} within ${when}${extent}.`]
}

/** Nothing that the first sentence says already. */
function unchecked(overview: Overview): string[] {
  const parts = Object.entries(uncheckedOf(overview)).filter(([, count]) => count > 0)
  const isSaid = parts.length === 1 && parts[0]![1] === overview.total
  return isSaid ? [] : parts.map(([word, count]) => `${formatCount(count)} ${are(count)} ${word}.`)
}

function capped({ index_capped }: Overview): string[] {
  if (!index_capped) return []
  return [
    'The fleet is too large for lists in this edition: only these figures are known, not which monitors.',
  ]
}
