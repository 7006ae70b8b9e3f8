// bulk/few-places.ts: which monitors of a collection come to nothing certain while one of their locations is away. That is no
// mistake, so a preflight only notes it.
import { v2 } from '@pulseward/contract'
import { placesOf, withoutOne } from '../config/places.ts'

export interface FewPlaces {
  /** Of the monitor among the items. */
  readonly place: number
  readonly words: string
}

/** Up to the number of items that a preflight shows. */
export function fewPlaces(items: readonly v2.ApplyItem[]): readonly FewPlaces[] {
  const found = items.flatMap(({ resource }, place) => {
    const words = resource.kind === 'Monitor' ? wordsOf(resource.spec) : null
    return words === null ? [] : [{ place, words }]
  })
  return found.slice(0, v2.limits.preflightItems)
}

function wordsOf({ check: { locations, failsWhen } }: v2.Monitor['spec']): string | null {
  const places = placesOf(locations, failsWhen)
  const follows = places === null ? null : withoutOne(places)
  if (places === null || follows === null) return null
  const away =
    places.locations.length === 1 ? 'its location' : `one of its ${places.locations.length} locations`
  return `While ${away} is away, this monitor ${follows}.`
}
