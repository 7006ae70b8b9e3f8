// managing/arrangement-snapshot.ts: a file that holds the monitors of v2 packed as the running fleet has them, so that a
// start does not have to read a million rows. It can always be made again from the store: one that is missing, broken or
// not ours is no error, and nobody relies on its being on disk. It is whole or it is not there: it gets its name last.
import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { crc32 } from 'node:zlib'
import type { FleetDefinition, Shared } from '../config/fleet-file/definition.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import { newColumn } from '../platform/column.ts'
import type { PackedStrings } from '../platform/packed-strings.ts'
import { repackStrings } from '../platform/repack-strings.ts'

export const textNames = ['ids', 'names', 'configs'] as const
export const sharedNames = [
  'policies',
  'recoveries',
  'notifications',
  'maintenance',
  'tags',
  'labels',
  'dependencies',
  'credentials',
  'sources',
] as const
export type TextName = (typeof textNames)[number]
export type SharedName = (typeof sharedNames)[number]

/** Which snapshots can be used: those of the same store in the same life, made by the same program. */
export type SnapshotKey = string

/** What is written. The columns may be those of a fleet that is being changed. */
export interface SnapshotSource {
  readonly key: SnapshotKey
  /** Everything up to this change is in the columns. Later changes may be, wholly, in part or not at all. */
  readonly change: number
  readonly present: Uint8Array
  readonly texts: Readonly<Record<TextName, PackedStrings>>
  readonly numbers: Readonly<Record<SharedName, Uint32Array>>
  /** Each as a line of JSON. */
  readonly values: Readonly<Record<SharedName, readonly string[]>>
  /** The number of the source that monitors of v2 have. */
  readonly ownSource: number
}

export interface Snapshot {
  readonly definition: FleetDefinition
  readonly change: number
}

/** Where a part lies follows from the sizes of those before it. */
interface Part {
  readonly bytes: number
  readonly sum: number
}

interface Head {
  readonly format: typeof format
  readonly endianness: string
  readonly key: SnapshotKey
  readonly change: number
  readonly monitors: number
  readonly texts: Readonly<Record<TextName, { readonly chunks: readonly Part[]; readonly starts: Part }>>
  readonly shared: Readonly<Record<SharedName, { readonly values: Part; readonly numbers: Part }>>
}

const format = 1
/** The size of the head, its checksum, and the size of all parts before it; at the end of the file. */
const tailBytes = 24

/**
 * A row that becomes free is given to another monitor after a minute. Ids that were read within half of that belong to the
 * monitors that were there at the beginning, so no id is read twice.
 */
const idsReadWithinMs = 30_000

