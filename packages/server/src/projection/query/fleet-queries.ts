// projection/query/fleet-queries.ts: the list, the incidents and the map of a fleet of any size, without the controller
// ever walking over a large one: from a thousand monitors on, a thread of its own does that. Answers are rows; they
// hold until the next fleetChanged, so a caller that awaits one reads its rows before awaiting anything else.
import { codes, statuses } from '@pulseward/contract'
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import { searchForm } from '../../fleet/arrangement.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SystemMeter } from '../../telemetry/system-meter.ts'
import { readPage } from './list-order.ts'
import { monitorsIn } from './map-layout.ts'
import {
  type AnswerTo,
  type Filter,
  type Found,
  noSuchNumber,
  type PackedMap,
  type Query,
  type RowPage,
} from './query.ts'
import { filtersNothing } from './query-engine.ts'
import { InlineRunner, type QueryAnswer, type QueryRunner } from './query-runner.ts'
import { type QuerySource, viewOf } from './query-view.ts'
import { ThreadRunner } from './thread-runner.ts'

/** Words of the API, in any case; what is missing does not filter. */
export interface FilterWords {
  readonly status?: string
  readonly type?: string
  /** The empty string finds monitors with none pending. */
  readonly code?: string
  readonly q?: string
}

export interface FleetQueriesOptions {
  /** The fleet's list of check types, as its type column counts them. */
  readonly types: readonly string[]
  readonly onThreadLost: (words: string) => void
  readonly clock: Clock
  /** Counts every view that is taken in and every answer, with the monitors in it. */
  readonly meter?: SystemMeter
  /** Fleets with fewer rows are searched in the caller's thread. */
  readonly threadFrom?: number
  readonly waitingLimit?: number
  readonly restAfterMs?: number
  /** When the thread of a large fleet is started, if nobody has asked before. */
  readonly wakesAfterMs?: number
}

const defaultThreadFrom = 1_000
/** At up to a quarter of a second each, no query waits longer than a client would. */
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

  /** Of the fleet that rows mean now; 0 before the first. */
  get generation(): number {
    return this.#generation
  }

  get threads(): number {
    return this.#runner.threads
  }

  /** How far what is answered may lie behind the fleet; endless while nothing can be answered. */
  get behindMs(): number {
    return this.#definition === null ? Number.POSITIVE_INFINITY : this.#runner.behindMs
  }

  /** Another arrangement, other columns, or another snapshot: after this, rows of earlier answers mean nothing. */
  fleetChanged(source: QuerySource): void {
    // A reload or a snapshot may still be running when the service stops; it must not start another thread.
    if (this.#ended) return
    if (source.definition !== this.#definition) this.#arrangement++
    this.#definition = source.definition
    this.#generation++
    const { waitingLimit = defaultWaitingLimit } = this.#options
    // A fleet that shrinks again keeps its thread: it would only have to be started once more.
    if (!this.#threaded && source.present.length >= this.#threadFrom) {
      this.#threaded = true
      this.#runner = new ThreadRunner({ ...this.#options, waitingLimit })
    }
    this.#take(source, null)
  }

  /** These rows of the same fleet were added, removed or described otherwise. Rows of earlier answers go on meaning the same. */
  fleetAmended(source: QuerySource, rows: Uint32Array): void {
    if (this.#ended) return
    // A fleet that has outgrown this thread is begun with anew in another.
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

  /** In the order of the list. Pages count from 1; one past the end is empty. */
  find(words: FilterWords, page: number, size: number): Promise<QueryAnswer<Found<RowPage>>> {
    const filter = this.#filterOf(words)
    const beganMs = this.#options.clock.monotonicMs()
    const known = filtersNothing(filter) ? this.#pageOfAll(page, size) : null
    if (known !== null) {
      this.#measure(beganMs, known.rows.length)
      return Promise.resolve({ kind: 'answered', value: { ...known, generation: this.#generation } })
    }
    return this.#ask({ kind: 'find', filter, page, size })
  }

  /**
   * Any page of the whole list is a slice of its order: no thread has to be asked, and nothing waits behind a search. Null
   * when the order is being changed.
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

  /** Monitors of fleet files in the order of their ids; labels: the numbers of those that are asked for. */
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

  /** A fleet that was changed meanwhile makes an answer void; asked again, it comes from the new one. */
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
    // Answers overlap: begin and end stand together.
    meter?.begin(beganMs)
    meter?.end(clock.monotonicMs(), monitors)
  }

  #filterOf({ status, type, code, q = '' }: FilterWords): Filter {
    return {
      status: numberOf(status, statuses),
      type: numberOf(type, this.#options.types),
      code: numberOf(code, codeWords),
      text: searchForm(q),
    }
  }
}

/** As the column counts them: none comes first. */
const codeWords = ['', ...codes]

function numberOf(word: string | undefined, words: readonly string[]): number | null {
  if (word === undefined) return null
  const number = words.indexOf(word.toLowerCase())
  return number === -1 ? noSuchNumber : number
}
