// service-clock.ts: how long until a time that the service named, independent of this machine's clock. Every
// answer carries the service's time in whole seconds (Date). Each one bounds the difference to our monotonic
// time from both sides, and over several answers the bounds come within milliseconds of each other. The wall
// clock of this machine is used only if the answers have no Date at all.

/** The bounds widen at this rate, because clocks run at different speeds: 200 ppm. */
const driftPerMs = 0.0002

export class ServiceClock {
  // Service time minus monotonic time, as of #at.
  #least = Number.NEGATIVE_INFINITY
  #most = Number.POSITIVE_INFINITY
  #at = 0
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** An answer said `dateMs`, in whole seconds, some time between sending and receiving. */
  observe(dateMs: number, sentAt: number, receivedAt: number): void {
    const drift = (receivedAt - this.#at) * driftPerMs
    const least = dateMs - receivedAt
    const most = dateMs + 1000 - sentAt
    const kept = { least: Math.max(this.#least - drift, least), most: Math.min(this.#most + drift, most) }
    // Contradictory bounds mean that the service's clock was set. Only its latest answer counts then.
    const isConsistent = kept.least <= kept.most
    this.#least = isConsistent ? kept.least : least
    this.#most = isConsistent ? kept.most : most
    this.#at = receivedAt
  }

  /** The time until that moment of the service's clock; negative if it has passed. */
  msUntil(moment: string): number {
    const momentMs = Date.parse(moment)
    if (Number.isNaN(momentMs)) return 0
    if (!Number.isFinite(this.#least)) return momentMs - Date.now()
    return momentMs - ((this.#least + this.#most) / 2 + this.#now())
  }
}
