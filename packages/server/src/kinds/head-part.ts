// kinds/head-part.ts: the head of a fleet by parts and ids. Endpoints and groups are maps; routes are a list, in which
// those of files are named by their place.
import type { FleetHead } from '../fleet/fleet-change.ts'
import type { HeadEntry, HeadPartName as PartName } from './kind.ts'

export function hasEntry(head: FleetHead, part: PartName, id: string): boolean {
  return part === 'routes' ? head.routes.some(({ name }) => name === id) : head[part].has(id)
}

/** A copy. */
export function entriesOf(head: FleetHead, part: PartName): Map<string, HeadEntry> {
  return new Map<string, HeadEntry>(
    part === 'routes' ? head.routes.map((route) => [route.name, route]) : head[part],
  )
}

export function withEntries(
  head: FleetHead,
  part: PartName,
  entries: ReadonlyMap<string, HeadEntry>,
): FleetHead {
  return { ...head, [part]: part === 'routes' ? [...entries.values()] : entries }
}
