// fleet/fingerprints.ts: a monitor's configuration in a few characters that the next process can compare. Values that
// monitors share are hashed once. A fingerprint does not protect against deliberate collisions: a collision only costs
// a revision that does not rise.
import type { FleetDefinition, Shared } from '../config/fleet-file/definition.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { combineHashes, stableHash } from '../platform/string-hash.ts'

export class Fingerprints {
  readonly #configs: PackedReader
  readonly #types: HashOf
  readonly #recoveries: HashOf
  readonly #parts: readonly HashOf[]

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

  of(row: number): Fingerprint {
    const check = combineHashes(this.#configs.hash(row), this.#types(row))
    let whole = check
    for (const part of this.#parts) whole = combineHashes(whole, part(row))
    return {
      check: `${check.toString(36)}.${this.#configs.lengthOf(row).toString(36)}`,
      whole: `${whole.toString(36)}/${this.#recoveries(row).toString(36)}`,
    }
  }
}

export interface Fingerprint {
  /** Of check.type and check.config. */
  readonly check: string
  /** Of everything that makes a new revision; it ends with that of the recovery (sameRecovery). */
  readonly whole: string
}

/** Whether two fingerprints of a whole configuration agree on its recovery. */
export function sameRecovery(one: string, other: string): boolean {
  return one.slice(one.lastIndexOf('/')) === other.slice(other.lastIndexOf('/'))
}

type HashOf = (row: number) => number

const asJson = (value: unknown): string => JSON.stringify(value)

/** Hashed when they are first asked for: more values may come. */
function hashedValues<Value>({ values, of }: Shared<Value>, textOf: (value: Value) => string): HashOf {
  const hashes: number[] = []
  return (row) => {
    const number = of[row]!
    hashes[number] ??= stableHash(textOf(values[number] as Value))
    return hashes[number]
  }
}
