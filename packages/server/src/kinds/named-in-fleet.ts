// kinds/named-in-fleet.ts: whether the running fleet or files refer to something: as a destination of
// notifications, or as something that drivers use.
import type { Destinations } from '../config/fleet-file/definition.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Running } from './kind.ts'

export function isDestination({ fleet, files }: Running, part: keyof Destinations, id: string): boolean {
  return (
    fleet.someHas('notifications', ({ colors }) =>
      Object.values(colors).some((destinations) => destinations[part].includes(id)),
    ) || files.routes.some(({ destinations }) => destinations[part].includes(id))
  )
}

/** `name`: the name of the credential or job type in the running fleet. */
export function isUsed({ fleet }: { readonly fleet: Fleet }, name: string): boolean {
  return fleet.loaded && !fleet.rowsWithCredential(name)[Symbol.iterator]().next().done
}
