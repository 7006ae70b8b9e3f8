// platform/clock.ts: time, passed in wherever it is needed. Monotonic time decides when; wall time is only
// shown, written down, or compared with calendars. Tests and the simulation bring their own clock.
export interface Clock {
  /** Milliseconds that only grow, from an arbitrary start. */
  monotonicMs(): number
  /** Milliseconds since the epoch; may jump. */
  wallMs(): number
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
}
