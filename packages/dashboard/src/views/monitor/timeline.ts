// views/monitor/timeline.ts: the events of one monitor as people read them: incidents as spans of time that contain the
// actions and their progress, newest first. A page of events may start or end within an incident: what is not on it is
// shown as unknown, not invented. Edits of the monitor, which only v2 reports, are beside the incidents.
import type { v2 } from '@pulseward/contract'
import {
  type ActionState,
  type DescribedAction,
  describeAction,
  describeEvent,
} from '@pulseward/contract/v1/words'
import { type ShownChange, shownChanges } from '../../components/shown-change.ts'
import type { HistoryEvent } from '../../data/history.ts'
import { describeEdit } from '../../words/edit-words.ts'
import { causeOf, type IncidentCause } from '../../words/incident-cause.ts'

export interface IncidentSpan {
  readonly kind: 'incident'
  readonly id: string
  /** Null if it was opened before the available events. */
  readonly openedAt: string | null
  /** Null if it is open, or was closed after the available events. */
  readonly closedAt: string | null
  readonly outcome: HistoryEvent['outcome']
  /** Null if its opening is not available, or did not record it. */
  readonly cause: IncidentCause | null
  readonly entries: readonly Entry[]
  readonly atMs: number
}

export type Entry = ActionLine | EventLine

/** Everything that happened to one action, with its last state. */
export interface ActionLine {
  readonly kind: 'action'
  readonly id: string
  readonly facts: DescribedAction
  readonly sentence: string
  readonly reason: string | null
  readonly at: string
  readonly atMs: number
}

export interface EventLine {
  readonly kind: 'event'
  readonly id: string
  readonly type: HistoryEvent['type']
  readonly sentence: string
  readonly reason: string | null
  readonly at: string
  readonly atMs: number
}

/** A person edited the monitor itself. */
export interface EditLine {
  readonly kind: 'edit'
  readonly id: string
  readonly type: v2.Event['kind']
  readonly sentence: string
  readonly changes: readonly ShownChange[]
  readonly at: string
  readonly atMs: number
}

export type TimelineItem = IncidentSpan | Entry | EditLine

/** `events`: in committed order, oldest first. */
export function timelineOf(
  events: readonly HistoryEvent[],
  edits: readonly v2.Event[] = [],
): readonly TimelineItem[] {
  const actions = Map.groupBy(
    events.filter(({ action_id, type }) => action_id !== null && actionStates[type] !== undefined),
    ({ action_id }) => action_id!,
  )
  const incidents = Map.groupBy(
    events.filter(({ incident_id }) => incident_id !== null),
    ({ incident_id }) => incident_id!,
  )
  const inIncident = (id: string | null) => id !== null && incidents.has(id)
  const lines = [
    ...[...actions].map(([id, steps]) => ({
      incidentId: steps.at(-1)!.incident_id,
      entry: actionLine(id, steps),
    })),
    ...events
      .filter(
        ({ type, action_id }) =>
          !(type in bounds) && (action_id === null || actionStates[type] === undefined),
      )
      .map((event) => ({ incidentId: event.incident_id, entry: eventLine(event) })),
  ]
  const spans = [...incidents].map(([id, parts]) =>
    spanOf(
      id,
      parts,
      lines.filter(({ incidentId }) => incidentId === id).map(({ entry }) => entry),
    ),
  )
  const loose = lines.filter(({ incidentId }) => !inIncident(incidentId)).map(({ entry }) => entry)
  return [...spans, ...loose, ...edits.map(editLine)].toSorted(newestFirst)
}

const actionStates: Partial<Record<HistoryEvent['type'], ActionState>> = {
  action_queued: 'queued',
  action_started: 'started',
  action_succeeded: 'succeeded',
  action_failed: 'failed',
  action_unknown: 'unknown',
  action_cancelled: 'cancelled',
}

/** Null if the event is not a step of an action. */
export function actionStateOf(type: HistoryEvent['type']): ActionState | null {
  return actionStates[type] ?? null
}

const bounds = { incident_opened: true, incident_closed: true } as const

function spanOf(id: string, parts: readonly HistoryEvent[], entries: readonly Entry[]): IncidentSpan {
  const opened = parts.find(({ type }) => type === 'incident_opened') ?? null
  const closed = parts.find(({ type }) => type === 'incident_closed') ?? null
  return {
    kind: 'incident',
    id,
    openedAt: opened?.at ?? null,
    closedAt: closed?.at ?? null,
    outcome: closed?.outcome ?? null,
    cause: opened === null ? null : causeOf(opened),
    entries: entries.toSorted(newestFirst),
    atMs: Date.parse((closed ?? parts.at(-1)!).at),
  }
}

function actionLine(id: string, steps: readonly HistoryEvent[]): ActionLine {
  const last = steps.at(-1)!
  const { kind, color, endpoint, outcome } = last
  const facts: DescribedAction = {
    kind: kind ?? 'code',
    state: actionStates[last.type]!,
    outcome: outcome === 'recovered' ? 'health_recovered' : outcome,
    color,
    endpoint,
  }
  return {
    kind: 'action',
    id,
    facts,
    sentence: describeAction(facts),
    reason: last.reason,
    at: last.at,
    atMs: Date.parse(last.at),
  }
}

function eventLine(event: HistoryEvent): EventLine {
  const { id, type, at, reason } = event
  const sentence = `${describeEvent(event)}.`
  return { kind: 'event', id, type, sentence, reason, at, atMs: Date.parse(at) }
}

function editLine(event: v2.Event): EditLine {
  const { id, kind, time } = event
  const sentence = `${describeEdit(event)}.`
  const changes = shownChanges(event)
  return { kind: 'edit', id, type: kind, sentence, changes, at: time, atMs: Date.parse(time) }
}

function newestFirst(a: { readonly atMs: number }, b: { readonly atMs: number }): number {
  return b.atMs - a.atMs
}
