// external-workers/job-queue.ts: jobs of one capability that wait for a worker, the one that has waited longest first.
// One that ended meanwhile is left where it is and skipped when it is reached; too many of them are swept out.

export interface Waiting {
  /** The order of arrival. */
  readonly sequence: number
  /** False as soon as nobody may take it from its queue any more. */
  readonly isWaiting: boolean
}

const sweptFrom = 1024

export class JobQueue<Entry extends Waiting> {
  #entries: Entry[] = []
  #head = 0
  #count = 0
  /** Entries that came back, in their order; they are older than most others. */
  #returned: Entry[] = []

  /** How many wait. */
  get size(): number {
    return this.#count
  }

  get first(): Entry | undefined {
    while (this.#returned[0]?.isWaiting === false) this.#returned.shift()
    while (this.#entries[this.#head]?.isWaiting === false) this.#head++
    const returned = this.#returned[0]
    const added = this.#entries[this.#head]
    if (returned === undefined || added === undefined) return returned ?? added
    return returned.sequence < added.sequence ? returned : added
  }

  add(entry: Entry): void {
    if (this.#entries.length > sweptFrom + 2 * this.#count) this.#sweep()
    this.#entries.push(entry)
    this.#count++
  }

  /** One that was offered in vain keeps its place before those that came later. */
  putBack(entry: Entry): void {
    const place = this.#returned.findIndex(({ sequence }) => sequence > entry.sequence)
    this.#returned.splice(place === -1 ? this.#returned.length : place, 0, entry)
    this.#count++
  }

  take(): Entry | undefined {
    const { first } = this
    if (first === undefined) return undefined
    if (this.#returned[0] === first) this.#returned.shift()
    else this.#head++
    this.#count--
    return first
  }

  /** One that waited has ended. */
  ended(): void {
    this.#count--
  }

  #sweep(): void {
    this.#entries = this.#entries.slice(this.#head).filter(({ isWaiting }) => isWaiting)
    this.#head = 0
  }
}
