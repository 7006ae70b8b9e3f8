// fleet/amended-monitor.ts: iterates over the monitors of a change, with their values as numbers of the running fleet.
import type { FleetDefinition, Shared } from '../config/fleet-file/definition.ts'
import { PackedReader, type PackedStrings } from '../platform/packed-strings.ts'
import { type SharedPart, type SharedValues, sharedPartNames } from './shared-values.ts'

export class AmendedMonitor {
  id = ''
  name = ''
  config = ''
  readonly #entries: FleetDefinition
  readonly #shared: Readonly<Record<SharedPart, SharedValues>>
  readonly #readers: { readonly [text in 'ids' | 'names' | 'configs']: PackedReader }
  readonly #numbers = Object.fromEntries(sharedPartNames.map((part) => [part, []])) as unknown as Record<
    SharedPart,
    number[]
  >
  #number = 0

  constructor(entries: FleetDefinition, shared: Readonly<Record<SharedPart, SharedValues>>) {
    this.#entries = entries
    this.#shared = shared
    const read = (strings: PackedStrings) => new PackedReader(strings)
    this.#readers = { ids: read(entries.ids), names: read(entries.names), configs: read(entries.configs) }
  }

  moveTo(number: number): void {
    const { ids, names, configs } = this.#readers
    this.#number = number
    this.id = ids.get(number)
    this.name = names.get(number)
    this.config = configs.get(number)
  }

  /** The running fleet's number for its value; looked up once per value. */
  numberOf(part: SharedPart): number {
    const { values, of } = this.#entries[part] as Shared<unknown>
    const own = of[this.#number] ?? 0
    const known = this.#numbers[part][own]
    if (known !== undefined) return known
    const number = this.#shared[part].numberOf(values[own])
    this.#numbers[part][own] = number
    return number
  }
}
