// v1/words/incident-story.ts: what happened in an incident, from its events alone: the cause, what was tried, who was told,
// what people did, and the end. Each event is in the story once, in the order of the log within its section; nothing is
// concluded that is not recorded. The page, the command and the export show the same story. Names, reasons and notes in
// it are text of others: never markup.
import type { NextHistoryEvent } from '../history.ts'
import { nameOfAction } from './action-words.ts'
import { describeBecause } from './because-words.ts'
import { durationWords } from './duration-words.ts'
import { describeEvent } from './event-words.ts'

/** From any edition: some do not keep notes, or reasons. */
export type StoryEvent = Omit<NextHistoryEvent, 'note' | 'because'> &
  Partial<Pick<NextHistoryEvent, 'note' | 'because'>>

export const storySections = {
  cause: { title: 'Cause', nothing: 'Its opening is no longer kept.' },
  tried: { title: 'What was tried', nothing: 'No recovery action is recorded.' },
  told: { title: 'Who was told', nothing: 'No notification is recorded.' },
  people: { title: 'What people did', nothing: 'Nobody has acknowledged it or added a note.' },
  end: { title: 'How it ended', nothing: 'It is still open.' },
} as const

export type StorySectionName = keyof typeof storySections

export interface IncidentStory {
  readonly incidentId: string | null
  readonly monitorId: string | null
  readonly openedAt: string | null
  /** Null while it is open, or if the end is not among the events. */
  readonly closedAt: string | null
  /** Never negative, even if a clock was set back; null while either end is unknown. */
  readonly lastedMs: number | null
  /** The failed check that opened it, in its own words. */
  readonly failure: string | null
  /** The last person to acknowledge it. */
  readonly acknowledgedBy: string | null
  readonly sections: Readonly<Record<StorySectionName, readonly StoryItem[]>>
}

/** An action with its steps, or a single event. */
export interface StoryItem {
  /** The id of its first event. */
  readonly id: string
  /** Without a full stop. */
  readonly text: string
  /** The recorded reason, as a clause. */
  readonly why: string | null
  /** What a check, a provider or a person said. */
  readonly quotes: readonly string[]
  readonly steps: readonly StoryStep[]
}

export interface StoryStep {
  /** The event. */
  readonly id: string
  readonly at: string
  /** What became of the action, such as "delivered"; null for a single event, which its item names. */
  readonly text: string | null
}

/** `events`: those of one incident, in committed order. */
export function storyOf(events: readonly StoryEvent[]): IncidentStory {
  const opened = events.find(({ type }) => type === 'incident_opened')
  const closed = events.findLast(({ type }) => type === 'incident_closed')
  const { openedAt, closedAt } = { openedAt: opened?.at ?? null, closedAt: closed?.at ?? null }
  return {
    incidentId: events.find(({ incident_id }) => incident_id !== null)?.incident_id ?? null,
    monitorId: events.find(({ monitor_id }) => monitor_id !== null)?.monitor_id ?? null,
    openedAt,
    closedAt,
    lastedMs: openedAt === null || closedAt === null ? null : elapsedMs(openedAt, Date.parse(closedAt)),
    failure: opened?.reason ?? null,
    acknowledgedBy: events.findLast(({ type }) => type === 'control_acknowledged')?.actor ?? null,
    sections: sectionsOf(events),
  }
}

/** One sentence: what failed, and for how long. `nowMs`: for an incident that is still open. */
export function storySummary(story: IncidentStory, nowMs: number): string {
  const { openedAt, closedAt, lastedMs, failure } = story
  const cause = failure === null ? '' : `: ${failure.trim().replace(/\.$/, '')}`
  if (closedAt !== null)
    return lastedMs === null ? `Closed${cause}.` : `Open for ${durationWords(lastedMs)}, now closed${cause}.`
  return openedAt === null
    ? `Open${cause}.`
    : `Open for ${durationWords(elapsedMs(openedAt, nowMs))}${cause}.`
}