/** False when it took so long that it could not be trusted; then the one that was there before stays. */
export function writeSnapshot(path: string, source: SnapshotSource): boolean {
  const unfinished = `${path}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    using file = new SnapshotFile(unfinished, 'wx')
    const began = performance.now()
    const rows = ownRows(source)
    const texts = {} as Record<TextName, Head['texts'][TextName]>
    for (const name of textNames) {
      texts[name] = writeTexts(file, source.texts[name], rows)
      if (name === 'ids' && performance.now() - began > idsReadWithinMs) return false
    }
    const shared = {} as Record<SharedName, Head['shared'][SharedName]>
    for (const name of sharedNames)
      shared[name] = writeShared(file, source.values[name], source.numbers[name], rows)
    const { key, change } = source
    file.writeHead({ format, endianness: endianness(), key, change, monitors: rows.length, texts, shared })
    renameSync(unfinished, path)
    return true
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Null when there is none that can be used. */
export function readSnapshot(path: string, key: SnapshotKey): Snapshot | null {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  try {
    using file = new SnapshotFile(path, 'r')
    const head = file.readHead()
    if (head.format !== format || head.endianness !== endianness() || head.key !== key) return null
    return { definition: readDefinition(file, head), change: head.change }
  } catch {
    // Cut off, damaged, or not readable: the store has everything.
    return null
  }
}

function ownRows({ present, numbers, ownSource }: SnapshotSource): Uint32Array {
  const rows = new Uint32Array(present.length)
  let count = 0
  for (let row = 0; row < present.length; row++)
    if (present[row] === 1 && numbers.sources[row] === ownSource) rows[count++] = row
  return rows.subarray(0, count)
}

function writeTexts(file: SnapshotFile, strings: PackedStrings, rows: Uint32Array): Head['texts'][TextName] {
  const chunks: Part[] = []
  const starts = new Uint32Array(rows.length)
  repackStrings(strings, rows, starts, (chunk) => void chunks.push(file.write(chunk)))
  return { chunks, starts: file.write(bytesOf(starts)) }
}

/** Values that no monitor has any more are left out. Number 0 keeps its place: it is what most monitors have. */
function writeShared(
  file: SnapshotFile,
  values: readonly string[],
  numbers: Uint32Array,
  rows: Uint32Array,
): Head['shared'][SharedName] {
  const kept: string[] = values.slice(0, 1)
  const numberOf = new Map([[0, 0]])
  const renumbered = new Uint32Array(rows.length)
  for (let index = 0; index < rows.length; index++) {
    const number = numbers[rows[index]!]!
    // One that came after the values were taken: the start reads this monitor again.
    const value = values[number]
    if (value === undefined) continue
    let next = numberOf.get(number)
    if (next === undefined) {
      next = kept.push(value) - 1
      numberOf.set(number, next)
    }
    renumbered[index] = next
  }
  return {
    values: file.write(Buffer.from(kept.join('\n'))),
    numbers: file.write(bytesOf(narrowed(renumbered, kept.length))),
  }
}

function readDefinition(file: SnapshotFile, { texts, shared, monitors }: Head): FleetDefinition {
  const readTexts = (name: TextName): PackedStrings => {
    const chunks = texts[name].chunks.map((part) => file.read(part, new SharedArrayBuffer(part.bytes)))
    const starts = newColumn(Uint32Array, monitors)
    file.read(texts[name].starts, starts.buffer)
    return { chunks, starts }
  }
  const readShared = (name: SharedName): Shared<unknown> => {
    const { values, numbers } = shared[name]
    const lines = Buffer.from(file.read(values, new ArrayBuffer(values.bytes))).toString('utf8')
    const bytes = file.read(numbers, new ArrayBuffer(numbers.bytes))
    return { values: JSON.parse(`[${lines.replaceAll('\n', ',')}]`), of: widened(bytes, monitors) }
  }
  const read = (name: TextName) => [name, readTexts(name)] as const
  const readPart = (name: SharedName) => [name, readShared(name)] as const
  // In the order in which they were written.
  const parts = Object.fromEntries([...textNames.map(read), ...sharedNames.map(readPart)])
  return { ...new DefinitionBuilder().finish({}), ...parts, count: monitors }
}

/** A file of parts, one after the other, and what they are at its end. */
class SnapshotFile implements Disposable {
  readonly #descriptor: number
  readonly #size: number
  #position = 0

  constructor(path: string, flags: 'r' | 'wx') {
    this.#descriptor = openSync(path, flags, 0o600)
    this.#size = flags === 'r' ? statSync(path).size : 0
  }

  write(bytes: Uint8Array): Part {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#position + done)
    this.#position += bytes.length
    return { bytes: bytes.length, sum: crc32(bytes) }
  }

  writeHead(head: Head): void {
    const before = this.#position
    const { bytes, sum } = this.write(Buffer.from(JSON.stringify(head)))
    const tail = new Float64Array([bytes, sum, before])
    this.write(bytesOf(tail))
  }

  readHead(): Head {
    const [bytes, sum, before] = new Float64Array(
      this.#read(this.#size - tailBytes, new ArrayBuffer(tailBytes)),
    )
    if (bytes === undefined || sum === undefined || before === undefined) throw new Error('no head')
    if (before + bytes + tailBytes !== this.#size) throw new Error('the file is cut off')
    this.#position = before
    const head = this.read({ bytes, sum }, new ArrayBuffer(bytes))
    this.#position = 0
    return JSON.parse(Buffer.from(head).toString('utf8'))
  }

  /** The next part, into this memory. */
  read<Memory extends ArrayBufferLike>({ bytes, sum }: Part, memory: Memory): Memory {
    this.#read(this.#position, memory, bytes)
    this.#position += bytes
    if (crc32(new Uint8Array(memory, 0, bytes)) !== sum) throw new Error('a checksum is wrong')
    return memory
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor)
  }

  #read<Memory extends ArrayBufferLike>(position: number, memory: Memory, bytes = memory.byteLength): Memory {
    const view = new Uint8Array(memory, 0, bytes)
    for (let done = 0; done < bytes; ) {
      const count = readSync(this.#descriptor, view, done, bytes - done, position + done)
      if (count === 0) throw new Error('the file is cut off')
      done += count
    }
    return memory
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Monitors have few distinct values: most numbers fit into a byte. */
function narrowed(numbers: Uint32Array, values: number): Uint8Array | Uint16Array | Uint32Array {
  if (values <= 1 << 8) return Uint8Array.from(numbers)
  return values <= 1 << 16 ? Uint16Array.from(numbers) : numbers
}

function widened(bytes: ArrayBuffer, count: number): Uint32Array {
  const column = newColumn(Uint32Array, count)
  const width = count === 0 ? 1 : bytes.byteLength / count
  column.set(
    width === 1 ? new Uint8Array(bytes) : width === 2 ? new Uint16Array(bytes) : new Uint32Array(bytes),
  )
  return column
}
