// views/report/report.ts: what happened to one monitor in a period, for people who were not there: its incidents, every
// step in order, the outcomes of recoveries and notifications, and who did what, including edits of the monitor.
import type { v2 } from '@pulseward/contract'
import { describeAction, describeEvent, nameOfAction } from '@pulseward/contract/v1/words'
import { type ShownChange, shownChanges } from '../../components/shown-change.ts'
import type { HistoryEvent } from '../../data/history.ts'
import { describeEditOnly } from '../../words/edit-words.ts'
import {
  type ActionLine,
  actionStateOf,
  type IncidentSpan,
  type TimelineItem,
  timelineOf,
} from '../monitor/timeline.ts'
import type { Period } from './period.ts'

export interface ReportLine {
  readonly id: string
  readonly atMs: number
  readonly what: string
  /** Null if the service acted by itself. */
  readonly by: string | null
  readonly why: string | null
  readonly changes: readonly ShownChange[]
}

export interface Report {
  /** Those that were open in the period, earliest first. */
  readonly incidents: readonly IncidentSpan[]
  readonly lines: readonly ReportLine[]
  /** With their last state in the period. */
  readonly recoveries: readonly ActionLine[]
  readonly notifications: readonly ActionLine[]
  readonly deeds: readonly ReportLine[]
}

/**
 * `events`: in committed order, oldest first; includes those around the period, which show when
 * incidents began and ended.
 */
export function reportOf(
  events: readonly HistoryEvent[],
  period: Period,
  edits: readonly v2.Event[] = [],
): Report {
  const within = events.filter(({ at }) => isWithin(Date.parse(at), period))
  const actions = timelineOf(within)
    .flatMap<TimelineItem>((item) => (item.kind === 'incident' ? item.entries : [item]))
    .filter((entry) => entry.kind === 'action')
    .toSorted(byTime)
  const lines = [
    ...within.map(lineOf),
    ...edits.map(lineOfEdit).filter(({ atMs }) => isWithin(atMs, period)),
  ].toSorted(byCommit)
  return {
    incidents: timelineOf(events)
      .filter((item) => item.kind === 'incident')
      .filter((span) => wasOpenIn(span, period))
      .toSorted((a, b) => openedMs(a) - openedMs(b)),
    lines,
    recoveries: actions.filter(({ facts }) => facts.kind === 'intervention'),
    notifications: actions.filter(({ facts }) => facts.kind === 'code'),
    deeds: lines.filter(({ by }) => by !== null),
  }
}

/** How long an incident was open within the period; null if its opening is unknown. */
export function openMs(span: IncidentSpan, period: Period, nowMs: number): number | null {
  if (span.openedAt === null) return null
  const endMs = span.closedAt === null ? nowMs : Date.parse(span.closedAt)
  const begin = Math.max(period.fromMs, Date.parse(span.openedAt))
  return Math.max(0, Math.min(period.toMs, endMs) - begin)
}

/** The person who acknowledged it. */
export function acknowledgedBy(span: IncidentSpan, events: readonly HistoryEvent[]): string | null {
  return (
    events.findLast((event) => event.type === 'control_acknowledged' && event.incident_id === span.id)
      ?.actor ?? null
  )
}

function lineOf(event: HistoryEvent): ReportLine {
  const { id, at, actor, reason } = event
  return { id, atMs: Date.parse(at), what: sentenceOf(event), by: actor, why: reason, changes: [] }
}

function lineOfEdit(event: v2.Event): ReportLine {
  const { id, time, actor = null, reason = null } = event
  const what = `${describeEditOnly(event)}.`
  return { id, atMs: Date.parse(time), what, by: actor, why: reason, changes: shownChanges(event) }
}

/** In the past tense: an action that was queued then does not wait now. */
function sentenceOf(event: HistoryEvent): string {
  const { type, kind, color, endpoint, outcome } = event
  const state = actionStateOf(type)
  // The person has a separate column.
  if (state === null) return `${describeEvent({ ...event, actor: null })}.`
  const action = {
    kind: kind ?? 'code',
    state,
    color,
    endpoint,
    outcome: outcome === 'recovered' ? 'health_recovered' : outcome,
  } as const
  if (state === 'queued') return `${nameOfAction(action)} was queued.`
  return state === 'started' ? `${nameOfAction(action)} was sent.` : describeAction(action)
}

function isWithin(atMs: number, { fromMs, toMs }: Period): boolean {
  return atMs >= fromMs && atMs < toMs
}

/** An incident of which neither end is known has events among the available ones, and is placed by them. */
function wasOpenIn(span: IncidentSpan, period: Period): boolean {
  const beganBefore = span.openedAt === null || Date.parse(span.openedAt) < period.toMs
  const endedAfter = span.closedAt === null || Date.parse(span.closedAt) >= period.fromMs
  return beganBefore && endedAfter
}

function openedMs({ openedAt }: IncidentSpan): number {
  return openedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(openedAt)
}

/** Ids of both versions are positions in one log. */
function byCommit(a: ReportLine, b: ReportLine): number {
  return Number(a.id) - Number(b.id)
}

function byTime(a: { readonly atMs: number }, b: { readonly atMs: number }): number {
  return a.atMs - b.atMs
}
