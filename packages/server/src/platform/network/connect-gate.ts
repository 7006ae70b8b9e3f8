// platform/network/connect-gate.ts: how many connections are being opened at once; past that, opening more only
// makes all of them slower. First come, first served. An attempt that has waited for its peer for a while costs
// no work any more and gives up its place, so black-holed targets never hold up the fleet.

const PATIENCE_MS = 100

export interface GateVisitor {
  /** Called when a place is free, possibly before enter() returns. */
  begin(): void
}

export class ConnectGate {
  readonly #places: number
  /** Visitors that hold a place, in the order they got it, with the time they got it. */
  readonly #inside = new Map<GateVisitor, number>()
  readonly #waiting = new Set<GateVisitor>()
  #sweep: NodeJS.Timeout | null = null

  constructor(places: number) {
    this.#places = places
  }

  get waiting(): number {
    return this.#waiting.size
  }

  enter(visitor: GateVisitor): void {
    if (this.#inside.size < this.#places && this.#waiting.size === 0) {
      this.#admit(visitor)
      return
    }
    this.#waiting.add(visitor)
    this.#sweep ??= setInterval(() => this.#dismissPatient(), PATIENCE_MS / 2)
  }

  /** Frees the place or leaves the queue; harmless when the visitor holds neither any more. */
  leave(visitor: GateVisitor): void {
    this.#inside.delete(visitor)
    if (this.#waiting.size === 0) return
    this.#waiting.delete(visitor)
    this.#admitWaiting()
  }

  #admit(visitor: GateVisitor): void {
    this.#inside.set(visitor, performance.now())
    visitor.begin()
  }

  #admitWaiting(): void {
    for (const visitor of this.#waiting) {
      if (this.#inside.size >= this.#places) break
      this.#waiting.delete(visitor)
      this.#admit(visitor)
    }
    if (this.#waiting.size > 0 || this.#sweep === null) return
    clearInterval(this.#sweep)
    this.#sweep = null
  }

  #dismissPatient(): void {
    const before = performance.now() - PATIENCE_MS
    for (const [visitor, since] of this.#inside) {
      if (since > before) break
      this.#inside.delete(visitor)
    }
    this.#admitWaiting()
  }
}
