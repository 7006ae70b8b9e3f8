// config/fleet-file/file-digest.ts: the content of fleet files in a few characters, of the very bytes that were parsed. SHA-256:
// a processor of today hashes a gigabyte and more per second, and unlike a checksum of 32 bits it tells any two files apart.
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'

export interface FileDigest {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

const readBytes = 1 << 20

/** Of files that are being read, one after the other. */
export class FileDigests {
  readonly #files: { readonly path: string; readonly hash: Hash; bytes: number }[] = []

  begin(path: string): void {
    this.#files.push({ path, hash: createHash('sha256'), bytes: 0 })
  }

  /** The next bytes of the file that was begun last. */
  add(bytes: Uint8Array): void {
    const file = this.#files.at(-1)!
    file.bytes += bytes.length
    file.hash.update(bytes)
  }

  finish(): FileDigest[] {
    return this.#files.map(({ path, hash, bytes }) => ({ path, bytes, sha256: hash.digest('base64url') }))
  }
}

/** Whether the file has this content now; an error when it cannot be read. */
export function hasContent({ path, bytes, sha256 }: FileDigest): boolean {
  const entry = statSync(path)
  // A pipe can be read once, and that is for the loader. Files that differ mostly differ in size.
  if (!entry.isFile() || entry.size !== bytes) return false
  const descriptor = openSync(path, 'r')
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(Math.min(readBytes, Math.max(1, bytes)))
    let total = 0
    for (let count = -1; count !== 0; total += count) {
      count = readSync(descriptor, buffer)
      hash.update(buffer.subarray(0, count))
    }
    return total === bytes && hash.digest('base64url') === sha256
  } finally {
    closeSync(descriptor)
  }
}
