// config/fleet-file/file-digest.ts: digests of fleet files, computed from the bytes that were parsed. Uses SHA-256:
// current processors hash more than a gigabyte per second, and unlike a 32-bit checksum it has no collisions in practice.
import { createHash, type Hash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

export interface FileDigest {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

const readBytes = 1 << 20

/** Digests of files while they are read, one after the other. */
export class FileDigests {
  readonly #files: { readonly path: string; readonly hash: Hash; bytes: number }[] = []

  begin(path: string): void {
    this.#files.push({ path, hash: createHash('sha256'), bytes: 0 })
  }

  /** Adds the next bytes of the current file. */
  add(bytes: Uint8Array): void {
    const file = this.#files.at(-1)!
    file.bytes += bytes.length
    file.hash.update(bytes)
  }

  finish(): FileDigest[] {
    return this.#files.map(({ path, hash, bytes }) => ({ path, bytes, sha256: hash.digest('base64url') }))
  }
}

/**
 * One digest of all files, by content and order and not by name: the same on every machine that has the same files. A
 * pipe can be read only once, by the loader, so only regular files count.
 */
export async function digestOfAll(paths: readonly string[]): Promise<string> {
  const whole = createHash('sha256')
  for (const path of paths) {
    const isFile = (await stat(path)).isFile()
    const one = createHash('sha256')
    if (isFile) for await (const bytes of createReadStream(path)) one.update(bytes as Buffer)
    whole.update(one.digest())
  }
  return whole.digest('base64url')
}

/** Whether the file still has this content. Throws if it cannot be read. */
export function hasContent({ path, bytes, sha256 }: FileDigest): boolean {
  const entry = statSync(path)
  // A pipe can be read only once, and the loader does that. Files that differ mostly differ in size.
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
