// projection/query/fleet-queries.ts: the list, the incidents and the map of a fleet of any size, without the controller
// ever walking over a large one: from a thousand monitors on, a thread of its own does that. Answers are rows; they
// hold until the next fleetChanged, so a caller that awaits one reads its rows before awaiting anything else.
import { codes, statuses } from '@pulseward/contract'
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import { searchForm } from '../../fleet/arrangement.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SystemMeter } from '../../telemetry/system-meter.ts'
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
import { filtersNothing, pageOf } from './query-engine.ts'
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
}

const defaultThreadFrom = 1_000
/** At up to a quarter of a second each, no query waits longer than a client would. */
const defaultWaitingLimit = 32

export class FleetQueries implements AsyncDisposable {
  readonly #options: FleetQueriesOptions
  #runner: QueryRunner = new InlineRunner()
  #threaded = false
  #definition: FleetDefinition | null = null
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
    return this.#threaded ? 1 : 0
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
    const { threadFrom = defaultThreadFrom, waitingLimit = defaultWaitingLimit } = this.#options
    // A fleet that shrinks again keeps its thread: it would only have to be started once more.
    if (!this.#threaded && source.present.length >= threadFrom) {
      this.#threaded = true
      this.#runner = new ThreadRunner({ ...this.#options, waitingLimit })
    }
    const beganMs = this.#options.clock.monotonicMs()
    this.#runner.take(viewOf(source, this.#generation, this.#arrangement))
    this.#measure(beganMs, source.present.length)
  }

  /** In the order of the list. Pages count from 1; one past the end is empty. */
  find(words: FilterWords, page: number, size: number): Promise<QueryAnswer<Found<RowPage>>> {
    const filter = this.#filterOf(words)
    const { order } = this.#runner
    // Any page of the whole list is a slice of its order: no thread has to be asked, and nothing waits behind a search.
    if (order?.arrangement === this.#arrangement && filtersNothing(filter)) {
      const beganMs = this.#options.clock.monotonicMs()
      const value = { ...pageOf(order.rows, page, size), generation: this.#generation }
      this.#measure(beganMs, value.rows.length)
      return Promise.resolve({ kind: 'answered', value })
    }
    return this.#ask({ kind: 'find', filter, page, size })
  }

  /** Open incidents, oldest first. */
  incidents(page: number, size: number): Promise<QueryAnswer<Found<RowPage>>> {
    return this.#ask({ kind: 'incidents', page, size })
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
