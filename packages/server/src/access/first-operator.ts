// access/first-operator.ts: the first start, which is one without a principals file and nothing else: makes an operator and
// leaves its token in a file of the data directory. Killed at any point, the next start completes it: neither a
// principal without a known token is left, nor a token without a principal.
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
 * Where the token of a new operator is; null when this is not a first start. Throws a UsageError when the principals file
 * is missing although there was one, and a StoreError when the files cannot be written. A principals file that cannot be
 * used is left as it is, for Principals.open to refuse.
 */
export function makeFirstOperator(files: AccessFiles): string | null {
  const staged = partialOf(files.operatorToken)
  // Without the lock: a principals file may lie in a folder that the service cannot write to.
  if (isThere(files.principals) && !isThere(staged)) return null
  // Only the data directory is made: the folder of a principals file elsewhere must exist, or its path is mistyped.
  withStoreErrors(() => makeDirectory(dirname(files.operatorToken)))
  using _lock = lockPrincipals(files.principals)
  const reading = readPrincipals(files.principals)
  if (reading.kind === 'unusable') return null
  if (reading.kind === 'read') return isThere(staged) ? complete(files, staged, reading.principals) : null
  refuseLostList(files)
  const token = makeToken()
  // In this order a token that is in its place is always the token of a principal.
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

/** A first start was cut off: before the principals file was in its place, or after it. */
function complete(
  { operatorToken }: AccessFiles,
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
