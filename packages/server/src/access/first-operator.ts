// access/first-operator.ts: the first start, which is exactly a start without a principals file: creates an
// operator and leaves its token in a file of the data directory. If it is killed at any point, the next start
// completes it: neither a principal without a known token is left, nor a token without a principal.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isThere, partialOf, putInPlace, syncToDisk, writePrivateFile } from '../platform/replace-file.ts'
import { makeDirectory } from '../store/data-directory.ts'
import { withStoreErrors } from '../store/store-errors.ts'
import { type AccessFiles, operatorDigest, refuseLostList } from './edit-principals.ts'
import { lockPrincipals, readPrincipals, writePrincipals } from './principals-file.ts'
import type { Principal } from './principals-format.ts'
import { digestOf, makeToken } from './token.ts'

export const firstOperatorName = 'first'

/**
 * The file with the token of a new operator; null if this is not a first start. Throws a UsageError if the
 * principals file is missing although there was one, and a StoreError if the files cannot be written. An
 * unusable principals file is left alone, for Principals.open to refuse, and so is a note that they are in a store.
 */
export function makeFirstOperator(files: AccessFiles): string | null {
  const staged = partialOf(files.operatorToken)
  // Without the lock: the principals file may be in a folder that the service cannot write to.
  if (isThere(files.principals) && !isThere(staged)) return null
  // Only the data directory is created: the folder of a principals file elsewhere must exist, or its path is mistyped.
  withStoreErrors(() => makeDirectory(dirname(files.operatorToken)))
  using _lock = lockPrincipals(files.principals)
  const reading = readPrincipals(files.principals)
  if (reading.kind === 'unusable' || reading.kind === 'elsewhere') return null
  if (reading.kind === 'read')
    return isThere(staged) ? completeToken(files, staged, reading.principals) : null
  refuseLostList(files)
  const token = makeToken()
  // In this order, a token file in its final place always belongs to a principal.
  withStoreErrors(() => {
    writePrivateFile(staged, `${token}\n`, files.operatorToken)
    syncToDisk(dirname(staged))
  })
  writePrincipals(files.principals, [
    { name: firstOperatorName, role: 'operator', digest: digestOf(token), expiresMs: null, jobTypes: [] },
  ])
  withStoreErrors(() => putInPlace(staged, files.operatorToken))
  return files.operatorToken
}

/** A first start was interrupted: before the list of principals was in place, or after. Returns the file of the token. */
export function completeToken(
  { operatorToken }: Pick<AccessFiles, 'operatorToken'>,
  staged: string,
  principals: readonly Principal[],
): string | null {
  const digest = operatorDigest(staged)
  if (!isThere(operatorToken) && principals.some((principal) => principal.digest === digest)) {
    withStoreErrors(() => putInPlace(staged, operatorToken))
    return operatorToken
  }
  rmSync(staged, { force: true })
  return null
}
