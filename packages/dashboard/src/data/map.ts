// data/map.ts: the whole fleet packed for drawing. A map with an unchanged tag is not read again: megabytes
// stay unread if nothing changed.
import { type FleetMap, readFleetMap } from '@pulseward/contract'
import { ReadFailure } from './failure.ts'
import type { MonitorFilter } from './monitors.ts'
import type { Reading } from './reading.ts'
import { cutShort, request } from './request.ts'
import { useReading } from './use-reading.ts'

export interface TaggedMap {
  readonly entityTag: string | null
  readonly map: FleetMap
}

export function useMap(filter: MonitorFilter = {}): Reading<TaggedMap> {
  return useReading('map', '/api/v1/map', { parameters: { ...filter }, read })
}

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
