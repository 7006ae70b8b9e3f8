// managing/pending-writes.ts: writes of turns that are not in the fleet yet, by change number. A write begins
// in a turn and is on disk when its commit succeeds; then it goes into the fleet, in change order, or is
// rolled back if it could not be stored. A commit names the changes that it ends, so one that was left behind
// by mistake can never be taken for another.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { ManagedKind } from '../kinds/kind.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'

export interface PendingWrite {
  readonly kind: ManagedKind
  readonly id: string
  /** Null if it is being deleted. */
  readonly after: ManagedResource | null
  readonly takeBack: () => void
}

/** The writes of one turn. */
export interface WrittenTogether {
  readonly changes: readonly number[]
  /** Its monitors, already packed; null for a single write. */
  readonly entries: FleetDefinition | null
  /** More secrets are about to follow. Every thread gets all of them at once, so that can wait for the last. */
  readonly isAmongSecrets: boolean
}

export class PendingWrites {
  /** By number, oldest first. */
  readonly #writes = new Map<number, PendingWrite>()
  /** Writes that are on disk, by their last change number. */
  readonly #onDisk = new Map<number, WrittenTogether>()

  begin(number: number, write: PendingWrite): void {
    const other = this.#writes.get(number)
    if (other !== undefined)
      throw new Error(
        `the change ${number} of ${nameOf(write)} is being committed already, as one of ${nameOf(other)}`,
      )
    this.#writes.set(number, write)
  }

  /** To be called when the commit has succeeded. */
  onDisk(together: WrittenTogether): void {
    const last = together.changes.at(-1)
    if (last !== undefined) this.#onDisk.set(last, together)
  }

  /**
   * Takes the oldest writes that are on disk and not in the fleet yet; undefined if there are none.
   * Consecutive single writes are returned together.
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

  /** To be called when the change goes into the fleet. */
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

  /** Rolls back, newest first. Ended changes stay. */
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
