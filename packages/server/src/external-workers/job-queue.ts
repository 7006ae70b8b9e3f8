// external-workers/job-queue.ts: the jobs of one capability that wait for a worker, longest wait first. A job that ends
// while it waits stays in the queue and is skipped. When too many of these have piled up, they are swept out.

export interface Waiting {
  /** The order of arrival. */
  readonly sequence: number
  /** False once the entry may no longer be taken from the queue. */
  readonly isWaiting: boolean
}

const sweptFrom = 1024

export class JobQueue<Entry extends Waiting> {
  #entries: Entry[] = []
  #head = 0
  #count = 0
  /** Entries that were put back, in order. They are older than most others. */
  #returned: Entry[] = []

  /** How many entries are waiting. */
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

  /** An entry whose offer expired keeps its place ahead of those that came later. */
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

  /** A waiting entry has ended. */
  ended(): void {
    this.#count--
  }

  #sweep(): void {
    this.#entries = this.#entries.slice(this.#head).filter(({ isWaiting }) => isWaiting)
    this.#head = 0
  }
}
