// deciding/actions/books.ts: the books of all monitors and the only place where an action changes: queued, amended, started,
// ended. Every change is drafted as a record to commit. It keeps what is counted (pending codes, unknown actions) and
// what stands in line in step with the actions, and decides nothing.
import type { Instant } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import { type Action, type CancelOutcome, mayHaveArrived, movedAction } from './action.ts'
import type { LedgerDraft } from './decision.ts'
import { type Line, MonitorBook } from './monitor-book.ts'
import type { Selection } from './selection.ts'

/** What a new action is made of; the rest is the same for all. */
export type NewAction = Pick<
  Action,
  | 'id'
  | 'kind'
  | 'color'
  | 'cause'
  | 'endpoint'
  | 'episodeId'
  | 'incidentId'
  | 'since'
  | 'attempt'
  | 'triedSince'
  | 'notBefore'
>

/** The book that a decision writes into, and when. */
export interface Page {
  readonly draft: LedgerDraft
  readonly book: MonitorBook
  readonly now: Instant
}

export class Books {
  readonly #selection: Selection
  /** Digests speak of many monitors and stand in a book of their own. */
  readonly digests = new MonitorBook(null)
  readonly #books = new Map<string, MonitorBook>()
  readonly #lines = new Map<string, Line>()
  readonly #unknown = new Map<string, Action>()
  readonly #monitorsByCode: Record<Color, number> = { red: 0, yellow: 0, cyan: 0, green: 0, gray: 0 }
  /** In the order of their time: when each stops to matter for a cooldown. */
  #arrivals: { readonly book: MonitorBook; readonly action: Action }[] = []
  #forgottenArrivals = 0
  #sequence = 0

  constructor(selection: Selection) {
    this.#selection = selection
  }

  get monitorsByCode(): Readonly<Record<Color, number>> {
    return this.#monitorsByCode
  }

  get unknownActions(): number {
    return this.#unknown.size
  }

  bookOf(monitorId: string): MonitorBook | undefined {
    return this.#books.get(monitorId)
  }

  lineOf(actionId: string): Line | undefined {
    return this.#lines.get(actionId)
  }

  lines(): Iterable<Line> {
    return this.#lines.values()
  }

  books(): Iterable<MonitorBook> {
    return this.#books.values()
  }

  openBook(monitorId: string): MonitorBook {
    let book = this.#books.get(monitorId)
    if (book === undefined) {
      book = new MonitorBook(monitorId)
      this.#books.set(monitorId, book)
    }
    return book
  }

  /** After a change: what is pending is counted again, and a book that says nothing is thrown away. */
  closeBook(book: MonitorBook): void {
    const pending = book.highestCode()
    if (pending !== book.pendingCode) {
      if (book.pendingCode !== null) this.#monitorsByCode[book.pendingCode]--
      if (pending !== null) this.#monitorsByCode[pending]++
      book.pendingCode = pending
    }
    const { monitorId } = book
    if (monitorId !== null && book.isEmpty && this.#books.get(monitorId) === book)
      this.#books.delete(monitorId)
  }

  queue(page: Page, what: NewAction): void {
    const action = newAction(page, what)
    this.take(page.book, action)
    this.#changeState(page, action)
  }

  /** Recorded only: it ended before it could be queued. */
  recordEnded(page: Page, what: NewAction, end: Pick<Action, 'state' | 'outcome' | 'reason'>): Action {
    const ended = { ...newAction(page, what), ...end, finishedAt: page.now }
    this.#changeState(page, ended)
    return ended
  }

  /** Takes an action that is open already. */
  take(book: MonitorBook, action: Action): void {
    const line: Line = {
      action,
      book,
      sequence: this.#sequence++,
      dueAt: action.notBefore,
      hold: null,
      retryEndsAs: null,
      carries: [],
    }
    book.lines = [...book.lines, line]
    this.#lines.set(action.id, line)
    if (action.state === 'queued') this.#selection.add(line)
  }

  amend({ draft }: Page, line: Line, changes: Partial<Action>): void {
    line.action = { ...line.action, ...changes, revision: line.action.revision + 1 }
    draft.change(line.action)
  }

  /** The selection has taken it out of its line already. */
  start(page: Page, line: Line): void {
    const triedSince = line.action.triedSince ?? page.now
    this.amend(page, line, { state: 'started', startedAt: page.now, triedSince })
    this.#changeState(page, line.action)
    page.book.noteStart(line.action)
  }

  cancel(page: Page, line: Line, outcome: CancelOutcome, reason: string | null = null): void {
    this.end(page, line, { state: 'cancelled', outcome, reason })
  }

  end(page: Page, line: Line, end: Pick<Action, 'state' | 'outcome' | 'reason'>): void {
    const { book, now } = page
    const wasQueued = line.action.state === 'queued'
    this.amend(page, line, { ...end, finishedAt: now, followUp: null })
    this.#changeState(page, line.action)
    this.#lines.delete(line.action.id)
    book.lines = book.lines.filter((one) => one !== line)
    if (wasQueued) this.#selection.cancelled(line)
    else this.#selection.ended(line)
    this.remember(book, line.action)
  }

  #changeState({ draft, book, now }: Page, action: Action): void {
    draft.changeState(action, now)
    book.lastAction = action
  }

