// simulation/oracle/list-rules.ts: a client reads a list of resources page by page while others write.
// Resources created through v2 are read as of one position: none twice, none missing, none that came later.
// Those of the files are merged in the same order.
import type { AnyResource, ResourceLists } from '@pulseward/server/internal/managing/resource-lists.ts'
import type { Random } from '../../random.ts'
import { count, type Tally } from '../tally.ts'
import { type Kind, keyOf, kinds } from '../writes/wanted.ts'
import type { Findings } from './findings.ts'
import type { ResourceModel } from './resource-model.ts'

/** A process that can be asked. */
export interface Listing {
  readonly lists: Pick<ResourceLists, 'page'>
  readonly position: number
}

interface Reading {
  readonly kind: Kind
  readonly team: 'blue' | null
  readonly upToChange: number
  readonly limit: number
  /** The content of the files in force at each page. */
  readonly files: ResourceModel['files'][]
  readonly read: AnyResource[]
}

export class ListRules {
  readonly #model: ResourceModel
  readonly #findings: Findings
  readonly #random: Random
  readonly #tally: Tally
  #reading: Reading | null = null

  constructor(model: ResourceModel, findings: Findings, random: Random, tally: Tally) {
    this.#model = model
    this.#findings = findings
    this.#random = random
    this.#tally = tally
  }

  /** Reads one more page, from the process that runs now. */
  async turn({ lists, position }: Listing): Promise<void> {
    this.#reading ??= this.#begin(position)
    const { kind, team, upToChange, limit, read, files } = this.#reading
    if (files.at(-1) !== this.#model.files) files.push(this.#model.files)
    const page = await lists.page(kind, {
      upToChange,
      after: read.at(-1)?.id ?? null,
      limit,
      selector: team === null ? [] : [{ is: 'in', key: 'team', values: [team] }],
    })
    if (typeof page === 'string') return this.#note(`a page of ${kind} is ${page}`)
    read.push(...page.resources)
    if (page.more) return
    this.#compare(this.#reading)
    this.#reading = null
  }

  #begin(position: number): Reading {
    const random = this.#random
    if (position !== this.#model.lastChange)
      this.#note(`a list begins at ${position}, and ${this.#model.lastChange} is on disk`)
    return {
      kind: random.pick(kinds),
      team: random.chance(0.3) ? 'blue' : null,
      upToChange: position,
      limit: random.whole(1, 4),
      files: [this.#model.files],
      read: [],
    }
  }

  #compare({ kind, team, upToChange, files, read }: Reading): void {
    count(this.#tally.compared, 'lists')
    const ids = read.map(({ id }) => id)
    const isInOrder = ids.every((id, index) => index === 0 || (ids[index - 1] ?? '') < id)
    if (!isInOrder) this.#note(`${kind}s are listed out of order or twice: ${ids.join(' ')}`)
    const own = read.flatMap((one) => ('change' in one ? [`${one.id} ${one.change}`] : []))
    const expected = this.#asOf(kind, team, upToChange)
    if (own.join() !== expected.join())
      this.#note(
        `at ${upToChange} the ${kind}s were ${expected.join(', ')}, and ${own.join(', ')} are listed`,
      )
    if (team === null) this.#compareFiles(kind, files, read)
  }

  /** The resources as of this change, ordered by id. */
  #asOf(kind: Kind, team: 'blue' | null, upToChange: number): readonly string[] {
    const then = new Map<string, string>()
    for (const { key, change, version } of this.#model.log) {
      if (change > upToChange) break
      if (version === null || (team !== null && version.wanted.team !== team)) then.delete(key)
      else if (version.wanted.kind === kind) then.set(key, `${version.wanted.id} ${change}`)
    }
    return [...then.values()].sort()
  }

  /** What existed all the time is listed, unless a resource took its id meanwhile. */
  #compareFiles(kind: Kind, files: Reading['files'], read: readonly AnyResource[]): void {
    const of = (plan: ResourceModel['files']) =>
      kind === 'Monitor' ? plan.monitors : kind === 'NotificationEndpoint' ? plan.endpoints : new Map()
    const listed = new Set(read.map(({ id }) => id))
    for (const id of of(this.#model.files).keys()) {
      const isThere =
        files.every((one) => of(one).has(id)) &&
        !this.#model.log.some(({ key }) => key === keyOf({ kind, id }))
      if (isThere && !listed.has(id)) this.#note(`${kind} ${id} of a file is left out of a list`)
    }
  }

  #note(words: string): void {
    this.#findings.note('pinned lists', words)
  }
}
