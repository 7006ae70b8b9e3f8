// projection/query/fleet-queries.ts: the list, the incidents and the map of a fleet of any size. The controller never
// walks over a large fleet: from a thousand monitors on, a separate thread does. Answers are row numbers, valid until the
// next fleetChanged, so a caller that awaits an answer must read its rows before awaiting anything else.
import { codes, statuses } from '@pulseward/contract'
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import { searchForm } from '../../fleet/arrangement.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SystemMeter } from '../../telemetry/system-meter.ts'
import { readPage } from './list-order.ts'
import { listedBy } from './listed-values.ts'
import { monitorsIn } from './map-layout.ts'
import {
  type AnswerTo,
  byName,
  type Filter,
  type Found,
  noSuchNumber,
  type PackedMap,
  type Query,
  type RowPage,
  type Sort,
} from './query.ts'
import { filtersNothing } from './query-engine.ts'
import { InlineRunner, type QueryAnswer, type QueryRunner } from './query-runner.ts'
import { type QuerySource, viewOf } from './query-view.ts'
import { ranksFor } from './sort-ranks.ts'
import { ThreadRunner } from './thread-runner.ts'

/** Filter values as the API spells them, in any letter case; an absent one does not filter. */
export interface FilterWords {
  readonly status?: string
  readonly type?: string
  /** The empty string matches monitors without a pending notification. */
  readonly code?: string
  readonly snoozed?: 'true' | 'false'
  readonly q?: string
  /** Only monitors that tell nobody. */
  readonly tells_nobody?: 'true'
  /** The empty string matches monitors without tags. */
  readonly tag?: string
  /** `key=value`, or a key with any value. */
  readonly label?: string
  /** Only monitors that tell this destination in some color. */
  readonly told?: string
  /** Only monitors for which a rule names this group of destinations. */
  readonly group?: string
}

export interface FleetQueriesOptions {
  /** The fleet's check types, in the order of the type column's numbers. */
  readonly types: readonly string[]
  readonly onThreadLost: (words: string) => void
  readonly clock: Clock
  /** Measures every view that is taken and every answer, with the number of its monitors. */
  readonly meter?: SystemMeter
  /** Fleets with fewer rows are searched in the caller's thread. */
  readonly threadFrom?: number
  readonly waitingLimit?: number
  readonly restAfterMs?: number
  /** When the thread of a large fleet is started if no query comes first. */
  readonly wakesAfterMs?: number
}

const defaultThreadFrom = 1_000
/** At up to a quarter of a second per query, none waits longer than a client would. */
const defaultWaitingLimit = 32

export class FleetQueries implements AsyncDisposable {
  readonly #options: FleetQueriesOptions
  #runner: QueryRunner = new InlineRunner()
  #threaded = false
  #definition: FleetDefinition | null = null
  #number = 0
  #arrangement = 0
  #generation = 0
  #ended = false

  constructor(options: FleetQueriesOptions) {
    this.#options = options
  }

  /** The generation of the current fleet's rows; 0 before the first fleet. */
  get generation(): number {
    return this.#generation
  }

  get threads(): number {
    return this.#runner.threads
  }

  /** How far answers may lag behind the fleet; infinite while no query can be answered. */
  get behindMs(): number {
    return this.#definition === null ? Number.POSITIVE_INFINITY : this.#runner.behindMs
  }

