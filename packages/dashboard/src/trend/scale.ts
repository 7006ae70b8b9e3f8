// trend/scale.ts: where the axis of availability starts, and how failures stay visible on it.

/** In percent. The axis is labelled with its start, so that part of it is not taken for the whole. */
const floors = [99, 90, 50, 0] as const

/** A share of the height: about two pixels. */
const leastSeen = 0.025

/** The highest floor that leaves room below the lowest value. */
export function availabilityFloor(percents: readonly (number | null)[]): number {
  const lowest = Math.min(100, ...percents.filter((percent) => percent !== null))
  return floors.find((floor) => lowest >= floor + (100 - floor) * 0.1) ?? 0
}

/** How far down from 100 failures are drawn: always far enough to be seen; null if there were none. */
export function failureDepth(
  percents: readonly (number | null)[],
  floor: number,
): readonly (number | null)[] {
  const highest = 100 - (100 - floor) * leastSeen
  return percents.map((percent) => (percent === null || percent >= 100 ? null : Math.min(percent, highest)))
}
