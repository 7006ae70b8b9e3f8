// fleet/fingerprints.ts: what a monitor's configuration looks like, in a few characters that another run can compare.
// Values that monitors share are hashed once. They are no protection against somebody who wants collisions: a
// collision only costs a revision that does not rise.
import type { FleetDefinition, Shared } from '../config/fleet-file/definition.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { stableHash } from '../platform/string-hash.ts'

export class Fingerprints {
  readonly #configs: PackedReader
  readonly #types: (slot: number) => string
  readonly #recoveries: (slot: number) => string
  readonly #parts: readonly ((slot: number) => string)[]

  constructor(fleet: FleetDefinition) {
    this.#configs = new PackedReader(fleet.configs)
    this.#types = hashedValues(fleet.policies, ({ type }) => type)
    this.#recoveries = hashedValues(fleet.recoveries, asJson)
    this.#parts = [
      hashedValues(fleet.policies, asJson),
      hashedValues(fleet.notifications, asJson),
      hashedValues(fleet.maintenance, asJson),
      hashedValues(fleet.dependencies, asJson),
    ]
  }

  /** Of check.type and check.config. */
  ofCheck(slot: number): string {
    const config = this.#configs.get(slot)
    return `${stableHash(config + this.#types(slot)).toString(36)}.${config.length.toString(36)}`
  }

  /** Of everything that makes a new revision; it ends with that of the recovery (sameRecovery). */
  of(slot: number, checkFingerprint: string = this.ofCheck(slot)): string {
    let all = checkFingerprint
    for (const part of this.#parts) all += part(slot)
    return stableHash(all).toString(36) + this.#recoveries(slot)
  }
}

/** Whether two fingerprints of a whole configuration agree on its recovery. */
export function sameRecovery(one: string, other: string): boolean {
  return one.slice(one.lastIndexOf('/')) === other.slice(other.lastIndexOf('/'))
}

const asJson = (value: unknown): string => JSON.stringify(value)

function hashedValues<Value>(
  { values, of }: Shared<Value>,
  textOf: (value: Value) => string,
): (slot: number) => string {
  const hashes = values.map((value) => `/${stableHash(textOf(value)).toString(36)}`)
  return (slot) => hashes[of[slot]!]!
}
