// access/principals-file.ts: the principals file on disk. A user who can write it can grant any right, so a
// file that other users can access is not used. It is replaced atomically, under a lock.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { FileLock, LockHeldError } from '../platform/file-lock.ts'
import { makePrivateFile } from '../platform/make-private-file.ts'
import { giveAway, isThere, replaceFile } from '../platform/replace-file.ts'
import { UsageError } from '../platform/usage-error.ts'
import { bytesInWords, durationInWords } from '../platform/wording.ts'
import { placeNotedIn } from '../store/principals-note.ts'
import { StoreError } from '../store/store.ts'
import { storeErrorOf, withStoreErrors } from '../store/store-errors.ts'
import { formatPrincipals, type Principal, parsePrincipals } from './principals-format.ts'
import { readPrivately } from './private-file.ts'

/** Enough for some 5,000 principals. */
const mostBytes = 1_048_576
const mostMistakesShown = 5
const lockWaitMs = 5_000

export type PrincipalsReading =
  | { readonly kind: 'read'; readonly principals: readonly Principal[] }
  /** `problem` is one whole sentence. */
  | { readonly kind: 'missing' | 'unusable' | 'elsewhere'; readonly problem: string }

export function readPrincipals(file: string): PrincipalsReading {
  try {
    const content = readPrivately(file, mostBytes)
    if ('refused' in content) return unusable(file, content.refused)
    const place = placeNotedIn(content.text)
    if (place !== null)
      return {
        kind: 'elsewhere',
        problem: `The principals file ${file} only says that the principals are in ${place}: name that store with --store, or remove the file to start a list of its own.`,
      }
    const parsed = parsePrincipals(content.text)
    if ('principals' in parsed) return { kind: 'read', principals: parsed.principals }
    return unusable(file, `is not valid: ${shown(parsed.mistakes)}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') return unusable(file, `cannot be read (${code})`)
    // For example into a folder that is not mounted: it must not be replaced.
    if (isThere(file)) return unusable(file, 'is a link to a file that does not exist')
    return { kind: 'missing', problem: `The principals file ${file} does not exist.` }
  }
}

function unusable(file: string, why: string): PrincipalsReading {
  return { kind: 'unusable', problem: `The principals file ${file} ${why}.` }
}

function shown(mistakes: readonly string[]): string {
  const others = mistakes.length - mostMistakesShown
  const first = mistakes.slice(0, mostMistakesShown).join('. ')
  return others > 0 ? `${first}. Mistakes that are not shown: ${others}` : first
}

/**
 * Held while the file is read in order to replace it. Throws a StoreError if another process does not release
 * it in time, and a UsageError if there is no folder for the file. Only synchronous work may be done under
 * it: a second lock in this process would wait for the first by blocking the thread.
 */
export function lockPrincipals(file: string, waitMs = lockWaitMs): Disposable {
  const target = withoutLinks(file)
  const path = `${target}.lock`
  const folder = dirname(target)
  if (!isThere(folder))
    throw new UsageError(
      `There is no folder ${folder} for the principals file; name another, or make it with mkdir -m 700.`,
    )
  try {
    makePrivateFile(path)
    giveAway(path, target)
    return new FileLock(path, waitMs)
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw storeErrorOf(error)
    throw new StoreError(
      'locked',
      `Another process is changing ${file} and did not finish within ${durationInWords(waitMs)}; try again.`,
      { cause: error },
    )
  }
}

/** To be called under the lock. Throws a StoreError if the file cannot be written; then it is unchanged. */
export function writePrincipals(file: string, principals: readonly Principal[]): void {
  const text = formatPrincipals(principals)
  if (Buffer.byteLength(text) > mostBytes)
    throw new UsageError(
      `The principals file ${file} would have more than ${bytesInWords(mostBytes)}; revoke what is not needed any more.`,
    )
  withStoreErrors(() => replaceFile(withoutLinks(file), text))
}

/** A link stays, and its target is replaced. */
function withoutLinks(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
