// bulk/judge-users.ts: whether new values of credentials and new versions of job types fit what uses them, if others have
// written since the collection was validated. As for a single write, users are validated before the turn, and those
// written meanwhile inside it. Users that the collection itself writes later were validated with it, and do not count.
import { v2 } from '@pulseward/contract'
import { builtInNames, compileJobType } from '../kinds/job-type-in-force.ts'
import { versionProblem } from '../kinds/job-type-versions.ts'
import type { ResourceKey } from '../kinds/kind.ts'
import { kindNamed, kindOf } from '../kinds/kind-table.ts'
import { keyText } from '../kinds/references.ts'
import type { Registry } from '../managing/registry.ts'
import type { Judgement, Misfit } from '../managing/resource-use.ts'
import { type BulkWork, type PreparedChunk, preparedOutcomes } from './work.ts'

export interface JudgeUsersOptions {
  readonly number: number
  /** The staged values of credentials, by item. */
  readonly values: ReadonlyMap<string, string | null>
  readonly registry: Registry
  readonly work: Pick<BulkWork, 'stillToCome'>
  /** The last change before validation; null if no longer known. */
  readonly validatedAt: number | null
}

export class UserJudgements implements Disposable {
  /** By item number. */
  readonly #judgements = new Map<number, Judgement>()
  /** Users that the collection itself writes later. */
  readonly #stillToCome = new Set<string>()

  static async of(chunk: PreparedChunk, options: JudgeUsersOptions): Promise<UserJudgements> {
    const judgements = new UserJudgements()
    try {
      await judgements.#judgeAll(chunk, options)
      return judgements
    } catch (error) {
      judgements[Symbol.dispose]()
      throw error
    }
  }

  /** To be called in the turn that writes: a sentence about the first user that would be wrong. */
  problemOf(index: number): string | null {
    const misfits = this.#judgements.get(index)?.misfits() ?? []
    const misfit = misfits.find((one) => !this.#stillToCome.has(keyText(keyOf(one))))
    return misfit === undefined ? null : `${misfit.error.field} ${misfit.error.message}.`
  }

  [Symbol.dispose](): void {
    for (const judgement of this.#judgements.values()) judgement[Symbol.dispose]()
  }

  async #judgeAll(chunk: PreparedChunk, options: JudgeUsersOptions): Promise<void> {
    const { number, work, validatedAt } = options
    for (const index of chunk.ids.keys()) {
      const judgement = await judge(chunk, index, options)
      if (judgement !== null) this.#judgements.set(index, judgement)
    }
    const users = this.#judgements.values().flatMap((judgement) => judgement.misfits().map(keyOf))
    const keys = [...new Map(users.map((key) => [keyText(key), key])).values()]
    if (keys.length === 0) return
    const areToCome = await work.stillToCome(number, keys, validatedAt)
    for (const [at, key] of keys.entries()) if (areToCome[at]) this.#stillToCome.add(keyText(key))
  }
}

/** Null if it has no users, or is unchanged. */
async function judge(
  { ids, itemIds, kinds, outcomes, specs }: PreparedChunk,
  index: number,
  { registry, values }: JudgeUsersOptions,
): Promise<Judgement | null> {
  if (preparedOutcomes[outcomes[index]!] !== 'updated') return null
  const id = ids[index]!
  const { secret, keepsVersions } = kindOf(kindNamed(kinds[index]!))
  if (secret !== null) {
    const value = values.get(itemIds[index]!) ?? null
    const isKept = value === null || registry.credentialValue(id) === value
    return isKept ? null : await registry.uses.judgeValue(id, value)
  }
  if (!keepsVersions) return null
  const { jobType } = compileJobType(id, JSON.parse(specs[index]!), builtInNames(registry.drivers))
  return jobType === null ? null : await registry.uses.judgeJobType(jobType)
}

/** What is wrong with its version, compared with all that were written. */
export function jobTypeProblem(id: string, spec: string, registry: Registry): string | null {
  const problem = versionProblem(registry.find('JobType', id)?.versions ?? [], JSON.parse(spec))
  return problem === null ? null : `/spec/version ${problem}.`
}

function keyOf({ kind, id }: Misfit): ResourceKey {
  return [v2.kindNumber(kind), id]
}
