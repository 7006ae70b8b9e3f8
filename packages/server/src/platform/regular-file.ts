// platform/regular-file.ts: reads files that a configuration names. Only regular files are read, without
// blocking: a FIFO would block the thread until another process writes to it. Links are followed, because
// clusters and secret stores put their files behind them.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'

/** O_NONBLOCK does not exist on Windows, which has no FIFOs. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Throws an error with a code: that of the system, or EISDIR or ENOTREG if it is not a regular file. */
export function readRegularFile(path: string): string {
  return reading(path, (descriptor) => readFileSync(descriptor, 'utf8'))
}

/** The same as bytes; EFBIG if there are more of them. */
export function readRegularBytes(path: string, mostBytes: number): Buffer {
  return reading(path, (descriptor, { size }) => {
    const bytes = size > mostBytes ? null : readFileSync(descriptor)
    if (bytes !== null && bytes.length <= mostBytes) return bytes
    throw Object.assign(new Error('too large'), { code: 'EFBIG' })
  })
}

function reading<Read>(path: string, read: (descriptor: number, stats: Stats) => Read): Read {
  const descriptor = openSync(path, flags)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw Object.assign(new Error('not a regular file'), { code: codeOf(stats) })
    return read(descriptor, stats)
  } finally {
    closeSync(descriptor)
  }
}

function codeOf(stats: Stats): string {
  return stats.isDirectory() ? 'EISDIR' : 'ENOTREG'
}

interface TrustedFile {
  readonly maxBytes: number
  /** The user ids that the file may belong to; by default root and the user of this process. */
  readonly owners?: ReadonlySet<number>
}

const trustedOwners: ReadonlySet<number> = new Set([0, process.getuid?.() ?? 0])

/** Null for a file that must not or cannot be used; the caller need not know why. */
export async function readTrustedFile(
  path: string,
  { maxBytes, owners = trustedOwners }: TrustedFile,
): Promise<string | null> {
  try {
    await using file = await open(path, flags)
    const stats = await file.stat()
    if (!stats.isFile() || !owners.has(stats.uid)) return null
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
    return bytesRead > maxBytes ? null : buffer.toString('utf8', 0, bytesRead)
  } catch {
    return null
  }
}
