// fleet-map/trouble.ts: which looks are loud on the map, and the order in which one covers another.
import { type Look, looks } from '../components/status-words.ts'

const loudness: readonly Look[] = [
  ...(['up', 'disabled', 'snoozed', 'unknown', 'degraded', 'verifying', 'down', 'incident'] as const),
]
const loud: readonly Look[] = ['degraded', 'verifying', 'down', 'incident']

/** By the number of the look: a higher rank covers a lower one. */
export const ranks = Uint8Array.from(looks, (look) => loudness.indexOf(look))

export const isLoud: readonly boolean[] = looks.map((look) => loud.includes(look))

/** The indexes in the map of all monitors in trouble, the loudest last so that they are drawn on top. */
export function findTrouble(statusBytes: Uint8Array): Uint32Array {
  const found: number[] = []
  for (let index = 0; index < statusBytes.length; index++) if (isLoud[statusBytes[index]!]) found.push(index)
  return Uint32Array.from(found).sort((a, b) => ranks[statusBytes[a]!]! - ranks[statusBytes[b]!]! || a - b)
}
