// client/describing/events.ts: the last events of a monitor, the newest first, in words.
import type { v1 } from '@pulseward/client'
import { describeEvent } from '@pulseward/contract/v1/words'
import { type Block, type Column, table } from '../table/block.ts'
import { moment } from '../table/values.ts'
import { ifReadable, type Reading, unreadable } from './description.ts'

type Event = v1.HistoryEvent | v1.NextHistoryEvent

const eventsShown = 8
/** Among as many are those of one incident; an older one has lasted long. */
const eventsRead = 200

const columns: readonly Column<Event>[] = [
  { title: 'AT', cell: ({ at }) => moment(at) },
  { title: 'EVENT', cell: describeEvent, minimum: 20 },
  { title: 'REASON', cell: ({ reason }) => reason, minimum: 16, dispensable: 1 },
]

/** Nothing in an edition that keeps no events. */
export async function eventBlocks(
  monitorId: string | null,
  { incidentId }: { readonly incidentId?: string },
  { client, options }: Reading,
): Promise<readonly Block[]> {
  if (monitorId === null) return []
  const limit = incidentId === undefined ? eventsShown : eventsRead
  const read = await ifReadable(
    client.v1.getHistory({ monitor_id: monitorId, order: 'desc', limit }, options),
  )
  if (read === null) return [unreadable('The history')]
  const events: readonly Event[] = read.data.events
  const shown = events.filter((event) => incidentId === undefined || event.incident_id === incidentId)
  return [
    table<Event>(columns, shown.slice(0, eventsShown), {
      heading: 'Last events',
      empty: 'Nothing has happened in the last 30 days.',
    }),
  ]
}
