// access/shared-principals.ts: principals in a store that several machines share. The first start takes over the file of
// its data directory, or creates an operator as with a file. From then on a note in the place of the file says where the
// principals are, so that no command changes a list that no service reads.
import { dirname } from 'node:path'
import { isThere, partialOf, replaceFile, syncToDisk, writePrivateFile } from '../platform/replace-file.ts'
import { UsageError } from '../platform/usage-error.ts'
import { makeDirectory } from '../store/data-directory.ts'
import { noteOf } from '../store/principals-note.ts'
import type { SharedPrincipals } from '../store/shared-access.ts'
import { withStoreErrors } from '../store/store-errors.ts'
import {
  type AccessFiles,
  added,
  type CreatedPrincipal,
  type RevokedPrincipal,
  refuseLostList,
  removeTokenOf,
  without,
} from './edit-principals.ts'
import { completeToken, firstOperatorName } from './first-operator.ts'
import type { PrincipalSource } from './principal-source.ts'
import { type PrincipalsReading, readPrincipals } from './principals-file.ts'
import { formatPrincipals, type Principal, parsePrincipals } from './principals-format.ts'
import { digestOf, makeToken } from './token.ts'

export interface OpenedPrincipals {
  readonly source: PrincipalSource
  /** The file with the token of the operator that was created; null if none was. */
  readonly tokenFile: string | null
  /** Principals of the file that the store does not have, whose tokens do not work. */
  readonly leftOut: readonly string[]
}

/** `place`: for people. Throws a UsageError if the file cannot be used, and a StoreError if the store cannot. */
export async function openSharedPrincipals(
  shared: SharedPrincipals,
  files: AccessFiles,
  place: string,
): Promise<OpenedPrincipals> {
  withStoreErrors(() => makeDirectory(dirname(files.operatorToken)))
  const before = await shared.newerThan(null)
  const inFile = readPrincipals(files.principals)
  const made = before === null ? await first(shared, files, inFile) : null
  const text = before ?? made?.text ?? (await shared.newerThan(null))!
  const kept = principalsIn(text, place)
  const staged = partialOf(files.operatorToken)
  const completed = isThere(staged) ? completeToken(files, staged, kept) : null
  const leftOut = inFile.kind === 'read' ? inFile.principals.filter(isMissingIn(kept)) : []
  if (inFile.kind !== 'unusable' && leftOut.length === 0)
    withStoreErrors(() => replaceFile(files.principals, noteOf(place)))
  return {
    source: new PrincipalsInStore(shared, text, place),
    tokenFile: completed,
    leftOut: leftOut.map(({ name }) => name),
  }
}

function isMissingIn(kept: readonly Principal[]): (principal: Principal) => boolean {
  const digests = new Set(kept.map(({ digest }) => digest))
  return ({ digest }) => !digests.has(digest)
}

/** Null if a command was faster. */
async function first(
  shared: SharedPrincipals,
  files: AccessFiles,
  inFile: PrincipalsReading,
): Promise<{ readonly text: string } | null> {
  if (inFile.kind === 'unusable' || inFile.kind === 'elsewhere') throw new UsageError(inFile.problem)
  if (inFile.kind === 'missing') refuseLostList(files)
  const text = formatPrincipals(inFile.kind === 'read' ? inFile.principals : [stagedOperator(files)])
  return (await shared.replace(null, text)) ? { text } : null
}

/** Its token is on disk before the store has the principal, and in its final place only after that. */
function stagedOperator({ operatorToken }: AccessFiles): Principal {
  const token = makeToken()
  const staged = partialOf(operatorToken)
  withStoreErrors(() => {
    writePrivateFile(staged, `${token}\n`, operatorToken)
    syncToDisk(dirname(staged))
  })
  return {
    ...{ name: firstOperatorName, role: 'operator', digest: digestOf(token), expiresMs: null, jobTypes: [] },
  }
}

/** Answers from a copy, which is compared with the store several times per second. */
class PrincipalsInStore implements PrincipalSource {
  readonly #shared: SharedPrincipals
  readonly #place: string
  #text: string

  constructor(shared: SharedPrincipals, text: string, place: string) {
    this.#shared = shared
    this.#text = text
    this.#place = place
  }

  read(): PrincipalsReading {
    const parsed = parsePrincipals(this.#text)
    if ('principals' in parsed) return { kind: 'read', principals: parsed.principals }
    return { kind: 'unusable', problem: notValid(this.#place, parsed.mistakes) }
  }

  /** While the store cannot be read, the last list stays in force; the storage is reported by its commits. */
  async fingerprint(): Promise<string> {
    this.#text = (await this.#shared.newerThan(this.#text).catch(() => null)) ?? this.#text
    return this.#text
  }

  fingerprintNow(): string {
    return this.#text
  }
}

/** What commands do with the list, also while a service runs: it sees the change within a second. */
export class SharedPrincipalList {
  readonly #shared: SharedPrincipals
  readonly #files: AccessFiles
  readonly place: string

  constructor(shared: SharedPrincipals, files: AccessFiles, place: string) {
    this.#shared = shared
    this.#files = files
    this.place = place
  }

  async list(): Promise<readonly Principal[]> {
    return (await this.#read()).principals
  }

  async create(wanted: Omit<Principal, 'digest'>): Promise<CreatedPrincipal> {
    const token = makeToken()
    await this.#change((principals) => ({
      next: added(principals, wanted, token, this.place),
      result: null,
    }))
    return { token, isFirst: false }
  }

  /** Null if there is none of this name. */
  async revoke(name: string): Promise<RevokedPrincipal | null> {
    const done = await this.#change((principals) => {
      const result = without(principals, name)
      return { next: result?.left ?? principals, result }
    })
    if (done !== null) removeTokenOf(done.revoked, this.#files.operatorToken)
    return done
  }

  /** Again from the list as it is then, if another command was faster. */
  async #change<Result>(
    decide: (principals: readonly Principal[]) => { next: readonly Principal[]; result: Result },
  ): Promise<Result> {
    for (;;) {
      const { text, principals } = await this.#read()
      const { next, result } = decide(principals)
      if (next === principals || (await this.#shared.replace(text, formatPrincipals(next)))) return result
    }
  }

  async #read(): Promise<{ readonly text: string; readonly principals: readonly Principal[] }> {
    const text = await this.#shared.newerThan(null)
    if (text === null)
      throw new UsageError(
        `There are no principals in ${this.place} yet; the first start of the edition next makes an operator, or takes over those of its data directory.`,
      )
    return { text, principals: principalsIn(text, this.place) }
  }
}

function principalsIn(text: string, place: string): readonly Principal[] {
  const parsed = parsePrincipals(text)
  if ('mistakes' in parsed) throw new UsageError(notValid(place, parsed.mistakes))
  return parsed.principals
}

function notValid(place: string, mistakes: readonly string[]): string {
  return `The list of principals in ${place} is not valid (${mistakes[0]}); restore a dump.`
}
