// access/private-file.ts: reads files that only their owner may open. platform/replace-file.ts writes them.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { bytesInWords } from '../platform/wording.ts'

const forOthers = 0o077

/**
 * refused: why, to follow the words that name the file. If `owner` is given, the file itself must belong to
 * that user, and a link in its place is not followed. Throws file system errors.
 */
export function readPrivately(
  path: string,
  mostBytes: number,
  owner?: number,
): { readonly text: string } | { readonly refused: string } {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  // Without blocking: opening a pipe would wait for a writer.
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (owner === undefined ? 0 : O_NOFOLLOW))
  try {
    // On the open file, so that it cannot be replaced between the check and the read.
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { refused: 'is not a file' }
    if (owner !== undefined && stats.uid !== owner) return { refused: 'belongs to another user' }
    const mode = stats.mode & 0o777
    if (process.platform !== 'win32' && (mode & forOthers) !== 0)
      return { refused: `is open to other users (mode ${mode.toString(8)}); run chmod 600 on it` }
    if (stats.size > mostBytes) return { refused: `has more than ${bytesInWords(mostBytes)}` }
    return { text: readFileSync(descriptor, 'utf8') }
  } finally {
    closeSync(descriptor)
  }
}
