// fleet-map/look-map.ts: the map as it is drawn: with snoozed monitors, which are disabled on the wire, apart from the others.
import type { FleetMap } from '@pulseward/contract'
import { looks } from '../components/status-words.ts'

export interface LookMap extends Pick<FleetMap, 'tags' | 'ids'> {
  /** Indexes into `looks`. */
  readonly looks: Uint8Array
}

const disabled = looks.indexOf('disabled')
const snoozed = looks.indexOf('snoozed')

/** Both were read at different moments: a monitor that is not disabled on the map is not snoozed any more, or not yet. */
export function lookMapOf({ tags, statuses, ids }: FleetMap, snoozedIds: Uint32Array): LookMap {
  if (snoozedIds.length === 0) return { tags, ids, looks: statuses }
  const wanted = new Set(snoozedIds)
  const bytes = statuses.slice()
  for (let index = 0; index < bytes.length; index++)
    if (bytes[index] === disabled && wanted.has(ids[index]!)) bytes[index] = snoozed
  return { tags, ids, looks: bytes }
}

/** The indexes in the map of all snoozed monitors. */
export function findSnoozed(lookBytes: Uint8Array): Uint32Array {
  const found: number[] = []
  for (let index = lookBytes.indexOf(snoozed); index !== -1; index = lookBytes.indexOf(snoozed, index + 1))
    found.push(index)
  return Uint32Array.from(found)
}
