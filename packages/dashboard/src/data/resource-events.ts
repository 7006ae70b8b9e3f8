// data/resource-events.ts: who created and changed a resource, the newest first. The service tells its history from
// the oldest on, so that all of it is read, up to a bound that is told.
import type { v2 } from '@pulseward/contract'
import { pathOf } from './request.ts'
import type { V2Requests } from './v2-request.ts'

export interface ResourceEvents {
  readonly events: readonly v2.Event[]
  /** Not all of the history was looked at: what is newer may be missing. */
  readonly isCut: boolean
}

const mostPages = 20
const pageLimit = 500

export async function readResourceEvents(
  requests: V2Requests,
  kind: v2.ResourceKind,
  id: string,
  signal: AbortSignal,
): Promise<ResourceEvents> {
  const found: v2.Event[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const monitorID = kind === 'Monitor' ? id : undefined
    const address = pathOf('/api/v2/history', { monitorID, limit: pageLimit, cursor })
    const { body } = await requests.read<v2.EventList>(address, signal)
    found.push(...body.items.filter(({ resource }) => resource?.kind === kind && resource.id === id))
    cursor = body.nextCursor
    if (cursor === undefined) return { events: found.toReversed(), isCut: false }
  }
  return { events: found.toReversed(), isCut: true }
}
