// service-clock.ts: how long until a moment that the service named, whatever the clock of this machine says. Every answer
// has the service's time to the second (Date); each one bounds the difference to our monotonic time from both sides, and
// over some answers the bounds come within milliseconds of each other. The wall clock of this machine is not used, unless
// the answers have no Date at all.

/** Bounds grow apart again by so much, because clocks run differently fast: 200 ppm. */
const driftPerMs = 0.0002

export class ServiceClock {
  // Service time minus monotonic time, as it was at #at.
  #least = Number.NEGATIVE_INFINITY
  #most = Number.POSITIVE_INFINITY
  #at = 0
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** An answer said `dateMs`, whole seconds, somewhere between its sending and its arrival. */
  observe(dateMs: number, sentAt: number, receivedAt: number): void {
    const drift = (receivedAt - this.#at) * driftPerMs
    const least = dateMs - receivedAt
    const most = dateMs + 1000 - sentAt
    const kept = { least: Math.max(this.#least - drift, least), most: Math.min(this.#most + drift, most) }
    // Bounds that contradict each other: the service's clock was set. Only what it says now counts.
    const isConsistent = kept.least <= kept.most
    this.#least = isConsistent ? kept.least : least
    this.#most = isConsistent ? kept.most : most
    this.#at = receivedAt
  }

  /** Until that moment of the service's clock; negative when it is over. */
  msUntil(moment: string): number {
    const momentMs = Date.parse(moment)
    if (Number.isNaN(momentMs)) return 0
    if (!Number.isFinite(this.#least)) return momentMs - Date.now()
    return momentMs - ((this.#least + this.#most) / 2 + this.#now())
  }
}
