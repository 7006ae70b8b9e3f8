// remote-probe/held-definitions.ts: the definitions that the service has lent to this probe, as its threads read them. They
// are in memory only. What is forgotten is overwritten, because threads share this memory and texts never move in it.
import type { ProbeAmendment, ProbeFleet } from '../checking/probe/probe-protocol.ts'
import type { CheckPolicy } from '../config/fleet-file/definition.ts'
import type { Definition } from '../locations/messages.ts'
import { grown, newColumn } from '../platform/column.ts'
import { Interner } from '../platform/interner.ts'
import { PackedReader, PackedWriter } from '../platform/packed-strings.ts'

/** What runs the checks. */
export interface DefinitionUser {
  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void
  amendFleet(fleet: ProbeFleet, amendment: ProbeAmendment): void
}

/** Of numbers without a definition. */
const noPolicy: CheckPolicy = {
  type: '',
  enabled: false,
  intervalMs: 1,
  timeoutMs: 1,
  unhealthyThreshold: 1,
  healthyThreshold: 1,
  retries: 0,
}

export class HeldDefinitions {
  readonly #user: DefinitionUser
  #configs = emptyTexts()
  #policies = new Interner<CheckPolicy>()
  #policiesOf = newColumn(Uint32Array, 0)
  /** The credentials that each definition names; most name none. */
  readonly #namesOf = new Map<number, readonly string[]>()
  #credentials = new Map<string, string>()
  #count = 0

  constructor(user: DefinitionUser) {
    this.#user = user
    this.clear()
  }

  get count(): number {
    return this.#count
  }

  define(definitions: readonly Definition[]): void {
    let hasCredentials = false
    for (const definition of definitions) {
      this.#put(definition)
      const names = Object.keys(definition.credentials)
      hasCredentials ||= names.length > 0 || this.#namesOf.has(definition.number)
      this.#name(definition, names)
    }
    this.#tell(
      definitions.map(({ number }) => number),
      hasCredentials,
    )
  }

  forget(numbers: Uint32Array): void {
    let hadCredentials = false
    for (const number of numbers) {
      if (number >= this.#configs.count || this.#policiesOf[number] === 0) continue
      this.#erase(number)
      this.#configs.set(number, '')
      this.#policiesOf[number] = 0
      this.#count--
      hadCredentials = this.#namesOf.delete(number) || hadCredentials
    }
    this.#tell([...numbers], hadCredentials)
  }

  /** Forgets everything. */
  clear(): void {
    for (let number = 0; number < this.#configs.count; number++) this.#erase(number)
    this.#configs = emptyTexts()
    this.#policies = new Interner<CheckPolicy>()
    this.#policies.intern('', () => noPolicy)
    this.#policiesOf = newColumn(Uint32Array, 0)
    this.#namesOf.clear()
    this.#credentials = new Map()
    this.#count = 0
    this.#user.setFleet(this.#fleet, this.#credentials, 0)
  }

  #put({ number, config, type, intervalMs, timeoutMs, retries }: Definition): void {
    if (number >= this.#policiesOf.length) {
      const capacity = Math.max(1_024, number * 2)
      this.#policiesOf = grown(this.#policiesOf, capacity)
      this.#configs.growTo(capacity)
    }
    if (this.#policiesOf[number] === 0) this.#count++
    else this.#erase(number)
    this.#configs.set(number, config)
    this.#policiesOf[number] = this.#policies.intern(`${type} ${intervalMs} ${timeoutMs} ${retries}`, () => ({
      ...noPolicy,
      type,
      enabled: true,
      intervalMs,
      timeoutMs,
      retries,
    }))
  }

  #erase(number: number): void {
    new PackedReader(this.#configs.strings).bytes(number).fill(0)
  }

  #name({ number, credentials }: Definition, names: readonly string[]): void {
    this.#namesOf.delete(number)
    if (names.length === 0) return
    this.#namesOf.set(number, names)
    for (const name of names) this.#credentials.set(name, credentials[name]!)
  }

  #tell(numbers: readonly number[], areCredentialsOthers: boolean): void {
    if (areCredentialsOthers) this.#dropUnused()
    this.#user.amendFleet(this.#fleet, {
      rows: Uint32Array.from(numbers),
      credentials: areCredentialsOthers ? this.#credentials : null,
      capacity: this.#policiesOf.length,
    })
  }

  /** Values that no definition names any more. */
  #dropUnused(): void {
    const used = new Set([...this.#namesOf.values()].flat())
    this.#credentials = new Map([...this.#credentials].filter(([name]) => used.has(name)))
  }

  get #fleet(): ProbeFleet {
    return {
      configs: this.#configs.strings,
      policies: { values: this.#policies.values, of: this.#policiesOf },
    }
  }
}

/** A writer that can set rows: it has a place for the empty text. */
function emptyTexts(): PackedWriter {
  const texts = new PackedWriter()
  texts.append('')
  return texts
}
