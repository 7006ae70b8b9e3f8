// deciding/actions/colors.ts: the order of the colors and which of them makes which other pointless while it is still queued.
import type { Color } from '../health/step.ts'

/** From the highest: the first of them with an open action is the pending code of a monitor. */
export const colorsByRank = ['red', 'yellow', 'cyan', 'green', 'gray'] as const satisfies readonly Color[]

const superseded: Readonly<Record<Color, readonly Color[]>> = {
  green: ['yellow', 'red', 'cyan'],
  red: ['yellow', 'green', 'cyan'],
  yellow: [],
  cyan: [],
  gray: [],
}

export function supersedes(newer: Color, queued: Color): boolean {
  return superseded[newer].includes(queued)
}
