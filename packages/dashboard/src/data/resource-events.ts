// data/resource-events.ts: who created and changed a resource, newest first. The service lists its history
// oldest first, so all of it is read, up to a limit that the page reports.
import type { v2 } from '@pulseward/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ReadFailure } from './failure.ts'
import { type Reading, readingOf } from './reading.ts'
import { refreshEveryMs, usePaused } from './refresh.ts'
import { pathOf } from './request.ts'
import { useV2Monitor } from './v2-reading.ts'
import { useV2, type V2Requests } from './v2-request.ts'

export interface ResourceEvents {
  readonly events: readonly v2.Event[]
  /** Not all of the history was read: newer events may be missing. */
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

/**
 * Null without a session or a monitor: nothing is requested then. The whole history is expensive to read, so
 * it is read again only when the version of the monitor changes.
 */
export function useMonitorEdits(monitorId: string | null): Reading<ResourceEvents> | null {
  const requests = useV2()
  const isPaused = usePaused()
  const monitor = useV2Monitor(monitorId)
  const version = (monitor.available && monitor.body.metadata.resourceVersion) || null
  const edits = readingOf(
    useQuery<ResourceEvents>({
      queryKey: ['v2-resource-events', 'Monitor', monitorId, version],
      queryFn({ signal }) {
        if (requests === null || monitorId === null) throw new ReadFailure('refused', 'Sign in to read this.')
        return readResourceEvents(requests, 'Monitor', monitorId, signal)
      },
      enabled: requests !== null && version !== null,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state: { error } }) => error !== null && refreshEveryMs(isPaused, error),
      refetchOnWindowFocus: false,
      placeholderData: keepPreviousData,
    }),
  )
  if (requests === null || monitorId === null) return null
  return monitor.available ? edits : monitor
}
