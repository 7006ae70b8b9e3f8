// views/on-call/people-of.ts: the people that a schedule names, and the tint of each in its calendar.
import type { v2 } from '@pulseward/contract'

/** As many as on-call.module.css has. */
const tints = 6

/** In the order in which the schedule names them. */
export function peopleOf({ spec: { layers, overrides = [] } }: v2.Schedule): readonly string[] {
  return [
    ...new Set([
      ...layers.flatMap(({ personRefs }) => personRefs),
      ...overrides.map(({ personRef }) => personRef),
    ]),
  ]
}

/** Of many people several have the same: the name says who it is. */
export function tintOf(people: readonly string[], person: string): number {
  return Math.max(0, people.indexOf(person)) % tints
}

/** For a place that is too narrow for the name. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const letters = (words.length > 1 ? [words[0]!, words.at(-1)!] : words).map((word) => [...word][0] ?? '')
  return letters.join('').toUpperCase()
}
