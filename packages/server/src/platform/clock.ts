// platform/clock.ts: time, passed in wherever it is needed. Monotonic time decides when; wall time is only
// shown, stored, or compared with calendars. Tests and the simulation bring their own clock.
export interface Clock {
  /** Milliseconds that only grow, from an origin that all threads of the process share. */
  monotonicMs(): number
  /** Milliseconds since the epoch; may jump. */
  wallMs(): number
}

// performance.now() starts at 0 in every thread; hrtime does not, but is slower to read. Their difference is
// constant within a thread, so reading it once makes the times of all threads comparable.
const [seconds, nanoseconds] = process.hrtime()
const threadOffsetMs = seconds * 1000 + nanoseconds / 1e6 - performance.now()

export const systemClock: Clock = {
  monotonicMs: () => performance.now() + threadOffsetMs,
  wallMs: () => Date.now(),
}
