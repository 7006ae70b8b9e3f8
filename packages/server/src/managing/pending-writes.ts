// managing/pending-writes.ts: what turns have written and what is not in the fleet yet, each write under the number of its
// change. A write begins in a turn and is on disk when its commit says so; then it goes into the fleet, in the order of
// the changes, or is taken back when it could not be stored. A commit names the changes that it ends, so one that was left
// behind by mistake can never be taken for another.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { ManagedKind } from '../kinds/kind.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'

export interface PendingWrite {
  readonly kind: ManagedKind
  readonly id: string
  /** Null: is being deleted. */
  readonly after: ManagedResource | null
  readonly takeBack: () => void
}

/** What one turn has written. */
export interface WrittenTogether {
  readonly changes: readonly number[]
  /** Its monitors, packed already; null for those of a single write. */
  readonly entries: FleetDefinition | null
  /** More secrets are about to follow. All of them are handed to every thread at once, so that can wait for them. */
  readonly isAmongSecrets: boolean
}

export class PendingWrites {
  /** By number, oldest first. */
  readonly #writes = new Map<number, PendingWrite>()
  /** Those that are on disk, by the number of their last change. */
  readonly #onDisk = new Map<number, WrittenTogether>()

  begin(number: number, write: PendingWrite): void {
    const other = this.#writes.get(number)
    if (other !== undefined)
      throw new Error(
        `the change ${number} of ${nameOf(write)} is being committed already, as one of ${nameOf(other)}`,
      )
    this.#writes.set(number, write)
  }

  /** The commit has succeeded. */
  onDisk(together: WrittenTogether): void {
    const last = together.changes.at(-1)
    if (last !== undefined) this.#onDisk.set(last, together)
  }

  /**
   * Takes the oldest that are on disk and not in the fleet yet; undefined when there are none. Single writes that follow
   * each other come together.
   */
  takeOnDisk(): WrittenTogether | undefined {
    const changes: number[] = []
    for (const [number, together] of this.#onDisk) {
      if (together.entries !== null && changes.length > 0) break
      this.#onDisk.delete(number)
      if (together.entries !== null) return together
      changes.push(...together.changes)
    }
    return changes.length === 0 ? undefined : { changes, entries: null, isAmongSecrets: false }
  }

  /** The change goes into the fleet. */
  end(number: number): PendingWrite {
    const write = this.#writes.get(number)
    if (write === undefined) {
      const held = Array.from(this.#writes, ([other, one]) => `${other} of ${nameOf(one)}`)
      throw new Error(
        `the change ${number} is committed and was not being committed; held are ${held.join(', ') || 'none'}`,
      )
    }
    this.#writes.delete(number)
    return write
  }

  /** Newest first. Those that have ended stay as they are. */
  takeBack(numbers: Iterable<number>): void {
    for (const number of [...numbers].sort((one, other) => other - one)) {
      const write = this.#writes.get(number)
      this.#writes.delete(number)
      write?.takeBack()
    }
  }

  /** Those with a higher number. */
  since(number: number): number[] {
    return [...this.#writes.keys()].filter((one) => one > number)
  }
}

function nameOf({ kind, id }: PendingWrite): string {
  return `${kind} ${id}`
}