  /** What is needed of a finished action. */
  remember(book: MonitorBook, action: Action): void {
    book.noteChange(action)
    const { id, kind, color, endpoint, startedAt } = action
    if (mayHaveArrived(action) && color !== null && endpoint !== null) {
      book.noteArrival(color, endpoint, startedAt!)
      this.#arrivals.push({ book, action })
    }
    if (action.state !== 'unknown') return
    this.#unknown.set(id, action)
    book.unknownActions++
    if (kind === 'intervention') book.unknownInterventions++
  }

  /** The clock was set: all that is open, and what cooldowns are judged by, moves with it. */
  move(draft: LedgerDraft, stepMs: number): void {
    for (const line of this.#lines.values()) {
      line.action = { ...movedAction(line.action, stepMs), revision: line.action.revision + 1 }
      line.dueAt += stepMs
      draft.change(line.action)
    }
    // Also what was told of troubles: the next process looks for recent actions by their times.
    const ended = new Map<string, Action>()
    const moved = (action: Action): Action => {
      const known = this.#lines.get(action.id)?.action ?? ended.get(action.id)
      if (known !== undefined) return known
      const next = { ...movedAction(action, stepMs), revision: action.revision + 1 }
      ended.set(action.id, next)
      draft.change(next)
      return next
    }
    for (const book of this.#books.values()) book.move(stepMs, moved)
    this.#arrivals = this.#arrivals.map(({ book, action }) => ({ book, action: movedAction(action, stepMs) }))
  }

  /** Reviewed by a person, or older than history. False when it is not known as unknown. */
  forgetUnknown(actionId: string): boolean {
    const action = this.#unknown.get(actionId)
    if (action === undefined) return false
    const book = action.monitorId === null ? this.digests : this.#books.get(action.monitorId)!
    this.#unknown.delete(actionId)
    book.unknownActions--
    if (action.kind === 'intervention') book.unknownInterventions--
    this.closeBook(book)
    return true
  }

  forgetUnknownBefore(instant: Instant): void {
    for (const { id, finishedAt } of this.#unknown.values()) if (finishedAt! < instant) this.forgetUnknown(id)
  }

  /** Codes that were started up to then delay no others any more; at most so many are looked at. */
  forgetArrivals(upTo: Instant, atMost: number): void {
    const end = Math.min(this.#arrivals.length, this.#forgottenArrivals + atMost)
    for (; this.#forgottenArrivals < end; this.#forgottenArrivals++) {
      const { book, action } = this.#arrivals[this.#forgottenArrivals]!
      if (action.startedAt! > upTo) break
      book.forgetArrival(action.color!, action.endpoint!, action.startedAt!)
      this.closeBook(book)
    }
    if (this.#forgottenArrivals * 2 <= this.#arrivals.length) return
    this.#arrivals = this.#arrivals.slice(this.#forgottenArrivals)
    this.#forgottenArrivals = 0
  }
}

function newAction({ book, now }: Page, what: NewAction): Action {
  return {
    ...what,
    monitorId: book.monitorId,
    revision: 1,
    state: 'queued',
    outcome: null,
    queuedAt: now,
    startedAt: null,
    finishedAt: null,
    reason: null,
    followUp: null,
    untold: null,
  }
}
