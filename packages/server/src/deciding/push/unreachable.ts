// deciding/push/unreachable.ts: when nobody could report, because this service could not take a signal. While it
// did not run at all, a missing signal says nothing (`down`); while it ran but did not answer, what was expected
// then is waited for that much longer (`stalled`). Times of the day that the clock skipped, or a machine that was
// suspended, are `skipped`: the two look the same. Only the last few are kept: a window is soon over.
import type { Instant } from '../health/health.ts'

export interface Unreachable {
  readonly kind: 'down' | 'stalled' | 'skipped'
  readonly from: Instant
  readonly until: Instant
}

export const mostUnreachable = 32

export function withUnreachable(known: readonly Unreachable[], one: Unreachable): readonly Unreachable[] {
  return [...known, one].slice(-mostUnreachable)
}

export function wasDown(
  known: readonly Unreachable[],
  from: Instant,
  until: Instant,
  byTheClock: boolean,
): boolean {
  const saysNothing = ({ kind }: Unreachable) => kind === 'down' || (byTheClock && kind === 'skipped')
  return known.some((one) => saysNothing(one) && one.from < until && one.until > from)
}

/** A deadline for what was expected from an instant on, moved by the time in which it could not be reported. */
export function prolonged(known: readonly Unreachable[], from: Instant, deadline: Instant): Instant {
  let moved = deadline
  // In the order in which they happened: time that was added may reach into the next one.
  for (const { kind, from: begun, until } of known)
    if (kind === 'stalled' && begun < moved && until > from) moved += until - Math.max(begun, from)
  return moved
}

/** After the clock was set. */
export function movedBy(known: readonly Unreachable[], stepMs: number): readonly Unreachable[] {
  return known.map((one) => ({ ...one, from: one.from + stepMs, until: one.until + stepMs }))
}
