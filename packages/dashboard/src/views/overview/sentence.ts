// views/overview/sentence.ts: the answer to "is everything all right?", from data alone. It also says what is
// unknown; without data it says only that.

import { staleWords } from '@pulseward/contract/v1/words'
import type { Overview } from '../../data/overview.ts'
import type { Reading } from '../../data/reading.ts'
import { formatCount, plural } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'

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

export function sentenceOf(reading: Reading<Overview>, due: UnknownDue | null, nowMs: number): Sentence {
  if (!reading.available) return without(reading)
  const { body, stale } = reading
  const ageMs = Math.max(0, nowMs - Date.parse(body.generated))
  if (stale === null && body.stale === null && ageMs <= currentForMs) return present(body, due, nowMs)
  const why =
    body.stale === null ? 'The service has not looked at the fleet since.' : staleWords[body.stale.reason]
  const notes = [stale?.message ?? why, 'The current state is unknown.']
  return { ...past(body, ageMs), notes: [...notes, ...capped(body)] }
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
    ...disabled(overview),
    ...capped(overview),
  ]
  return { lead: lead(overview), trouble: incidents(overview, 'are'), notes }
}

function lead(overview: Overview): string {
  const { total, by_status: by } = overview
  const watched = total - by.disabled
  if (total === 0) return 'No monitors are configured, so nothing is watched.'
  if (watched === 0) return `Every monitor (${formatCount(total)}) is disabled, so nothing is watched.`
  if (by.unknown === watched) return `Nothing is known yet about ${plural(watched, 'monitor')}.`
  const working = by.up + by.degraded
  if (working < watched) return `${formatCount(working)} of ${plural(watched, 'monitor')} ${are(working)} up.`
  return watched === 1 ? 'The one monitor is up.' : `All ${formatCount(watched)} monitors are up.`
}

function past(overview: Overview, ageMs: number): Sentence {
  const { total, by_status: by } = overview
  const working = by.up + by.degraded
  const ago = `${formatDuration(Math.max(1000, Math.floor(ageMs / 1000) * 1000))} ago`
  const watched = plural(total - by.disabled, 'monitor')
  const were = working === 1 ? 'was' : 'were'
  return {
    lead: `${ago}, ${formatCount(working)} of ${watched} ${were} up.`,
    trouble: incidents(overview, 'were'),
    notes: [],
  }
}

function incidents({ incidents: open }: Overview, tense: 'are' | 'were'): string | null {
  if (open === 0) return null
  const verb = tense === 'are' ? are(open) : open === 1 ? 'was' : 'were'
  return `${plural(open, 'incident')} ${verb} open.`
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

function disabled({ total, by_status: { disabled: count } }: Overview): string[] {
  return count === 0 || count === total ? [] : [`${formatCount(count)} ${are(count)} disabled.`]
}

function capped({ index_capped }: Overview): string[] {
  if (!index_capped) return []
  return [
    'The fleet is too large for lists in this edition: only these figures are known, not which monitors.',
  ]
}

const are = (count: number) => (count === 1 ? 'is' : 'are')
