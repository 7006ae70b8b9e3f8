// client/describing/incident-story.ts: the story of an incident as Markdown, from all of its events that are kept.
import type { CallOptions, Client, v1, v2 } from '@pulseward/client'
import { storyAsMarkdown, storyOf } from '@pulseward/contract/v1/words'
import { readWithState } from '../subjects/fleet.ts'
import { ifReadable } from './description.ts'

type Event = v1.HistoryEvent | v1.NextHistoryEvent

const pageEvents = 500

export async function incidentAsMarkdown(
  { id, monitorID }: v2.Incident,
  { client, options }: { readonly client: Client; readonly options: CallOptions },
): Promise<string> {
  const [events, monitor] = await Promise.all([
    eventsOf(id, client, options),
    ifReadable(readWithState(client, monitorID, options)),
  ])
  return storyAsMarkdown(storyOf(events), { monitorName: monitor?.detail.name ?? null, link: null })
}

async function eventsOf(id: string, client: Client, options: CallOptions): Promise<readonly Event[]> {
  const events: Event[] = []
  for (let cursor: string | undefined; ; ) {
    const page = { incident_id: id, limit: pageEvents, ...(cursor === undefined ? {} : { cursor }) }
    const { data } = await client.v1.getHistory(page, options)
    events.push(...data.events)
    if (data.next_cursor === null) return events
    cursor = data.next_cursor
  }
}
