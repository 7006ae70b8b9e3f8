// pushing/push-fleet.ts: what the fleet says about monitors that report by themselves: their rules and their keys.
// Rules are shared by all monitors that are written alike.
import type { ProbeAmendment, ProbeFleet } from '../checking/probe/probe-protocol.ts'
import { sharedValue } from '../config/fleet-file/definition.ts'
import { isReported, type PushConfig } from '../config/push-check.ts'
import { pushKeyDigest } from '../config/push-key.ts'
import { type PushRules, pushRules } from '../deciding/push/push-rules.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { grown, newColumn } from '../platform/column.ts'
import { Interner } from '../platform/interner.ts'
import { type KeyDigest, type KeyOwner, KeyTable } from '../platform/key-table.ts'
import { PackedReader } from '../platform/packed-strings.ts'

/** What is asked of the fleet in force. */
type RunningFleet = Pick<Fleet, 'has' | 'configOf' | 'rowsWithCredential'>

/** A configuration as the running fleet has it: keys are references. */
type Written = Omit<PushConfig, 'key' | 'previous_key'> & {
  readonly key: { readonly credential: string }
  readonly previous_key?: { readonly credential: string }
}

export class PushFleet {
  readonly #keys = new KeyTable()
  readonly #rules = new Interner<PushRules>()
  /** The number of its rules plus one; 0 for a row that does not report by itself. */
  #rulesOf = newColumn(Uint32Array, 0)
  #credentials: ReadonlyMap<string, string> = new Map()
  /** Rows of which another row has a key, and that row. Validation refuses it; files and v2 may still meet so. */
  readonly #sharing = new Map<number, number>()
  readonly #fleet: RunningFleet

  constructor(fleet: RunningFleet) {
    this.#fleet = fleet
  }

  has(row: number): boolean {
    return (this.#rulesOf[row] ?? 0) !== 0
  }

  rulesOf(row: number): PushRules {
    return this.#rules.values[this.#rulesOf[row]! - 1]!
  }

  /** Whose key has this digest. */
  find(digest: KeyDigest): KeyOwner | null {
    return this.#keys.find(digest)
  }

  /** The row that gets the signals of one of its keys; null if it gets all of them itself. */
  sharesKeyWith(row: number): number | null {
    return this.#sharing.get(row) ?? null
  }

  /** The values of its keys, which must not be seen in anything that is shown. */
  secretsOf(row: number): readonly string[] {
    return namesIn(JSON.parse(this.#fleet.configOf(row))).flatMap((name) => this.#credentials.get(name) ?? [])
  }

  set(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void {
    this.#growFor(rows)
    this.#credentials = credentials
    const { of, values } = fleet.policies
    // Nearly all fleets have none.
    const reported = values.map(({ type }) => isReported(type))
    const configs = new PackedReader(fleet.configs)
    for (let row = 0; row < of.length; row++) {
      if (this.has(row)) this.#forget(row)
      // A free row still has the texts of the monitor that left it.
      if (reported[of[row]!] && this.#fleet.has(row)) this.#read(row, configs.get(row))
    }
  }

  amend(fleet: ProbeFleet, { rows, credentials, capacity }: ProbeAmendment): void {
    this.#growFor(capacity)
    const again = credentials === null ? [] : this.#rowsWithOther(credentials)
    this.#credentials = credentials ?? this.#credentials
    const configs = new PackedReader(fleet.configs)
    for (const row of new Set([...rows, ...again])) {
      if (this.has(row)) this.#forget(row)
      if (this.#fleet.has(row) && isReported(sharedValue(fleet.policies, row).type))
        this.#read(row, configs.get(row))
    }
    this.#shareAnew()
  }

  forget(row: number): void {
    if (!this.has(row)) return
    this.#forget(row)
    this.#shareAnew()
  }

  /** Rows that use a credential whose value these change. */
  #rowsWithOther(credentials: ReadonlyMap<string, string>): number[] {
    const names = new Set([...credentials.keys(), ...this.#credentials.keys()])
    const changed = [...names].filter((name) => credentials.get(name) !== this.#credentials.get(name))
    return changed.flatMap((name) => [...this.#fleet.rowsWithCredential(name)])
  }

  #read(row: number, config: string): void {
    const written: Written = JSON.parse(config)
    const { key: _, previous_key: __, ...timing } = written
    const number = this.#rules.intern(JSON.stringify(timing), () => pushRules(timing as PushConfig))
    this.#rulesOf[row] = number + 1
    this.#addKeys(row, written)
  }

  #addKeys(row: number, written: Written): void {
    for (const [index, name] of namesIn(written).entries()) {
      const value = this.#credentials.get(name)
      // A key that is too weak to stand in an address finds nothing.
      const digest = value === undefined ? null : pushKeyDigest(value)
      if (digest === null) continue
      const other = this.#keys.add(digest, row, index === 1)
      if (other !== null && other !== row) this.#sharing.set(row, other)
    }
  }

  /** A key that another row has left may be free now. */
  #shareAnew(): void {
    for (const row of [...this.#sharing.keys()]) {
      this.#sharing.delete(row)
      this.#keys.remove(row)
      this.#addKeys(row, JSON.parse(this.#fleet.configOf(row)))
    }
  }

  #forget(row: number): void {
    this.#rulesOf[row] = 0
    this.#keys.remove(row)
    this.#sharing.delete(row)
  }

  #growFor(rows: number): void {
    this.#keys.growFor(rows)
    this.#rulesOf = grown(this.#rulesOf, rows)
  }
}

/** Its credentials: the key, and the one before it if there is one. */
function namesIn({ key, previous_key: previous }: Written): string[] {
  return previous === undefined ? [key.credential] : [key.credential, previous.credential]
}
