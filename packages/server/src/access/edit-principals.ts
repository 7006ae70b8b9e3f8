// access/edit-principals.ts: creates, lists and revokes principals in the file, also while the service runs:
// it watches the file. The token of a new principal is returned once and not stored.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isThere, syncToDisk } from '../platform/replace-file.ts'
import { UsageError } from '../platform/usage-error.ts'
import type { DataDirectory } from '../store/data-directory.ts'
import { withStoreErrors } from '../store/store-errors.ts'
import { lockPrincipals, readPrincipals, writePrincipals } from './principals-file.ts'
import { formatPrincipals, type Principal, parsePrincipals } from './principals-format.ts'
import { readPrivately } from './private-file.ts'
import { digestOf, makeToken } from './token.ts'

/** The files of principals in a data directory. */
export type AccessFiles = Pick<DataDirectory, 'principals' | 'operatorToken'>

export interface CreatedPrincipal {
  readonly token: string
  /** Whether there was no principals file before. */
  readonly isFirst: boolean
}

/** Throws a UsageError for an invalid principal, and a StoreError if the file cannot be replaced. */
export function createPrincipal(
  files: AccessFiles,
  wanted: Omit<Principal, 'digest'>,
  lockWaitMs?: number,
): CreatedPrincipal {
  const token = makeToken()
  using _lock = lockPrincipals(files.principals, lockWaitMs)
  const reading = readPrincipals(files.principals)
  if (reading.kind === 'unusable' || reading.kind === 'elsewhere') throw new UsageError(reading.problem)
  if (reading.kind === 'missing') refuseLostList(files)
  const others = reading.kind === 'read' ? reading.principals : []
  writePrincipals(files.principals, added(others, wanted, token, files.principals))
  return { token, isFirst: reading.kind === 'missing' }
}

/** Throws a UsageError if the name is taken, or if the list could not be read again. `place`: for people. */
export function added(
  others: readonly Principal[],
  wanted: Omit<Principal, 'digest'>,
  token: string,
  place: string,
): readonly Principal[] {
  if (others.some(({ name }) => name === wanted.name))
    throw new UsageError(
      `There is a principal ${wanted.name} already; choose another name, or revoke it first.`,
    )
  const principals = [...others, { ...wanted, digest: digestOf(token) }]
  const parsed = parsePrincipals(formatPrincipals(principals))
  if ('mistakes' in parsed)
    throw new UsageError(`${place} would not be valid with this principal: ${parsed.mistakes.join('. ')}.`)
  return principals
}

/**
 * A lost principals file must not be replaced by one with a single principal: every other token would stop
 * working. The token file of the first operator is the evidence that there was one.
 */
export function refuseLostList({ principals, operatorToken }: AccessFiles): void {
  if (isThere(operatorToken))
    throw new UsageError(
      `The principals file ${principals} is missing, although ${operatorToken} shows that there was one. Put the principals file back, or remove ${operatorToken} to start over without principals.`,
    )
}

/** In file order. Throws a UsageError if the file cannot be used. */
export function listPrincipals({ principals: file }: AccessFiles): readonly Principal[] {
  const reading = readPrincipals(file)
  if (reading.kind === 'read') return reading.principals
  const advice = ' pulseward token create makes it, and so does the first start of the edition next.'
  throw new UsageError(reading.kind === 'missing' ? reading.problem + advice : reading.problem)
}

export interface RevokedPrincipal {
  readonly revoked: Principal
  readonly left: readonly Principal[]
}

/** Null if there is none of this name. */
export function without(principals: readonly Principal[], name: string): RevokedPrincipal | null {
  const revoked = principals.find((principal) => principal.name === name)
  return revoked === undefined
    ? null
    : { revoked, left: principals.filter((principal) => principal !== revoked) }
}

/** Null if there is none of this name. */
export function revokePrincipal(
  files: AccessFiles,
  name: string,
  lockWaitMs?: number,
): RevokedPrincipal | null {
  // Before taking the lock, which would leave a file even if there is nothing to revoke.
  if (!listPrincipals(files).some((principal) => principal.name === name)) return null
  using _lock = lockPrincipals(files.principals, lockWaitMs)
  const done = without(listPrincipals(files), name)
  if (done === null) return null
  writePrincipals(files.principals, done.left)
  removeTokenOf(done.revoked, files.operatorToken)
  return done
}

/** A revoked token is of no use, and its file would be taken for evidence of a lost principals file. */
export function removeTokenOf({ digest }: Principal, file: string): void {
  if (operatorDigest(file) !== digest) return
  withStoreErrors(() => {
    rmSync(file)
    syncToDisk(dirname(file))
  })
}

const mostTokenBytes = 4_096

/** The digest of the token in the file; null if it cannot be read. */
export function operatorDigest(file: string): string | null {
  try {
    const content = readPrivately(file, mostTokenBytes)
    return 'text' in content ? digestOf(content.text.trim()) : null
  } catch {
    return null
  }
}
