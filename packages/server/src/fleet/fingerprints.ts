// fleet/fingerprints.ts: a monitor's configuration in a few characters that the next process can compare.
// Values that monitors share are hashed once. A fingerprint does not protect against deliberate collisions: a
// collision only means that a revision does not rise.
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
      // Whether the rules are a default of the files says nothing about whom they name.
      hashedValues(fleet.notifications, ({ isDefault: _, ...told }) => asJson(told)),
      hashedValues(fleet.maintenance, asJson),
      hashedValues(fleet.dependencies, asJson),
    ]
  }

  of(row: number): Fingerprint {
    const check = this.#check(row)
    const whole = this.#whole(row, check)
    return {
      check: `${check.toString(36)}.${this.#configs.lengthOf(row).toString(36)}`,
      whole: `${whole.toString(36)}/${this.#recoveries(row).toString(36)}`,
    }
  }

  /**
   * Which parts of the row's configuration agree with a stored fingerprint. Most agree entirely, which is
   * found without building a text.
   */
  compare(row: number, stored: Fingerprint): Agreement {
    if (this.#isOf(row, stored)) return inEverything
    const { check, whole } = this.of(row)
    return {
      check: check === stored.check,
      whole: whole === stored.whole,
      recovery: sameRecovery(whole, stored.whole),
    }
  }

  #isOf(row: number, { check, whole }: Fingerprint): boolean {
    const point = check.indexOf('.')
    const slash = whole.indexOf('/')
    const checkHash = this.#check(row)
    return (
      numberIn(check, 0, point) === checkHash &&
      numberIn(check, point + 1, check.length) === this.#configs.lengthOf(row) &&
      numberIn(whole, 0, slash) === this.#whole(row, checkHash) &&
      numberIn(whole, slash + 1, whole.length) === this.#recoveries(row)
    )
  }

  #check(row: number): number {
    return combineHashes(this.#configs.hash(row), this.#types(row))
  }

  #whole(row: number, check: number): number {
    let whole = check
    for (const part of this.#parts) whole = combineHashes(whole, part(row))
    return whole
  }
}

/** Which parts of two configurations of a monitor agree. */
export interface Agreement {
  readonly check: boolean
  readonly whole: boolean
  readonly recovery: boolean
}

const inEverything: Agreement = { check: true, whole: true, recovery: true }

export interface Fingerprint {
  /** Covers check.type and check.config. */
  readonly check: string
  /** Covers everything that makes a new revision; ends with the part for the recovery (sameRecovery). */
  readonly whole: string
}

/** Whether two fingerprints of a whole configuration agree on its recovery. */
function sameRecovery(one: string, other: string): boolean {
  return one.slice(one.lastIndexOf('/')) === other.slice(other.lastIndexOf('/'))
}

/** The base 36 number in this part of a text; -1 if there is none. */
function numberIn(text: string, from: number, to: number): number {
  let number = 0
  for (let index = from; index < to; index++) {
    const unit = text.charCodeAt(index)
    const digit = unit >= 97 ? unit - 87 : unit - 48
    if (digit < 0 || digit > 35) return -1
    number = number * 36 + digit
  }
  return from < to ? number : -1
}

type HashOf = (row: number) => number

const asJson = (value: unknown): string => JSON.stringify(value)

/** Hashed on first use: values may be added later. */
function hashedValues<Value>({ values, of }: Shared<Value>, textOf: (value: Value) => string): HashOf {
  const hashes: number[] = []
  return (row) => {
    const number = of[row]!
    hashes[number] ??= stableHash(textOf(values[number] as Value))
    return hashes[number]
  }
}
