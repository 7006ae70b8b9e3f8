// simulation/oracle/restart-order.ts: in which order the model hears of what a process ends that starts. The service ends
// all that its predecessor left in flight before health hears of the recoveries among it; what follows from those
// withdraws messages that are queued again by then.
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'

/** isEndOfStarted: the event ends an action that was in flight. */
export function recoveriesLast(
  events: readonly StoredEvent[],
  isEndOfStarted: (event: StoredEvent) => boolean,
): readonly StoredEvent[] {
  const last = events.findLastIndex(isEndOfStarted)
  const upToLast = events.slice(0, last + 1)
  const recoveries = upToLast.filter((event) => event.kind === 'intervention' && isEndOfStarted(event))
  const others = upToLast.filter((event) => !recoveries.includes(event))
  return [...others, ...recoveries, ...events.slice(last + 1)]
}
