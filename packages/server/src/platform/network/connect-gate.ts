// platform/network/connect-gate.ts: how many connections are being opened at once; beyond that, opening more
// only makes all of them slower. First come, first served. An attempt whose peer has been silent for a while
// costs no more work and gives up its place, so black-holed targets never hold up the fleet.

const PATIENCE_MS = 100
const SWEEP_MS = PATIENCE_MS / 2

/** Not inside; only the gate sets a visitor's place. */
export const OUTSIDE = -1

export interface GateVisitor {
  /** Its index while it is inside, OUTSIDE otherwise. */
  place: number
  /** Called when a place is free, possibly before enter() returns. */
  begin(): void
}

export class ConnectGate {
  readonly #places: number
  // Dense arrays, not a Map: a Map that is constantly filled and emptied links its dead tables to the live
  // ones, and the garbage collector then retains every connection for a while.
  readonly #inside: GateVisitor[] = []
  readonly #since: number[] = []
  readonly #waiting = new Set<GateVisitor>()
  #sweep: NodeJS.Timeout | null = null
  #sweptAt = 0

  constructor(places: number) {
    this.#places = places
  }

  get waiting(): number {
    return this.#waiting.size
  }

  enter(visitor: GateVisitor): void {
    if (this.#inside.length < this.#places && this.#waiting.size === 0) {
      this.#admit(visitor)
      return
    }
    this.#waiting.add(visitor)
    if (this.#sweep !== null) return
    this.#sweptAt = performance.now()
    this.#sweep = setInterval(() => this.#dismissPatient(), SWEEP_MS)
  }

  /** Frees the place or leaves the queue; does nothing if the visitor has neither. */
  leave(visitor: GateVisitor): void {
    this.#remove(visitor)
    if (this.#waiting.size === 0) return
    this.#waiting.delete(visitor)
    this.#admitWaiting()
  }

  #admit(visitor: GateVisitor): void {
    visitor.place = this.#inside.push(visitor) - 1
    this.#since.push(performance.now())
    visitor.begin()
  }

  /** Moves the last one into the freed place. */
  #remove(visitor: GateVisitor): void {
    const { place } = visitor
    if (place === OUTSIDE) return
    visitor.place = OUTSIDE
    const last = this.#inside.pop()!
    const since = this.#since.pop()!
    if (last === visitor) return
    last.place = place
    this.#inside[place] = last
    this.#since[place] = since
  }

  #admitWaiting(): void {
    for (const visitor of this.#waiting) {
      if (this.#inside.length >= this.#places) break
      this.#waiting.delete(visitor)
      this.#admit(visitor)
    }
    if (this.#waiting.size > 0 || this.#sweep === null) return
    clearInterval(this.#sweep)
    this.#sweep = null
  }

  #dismissPatient(): void {
    const now = performance.now()
    const lateMs = now - this.#sweptAt - SWEEP_MS
    this.#sweptAt = now
    // If our own event loop is late, silence says nothing about the peers, and more connections would only make it later.
    if (lateMs > SWEEP_MS) return
    const before = now - PATIENCE_MS
    // From the end: the visitor that moves into a freed place has already been checked.
    for (let place = this.#inside.length - 1; place >= 0; place--) {
      if (this.#since[place]! <= before) this.#remove(this.#inside[place]!)
    }
    this.#admitWaiting()
  }
}
