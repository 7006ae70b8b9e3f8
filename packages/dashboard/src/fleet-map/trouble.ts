// fleet-map/trouble.ts: which statuses are loud on the map, and the order in which one covers another.
import { type Status, statuses } from '@pulseward/contract'

const loudness: readonly Status[] = ['up', 'disabled', 'unknown', 'degraded', 'verifying', 'down', 'incident']
const loud: readonly Status[] = ['degraded', 'verifying', 'down', 'incident']

/** By the status byte of the map: a higher rank covers a lower one. */
export const ranks = Uint8Array.from(statuses, (status) => loudness.indexOf(status))

export const isLoud: readonly boolean[] = statuses.map((status) => loud.includes(status))

/** The indexes in the map of all monitors in trouble, the loudest last so that they are drawn on top. */
export function findTrouble(statusBytes: Uint8Array): Uint32Array {
  const found: number[] = []
  for (let index = 0; index < statusBytes.length; index++) if (isLoud[statusBytes[index]!]) found.push(index)
  return Uint32Array.from(found).sort((a, b) => ranks[statusBytes[a]!]! - ranks[statusBytes[b]!]! || a - b)
}
