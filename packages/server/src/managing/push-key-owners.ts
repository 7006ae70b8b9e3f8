// managing/push-key-owners.ts: which monitor has a push key, as the next turn must see it: in force, or of a monitor
// that is being committed.
import { pushKeyDigest } from '../config/push-key.ts'
import type { SpecOf } from '../kinds/kind.ts'
import type { ManagedResource } from '../kinds/managed-resource.ts'
import { keyReferences } from '../kinds/push-keys.ts'
import type { KeyDigest } from '../platform/key-table.ts'

/** Finds the row of the monitor whose push key has this digest. */
export interface KeysInForce {
  find(digest: KeyDigest): { readonly row: number } | null
}

export class PushKeyOwners {
  readonly #idOf: (row: number) => string
  readonly #credentialValue: (id: string) => string | null
  #inForce: KeysInForce | null = null
  /** Monitors that are being committed, by their keys, and their keys. */
  readonly #pending = new Map<string, string>()
  readonly #keysOf = new Map<string, readonly string[]>()

  constructor(idOf: (row: number) => string, credentialValue: (id: string) => string | null) {
    this.#idOf = idOf
    this.#credentialValue = credentialValue
  }

  findIn(keys: KeysInForce): void {
    this.#inForce = keys
  }

  /** Null if there is none. */
  ownerOf(key: string): string | null {
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending
    const digest = pushKeyDigest(key)
    const owner = digest === null ? null : this.#inForce?.find(digest)
    return owner == null ? null : this.#idOf(owner.row)
  }

  /** A monitor is being committed; null if it is in force, deleted or rolled back. */
  noteWrite(id: string, written: ManagedResource | null): void {
    for (const key of this.#keysOf.get(id) ?? []) if (this.#pending.get(key) === id) this.#pending.delete(key)
    this.#keysOf.delete(id)
    if (written === null) return
    const { driver } = (written.spec as SpecOf['Monitor']).check
    const keys = keyReferences(driver).flatMap(
      ({ credentialId }) => this.#credentialValue(credentialId) ?? [],
    )
    if (keys.length === 0) return
    this.#keysOf.set(id, keys)
    for (const key of keys) this.#pending.set(key, id)
  }
}
