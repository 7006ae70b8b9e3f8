// simulation/oracle/restart-order.ts: the order in which the model gets the actions that a starting process
// ends. The service first ends all actions that its predecessor left in flight, and only then passes the
// recoveries among them to health, which may withdraw messages that are queued again by then.
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