  /** The arrangement, the columns or the snapshot is another one: rows of earlier answers are now invalid. */
  fleetChanged(source: QuerySource): void {
    // A reload or a snapshot may still be in progress when the service stops; it must not start another thread.
    if (this.#ended) return
    if (source.definition !== this.#definition) this.#arrangement++
    this.#definition = source.definition
    this.#generation++
    const { waitingLimit = defaultWaitingLimit } = this.#options
    // A fleet that shrinks keeps its thread, so that growing again need not start another.
    if (!this.#threaded && source.present.length >= this.#threadFrom) {
      this.#threaded = true
      this.#runner = new ThreadRunner({ ...this.#options, waitingLimit })
    }
    this.#take(source, null)
  }

  /** These rows of the same fleet were added, removed or redefined. Rows of earlier answers stay valid. */
  fleetAmended(source: QuerySource, rows: Uint32Array): void {
    if (this.#ended) return
    // A fleet that has outgrown this thread is loaded from scratch in another.
    const outgrown = !this.#threaded && source.present.length >= this.#threadFrom
    if (this.#definition === null || outgrown) return this.fleetChanged(source)
    this.#definition = source.definition
    this.#take(source, rows)
  }

  #take(source: QuerySource, amended: Uint32Array | null): void {
    const beganMs = this.#options.clock.monotonicMs()
    const [number, generation, arrangement] = [++this.#number, this.#generation, this.#arrangement]
    this.#runner.take(viewOf(source, { number, generation, arrangement }), amended)
    this.#measure(beganMs, amended?.length ?? source.present.length)
  }

  get #threadFrom(): number {
    return this.#options.threadFrom ?? defaultThreadFrom
  }

  /** Matches, in list order unless told otherwise. Pages count from 1; a page past the end is empty. */
  find(
    words: FilterWords,
    page: number,
    size: number,
    sort: Sort = byName,
  ): Promise<QueryAnswer<Found<RowPage>>> {
    const filter = this.#filterOf(words)
    const beganMs = this.#options.clock.monotonicMs()
    const isList = filtersNothing(filter) && sort.by === 'name' && !sort.isDescending
    const known = isList ? this.#pageOfAll(page, size) : null
    if (known !== null) {
      this.#measure(beganMs, known.rows.length)
      return Promise.resolve({ kind: 'answered', value: { ...known, generation: this.#generation } })
    }
    return this.#ask({ kind: 'find', filter, sort, ranks: ranksFor(sort.by), page, size })
  }

  /**
   * A page of the unfiltered list is a slice of its order, so it needs no thread and waits for no search.
   * Null while the order is being changed.
   */
  #pageOfAll(page: number, size: number): RowPage | null {
    const known = this.#runner.order
    if (known?.arrangement !== this.#arrangement) return null
    return readPage(known.order, (page - 1) * size, page * size)
  }

  /** Open incidents, oldest first. */
  incidents(page: number, size: number): Promise<QueryAnswer<Found<RowPage>>> {
    return this.#ask({ kind: 'incidents', page, size })
  }

  /** Monitors from fleet files in id order; labels: the numbers of the label sets to include. */
  fromFiles(
    after: string | null,
    size: number,
    labels: readonly number[] | null,
  ): Promise<QueryAnswer<Found<RowPage>>> {
    return this.#ask({ kind: 'from-files', after, size, labels })
  }

  map(words: FilterWords): Promise<QueryAnswer<Found<PackedMap>>> {
    return this.#ask({ kind: 'map', filter: this.#filterOf(words) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true
    await this.#runner[Symbol.asyncDispose]()
  }

  /** If the fleet changes while a query runs, its answer is void, and the query is repeated once on the new fleet. */
  async #ask<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>> {
    if (this.#definition === null) return { kind: 'unavailable', reason: 'there is no fleet to look at yet' }
    const beganMs = this.#options.clock.monotonicMs()
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await this.#runner.run(query)
      if (answer.kind !== 'answered') return answer
      if (answer.value.generation !== this.#generation) continue
      const found: RowPage | PackedMap = answer.value
      this.#measure(beganMs, 'rows' in found ? found.rows.length : monitorsIn(found))
      return answer
    }
    return { kind: 'unavailable', reason: 'the fleet is being replaced' }
  }

  #measure(beganMs: number, monitors: number): void {
    const { meter, clock } = this.#options
    // Called together, since answers overlap.
    meter?.begin(beganMs)
    meter?.end(clock.monotonicMs(), monitors)
  }

  #filterOf(words: FilterWords): Filter {
    const { status, type, code, snoozed, q = '', tells_nobody } = words
    return {
      status: numberOf(status, statuses),
      type: numberOf(type, this.#options.types),
      code: numberOf(code, codeWords),
      tellsNobody: tells_nobody === undefined ? null : 1,
      snoozed: numberOf(snoozed, ['false', 'true']),
      listed: listedBy(words, this.#definition),
      text: searchForm(q),
    }
  }
}

/** In the order of the column's numbers: none comes first. */
const codeWords = ['', ...codes]

function numberOf(word: string | undefined, words: readonly string[]): number | null {
  if (word === undefined) return null
  const number = words.indexOf(word.toLowerCase())
  return number === -1 ? noSuchNumber : number
}
