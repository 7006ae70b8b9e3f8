// data/map.ts: the whole fleet packed for drawing. A map with an unchanged tag is not read again: megabytes
// stay unread if nothing changed.
import { type FleetMap, readFleetMap } from '@pulseward/contract'
import { ReadFailure } from './failure.ts'
import type { MonitorFilter } from './monitors.ts'
import { useOverview } from './overview.ts'
import { bodyOf, type Reading } from './reading.ts'
import { cutShort, request } from './request.ts'
import { useReading } from './use-reading.ts'

export interface TaggedMap {
  readonly entityTag: string | null
  readonly map: FleetMap
}

export function useMap(
  filter: MonitorFilter = {},
  { enabled = true }: { readonly enabled?: boolean } = {},
): Reading<TaggedMap> {
  return useReading('map', '/api/v1/map', { parameters: { ...filter }, read, enabled })
}

/** The numbers of the snoozed monitors; asked for only if there are any. */
export function useSnoozed(): Uint32Array {
  const enabled = (bodyOf(useOverview())?.snoozed ?? 0) > 0
  const snoozed = bodyOf(useMap({ snoozed: 'true' }, { enabled }))
  return enabled && snoozed !== null ? snoozed.map.ids : noMonitors
}

const noMonitors = new Uint32Array()

async function read(path: string, signal: AbortSignal, previous: TaggedMap | undefined): Promise<TaggedMap> {
  const response = await request(path, signal)
  const entityTag = response.headers.get('etag')
  if (previous !== undefined && entityTag !== null && entityTag === previous.entityTag) {
    await response.body?.cancel()
    return previous
  }
  const bytes = await response.bytes().catch((error) => Promise.reject(cutShort(error, signal)))
  try {
    return { entityTag, map: readFleetMap(bytes) }
  } catch {
    throw new ReadFailure('unavailable', 'The map arrived incomplete.')
  }
}
