// config/places.ts: where a monitor is checked, and at how many of its places a check has to fail before it counts as failed.
// The number is one of the configured places, never of those that answer.
import { localPlace } from './local-place.ts'

/** A check at more places costs more than it tells. */
export const mostPlaces = 16

export const failsWhenWords = ['any', 'majority', 'all'] as const
export type FailsWhen = (typeof failsWhenWords)[number] | number

export interface Places {
  /** Each once, in the order in which they are written. */
  readonly locations: readonly string[]
  readonly failsWhen: FailsWhen
  /** So many of them have to fail. */
  readonly needed: number
}

/** Null if the service itself is the only place. */
export function placesOf(
  locations: readonly string[] = [localPlace],
  failsWhen: FailsWhen = 'majority',
): Places | null {
  if (locations.every((location) => location === localPlace)) return null
  return { locations, failsWhen, needed: neededOf(failsWhen, locations.length) }
}

/** A number that comes from the defaults is at most the number of places. */
function neededOf(failsWhen: FailsWhen, count: number): number {
  if (failsWhen === 'any') return 1
  if (failsWhen === 'majority') return Math.floor(count / 2) + 1
  return failsWhen === 'all' ? count : Math.min(failsWhen, count)
}

/** What follows while one place is away, where too few others are left to fail or to succeed; null if there are enough. */
export function withoutOne({ locations, needed }: Pick<Places, 'locations' | 'needed'>): string | null {
  if (locations.length === 1) return 'is unknown, and never red'
  if (needed === locations.length) return 'cannot turn red, because it has to fail at all of them'
  return needed === 1 ? 'cannot recover, because it has to succeed at all of them' : null
}
