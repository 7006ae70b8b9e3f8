// words/destination-words.ts: whether a destination accepts notifications, in words, and the sentence above
// every view when one does not: a service whose notifications arrive nowhere is the worst failure.
import type { Destination, Status } from '@pulseward/contract'
import { formatCount } from '../format/count.ts'

type State = Destination['state']

export const destinationWords: Readonly<Record<State, string>> = {
  ok: 'Accepts notifications',
  limited: 'Asked for a pause',
  ailing: 'Does not accept notifications',
  dead: 'Gone',
}

export const destinationMeanings: Readonly<Record<State, string>> = {
  ok: 'It accepts notifications.',
  limited: 'It asked for a pause. Its notifications wait until then.',
  ailing: 'It accepted none of the last three notifications. One at a time is tried; the others wait.',
  dead: 'It answered that it is gone. Nothing is sent to it until its configuration changes.',
}

/** The glyph and hue of the corresponding monitor status. */
export const destinationLooks: Readonly<Record<State, Status>> = {
  ok: 'up',
  limited: 'degraded',
  ailing: 'down',
  dead: 'incident',
}

export const isInTrouble = ({ state }: Pick<Destination, 'state'>) => state === 'ailing' || state === 'dead'

const order: Readonly<Record<State, number>> = { dead: 0, ailing: 1, limited: 2, ok: 3 }

/** Those in trouble first, then those with the most waiting notifications. */
export function worstFirst(destinations: readonly Destination[]): readonly Destination[] {
  return destinations.toSorted((a, b) => order[a.state] - order[b.state] || b.queued - a.queued)
}

/** Null if none is in trouble. */
export function destinationTrouble(
  destinations: readonly Pick<Destination, 'name' | 'state'>[],
): string | null {
  const troubled = destinations.filter(isInTrouble)
  const [first] = troubled
  if (first === undefined) return null
  if (troubled.length === destinations.length && troubled.length > 1)
    return `None of the ${formatCount(troubled.length)} destinations accepts notifications: no notifications are sent.`
  if (troubled.length > 1) return `${formatCount(troubled.length)} destinations do not accept notifications.`
  return destinations.length === 1
    ? `The only destination, ${first.name}, does not accept notifications: no notifications are sent.`
    : `The destination ${first.name} does not accept notifications.`
}
