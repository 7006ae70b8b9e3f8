// acting/happenings.ts: what happened to a monitor since a dialog was opened, and who did it. The history of
// v1 has the controls; only v2 reports edits of the monitor.
import type { v2 } from '@pulseward/contract'
import { describeEvent } from '@pulseward/contract/v1/words'
import { type ShownChange, shownChanges } from '../components/shown-change.ts'
import type { History, HistoryEvent } from '../data/history.ts'
import { pathOf, readJson } from '../data/request.ts'
import { readResourceEvents } from '../data/resource-events.ts'
import type { V2Requests } from '../data/v2-request.ts'
import { describeEdit } from '../words/edit-words.ts'
import type { Asked } from './ask.ts'
import type { Marks } from './subject.ts'

export interface Happening {
  readonly id: string
  readonly sentence: string
  readonly at: string
  readonly reason: string | null
  readonly changes: readonly ShownChange[]
}

const mostEvents = 100
const mostShown = 12

/** Newest first. */
export async function readHappenings(
  { verb, monitorId }: Asked,
  marks: Marks,
  requests: V2Requests,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly Happening[]> {
  if (verb === 'enable' || verb === 'disable') {
    const { events } = await readResourceEvents(requests, 'Monitor', monitorId, signal)
    return events
      .filter(({ time }) => Date.parse(time) >= Date.parse(marks.readAt))
      .slice(0, mostShown)
      .map(editOf)
  }
  const path = pathOf('/api/v1/history', { monitor_id: monitorId, order: 'desc', limit: mostEvents })
  const { events } = await readJson<History>(path, signal)
  return eventsSince(events, marks.lastEventId).slice(0, mostShown).map(happeningOf)
}

/** `events`: newest first. */
function eventsSince(events: readonly HistoryEvent[], lastEventId: string | null): readonly HistoryEvent[] {
  const place = events.findIndex(({ id }) => id === lastEventId)
  return place === -1 ? events : events.slice(0, place)
}

function happeningOf(event: HistoryEvent): Happening {
  const { id, at, reason } = event
  return { id, sentence: `${describeEvent(event)}.`, at, reason, changes: [] }
}

function editOf(event: v2.Event): Happening {
  const { id, time, reason } = event
  const sentence = `${describeEdit(event)}.`
  return { id, sentence, at: time, reason: reason ?? null, changes: shownChanges(event) }
}