export function elapsedMs(since: string, untilMs: number): number {
  return Math.max(0, untilMs - Date.parse(since))
}

function sectionsOf(events: readonly StoryEvent[]): IncidentStory['sections'] {
  const sections: Record<StorySectionName, StoryItem[]> = {
    cause: [],
    tried: [],
    told: [],
    people: [],
    end: [],
  }
  const ofAction = new Map<string, { quotes: string[]; steps: StoryStep[] }>()
  for (const event of events) {
    const step = { id: event.id, at: event.at, text: stepWords(event) }
    const quotes = quotesOf(event)
    const known = isOfAction(event) ? ofAction.get(event.action_id) : undefined
    if (known !== undefined) {
      known.steps.push(step)
      known.quotes.push(...quotes)
      continue
    }
    const item = { id: event.id, text: itemWords(event), why: whyOf(event), quotes, steps: [step] }
    if (isOfAction(event)) ofAction.set(event.action_id, item)
    sections[sectionOf(event)].push(item)
  }
  return sections
}

/** A kind of event that only a newer service has is shown among what people did, by its own word. */
function sectionOf({ type, kind }: StoryEvent): StorySectionName {
  if (type === 'incident_opened') return 'cause'
  if (type === 'incident_closed') return 'end'
  if (type === 'control_recover_requested') return 'tried'
  if (kind === null) return 'people'
  return kind === 'intervention' ? 'tried' : 'told'
}

/** Whether it is a step of an action; a request for a recovery, and a digest about many incidents, are events of their own. */
function isOfAction(event: StoryEvent): event is StoryEvent & { readonly action_id: string } {
  return event.action_id !== null && event.kind !== null && event.type !== 'incident_reported'
}

function itemWords(event: StoryEvent): string {
  if (!isOfAction(event)) return `${describeEvent(event)}${untilWords(event)}`
  const { kind, color, endpoint } = event
  return kind === null ? describeEvent(event) : nameOfAction({ kind, color, endpoint })
}

function untilWords({ type, because }: StoryEvent): string {
  return type === 'control_snoozed' && because?.until !== undefined ? ` until ${because.until}` : ''
}

function stepWords(event: StoryEvent): string | null {
  if (!isOfAction(event)) return null
  const { type, kind, actor, outcome } = event
  switch (type) {
    case 'action_queued':
      return 'queued'
    case 'action_started':
      return 'sent'
    case 'action_succeeded':
      return kind === 'code' ? 'delivered' : 'accepted'
    case 'action_failed':
    case 'action_cancelled':
      return endWords(event, type === 'action_failed' ? 'not accepted' : 'dropped')
    case 'action_unknown':
      return endWords(event, 'its answer is not known')
    case 'action_reviewed':
      return `reviewed${outcome === null ? ' without a finding' : ` as ${outcome}`}${actor === null ? '' : ` by ${actor}`}`
    default:
      return lowered(describeEvent(event))
  }
}

function endWords(event: StoryEvent, words: string): string {
  const why = event.because == null ? null : describeBecause(event.because)
  return why === null ? words : `${words}: ${why}`
}

/** An action shows the reason for which it was queued; the reason of its end stands with that step. */
function whyOf({ type, because }: StoryEvent): string | null {
  if (because == null || because.kind === 'control' || because.kind === 'snooze_expired') return null
  if (type.startsWith('action_') && type !== 'action_queued') return null
  const clause = describeBecause(because)
  if (type !== 'incident_opened') return clause
  const { failing_ms: failingMs, from } = because
  const parts = [
    clause,
    failingMs === undefined ? null : `it had been failing for ${durationWords(failingMs)}`,
    from === undefined ? null : `seen by worker ${from}`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join('; ')
}

function quotesOf({ reason, note }: StoryEvent): string[] {
  return [reason, note ?? null].filter((text) => text !== null && text.trim() !== '') as string[]
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
