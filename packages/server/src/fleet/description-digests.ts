// fleet/description-digests.ts: digests of the labels and tags of monitors in files, so that the next process sees
// whether they changed while none was running: a monitor's identity does not cover them. Monitors are in groups by the hash
// of their ids. The sum of a group does not depend on the order of its monitors, and takes a part of a fleet at a time.
import { type FleetDefinition, sharedValue } from '../config/fleet-file/definition.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { combineHashes, stableHash } from '../platform/string-hash.ts'

const groups = 1_024
/** Some milliseconds. */
const rowsAtOnce = 16_384

/** The group of a monitor, as the id of its revisions. */
export function descriptionGroupOf(monitorId: string): string {
  return String(stableHash(monitorId) % groups)
}

export class DescriptionDigests {
  readonly #definition: FleetDefinition
  readonly #present: (row: number) => boolean
  readonly #ids: PackedReader
  readonly #sums = new Uint32Array(groups)
  readonly #hashes = new Map<unknown, number>()
  #row = 0

  constructor(definition: FleetDefinition, present: (row: number) => boolean) {
    this.#definition = definition
    this.#present = present
    this.#ids = new PackedReader(definition.ids)
  }

  /** Reads some more monitors; true when all were read. */
  advance(): boolean {
    const end = Math.min(this.#definition.count, this.#row + rowsAtOnce)
    for (; this.#row < end; this.#row++) if (this.#present(this.#row)) this.#add(this.#row)
    return this.#row >= this.#definition.count
  }

  get text(): string {
    return Buffer.from(this.#sums.buffer).toString('base64')
  }

  #add(row: number): void {
    if (sharedValue(this.#definition.sources, row) === null) return
    const id = this.#ids.hash(row)
    const labels = this.#hashOf(sharedValue(this.#definition.labels, row))
    const tags = this.#hashOf(sharedValue(this.#definition.tags, row))
    const group = id % groups
    this.#sums[group] = this.#sums[group]! + combineHashes(id, combineHashes(labels, tags))
  }

  #hashOf(value: object): number {
    const known = this.#hashes.get(value)
    if (known !== undefined) return known
    const hash = stableHash(JSON.stringify(value))
    this.#hashes.set(value, hash)
    return hash
  }
}

/** The groups in which two digests differ. */
export function changedGroups(before: string, now: string): string[] {
  const [one, other] = [sumsOf(before), sumsOf(now)]
  return Array.from({ length: groups }, (_, group) => group)
    .filter((group) => one[group] !== other[group])
    .map(String)
}

function sumsOf(text: string): Uint32Array {
  return new Uint32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
}
