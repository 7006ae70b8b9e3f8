// trend/scale.ts: where the axis of availability begins, and how failures are kept visible on it.

/** Percent. The axis says where it begins, so that nobody takes a part of it for the whole. */
const floors = [99, 90, 50, 0] as const

/** A share of the height: about two pixels. */
const leastSeen = 0.025

/** The highest that leaves room under the lowest value. */
export function availabilityFloor(percents: readonly (number | null)[]): number {
  const lowest = Math.min(100, ...percents.filter((percent) => percent !== null))
  return floors.find((floor) => lowest >= floor + (100 - floor) * 0.1) ?? 0
}

/** Down from 100 to where failures are drawn: never so little that they are not seen; null where none was. */
export function failureDepth(
  percents: readonly (number | null)[],
  floor: number,
): readonly (number | null)[] {
  const highest = 100 - (100 - floor) * leastSeen
  return percents.map((percent) => (percent === null || percent >= 100 ? null : Math.min(percent, highest)))
}
