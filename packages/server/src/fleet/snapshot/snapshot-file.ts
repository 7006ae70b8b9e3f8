// fleet/snapshot/snapshot-file.ts: a file of consecutive parts that can always be rebuilt: a missing, truncated, damaged
// or foreign file is not an error, and it need not survive a power cut. Each part has a checksum, their description is at
// the end, and the file is renamed last: it is complete or absent. Only its owner may read it.
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { crc32 } from 'node:zlib'

/** The position of a part follows from the sizes of those before it. */
export interface Part {
  readonly bytes: number
  readonly sum: number
}

/** Which files can be read. */
const layout = { format: 3, endianness: endianness() } as const

/** The size of the head, its checksum, and the size of all parts before it; at the end of the file. */
const tailBytes = 24

export interface PartWriter {
  write(bytes: Uint8Array): Part
}

export interface PartReader {
  /** Reads the next part into this memory. */
  read<Memory extends ArrayBufferLike>(part: Part, memory: Memory): Memory
}

/** write: returns the description of its parts, or null if they cannot be trusted; then the previous file stays. */
export function writeSnapshotFile(path: string, write: (parts: PartWriter) => object | null): boolean {
  const unfinished = `${path}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    using file = new SnapshotFile(unfinished, 'wx')
    const head = write(file)
    if (head === null) return false
    file.writeHead({ ...layout, ...head })
    renameSync(unfinished, path)
    return true
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** read: returns null if it is not the wanted file. Parts must be read in the order in which they were written. */
export function readSnapshotFile<Head, Content>(
  path: string,
  read: (parts: PartReader, head: Head) => Content | null,
): Content | null {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null
  try {
    using file = new SnapshotFile(path, 'r')
    const head = file.readHead() as Head & typeof layout
    if (head.format !== layout.format || head.endianness !== layout.endianness) return null
    return read(file, head)
  } catch {
    // Truncated, damaged, or not readable: it can be rebuilt from its source.
    return null
  }
}

class SnapshotFile implements PartWriter, PartReader, Disposable {
  readonly #descriptor: number
  readonly #size: number
  #position = 0

  constructor(path: string, flags: 'r' | 'wx') {
    this.#descriptor = openSync(path, flags, 0o600)
    this.#size = fstatSync(this.#descriptor).size
  }

  write(bytes: Uint8Array): Part {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#position + done)
    this.#position += bytes.length
    return { bytes: bytes.length, sum: crc32(bytes) }
  }

  writeHead(head: object): void {
    const before = this.#position
    const { bytes, sum } = this.write(Buffer.from(JSON.stringify(head)))
    this.write(bytesOf(new Float64Array([bytes, sum, before])))
  }

  readHead(): unknown {
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

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
