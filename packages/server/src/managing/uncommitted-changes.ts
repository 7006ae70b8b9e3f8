// managing/uncommitted-changes.ts: the changes of resources that are being committed, each under its own number. A change
// ends by being committed or by being taken back. A commit names the change that it ends, so one that was left behind by
// mistake can never be taken for another.
import type { ManagedKind, ManagedResource } from './managed-resource.ts'

interface UncommittedChange {
  readonly kind: ManagedKind
  readonly id: string
  /** Null: is being deleted. */
  readonly after: ManagedResource | null
  readonly takeBack: () => void
}

export class UncommittedChanges {
  /** By number, oldest first. */
  readonly #changes = new Map<number, UncommittedChange>()

  add(number: number, change: UncommittedChange): void {
    const other = this.#changes.get(number)
    if (other !== undefined)
      throw new Error(
        `the change ${number} of ${nameOf(change)} is being committed already, as one of ${nameOf(other)}`,
      )
    this.#changes.set(number, change)
  }

  /** The change is committed. */
  end(number: number): UncommittedChange {
    const change = this.#changes.get(number)
    if (change === undefined) {
      const held = Array.from(this.#changes, ([other, one]) => `${other} of ${nameOf(one)}`)
      throw new Error(
        `the change ${number} is committed and was not being committed; held are ${held.join(', ') || 'none'}`,
      )
    }
    this.#changes.delete(number)
    return change
  }

  /** Newest first. Those that have ended stay as they are. */
  takeBack(numbers: Iterable<number>): void {
    for (const number of [...numbers].sort((one, other) => other - one)) {
      const change = this.#changes.get(number)
      this.#changes.delete(number)
      change?.takeBack()
    }
  }

  /** Those with a higher number. */
  since(number: number): number[] {
    return [...this.#changes.keys()].filter((one) => one > number)
  }
}

function nameOf({ kind, id }: UncommittedChange): string {
  return `${kind} ${id}`
}
