// actions/code-desk.ts: turns what a monitor has to say into codes for destinations. One action for each destination,
// never two open ones of a color; a cooldown is waited for and swallows nothing; what a newer color makes pointless
// is withdrawn; a green is sent only to end something that was told.
import type { Health, Instant } from '../health/health.ts'
import type { Color, Notify } from '../health/step.ts'
import type { Action, CancelOutcome, CodeSubject } from './action.ts'
import type { Books, NewAction, Page } from './books.ts'
import { supersedes } from './colors.ts'
import type { Line, MonitorBook } from './monitor-book.ts'
import type { Selection } from './selection.ts'
import { destinationIsGone } from './verdict.ts'

export interface CodeSettings {
  /** Between two codes of one color for one monitor to one destination. */
  readonly cooldownMs: number
  /** Green does not wait for the cooldown. */
  readonly greenBypassesCooldown: boolean
}

interface Code {
  readonly color: Color
  readonly endpoint: string
  readonly subject: CodeSubject
  readonly attempt: number
  readonly notBefore: Instant
}

export class CodeDesk {
  settings: CodeSettings
  readonly #books: Books
  readonly #selection: Selection
  readonly #newId: () => string

  constructor(settings: CodeSettings, books: Books, selection: Selection, newId: () => string) {
    this.settings = settings
    this.#books = books
    this.#selection = selection
    this.#newId = newId
  }

  send(page: Page, color: Color, subject: CodeSubject, destinations: readonly string[]): void {
    for (const endpoint of destinations) {
      const open = page.book.openCode(color, endpoint)
      if (open === undefined) this.#queue(page, { color, endpoint, subject, attempt: 1, notBefore: page.now })
      else if (open.action.state === 'queued') this.#takeOver(page, open, subject)
      else this.#follow(page, open, subject)
    }
  }

  /** The same once more, unless it has become pointless meanwhile; that is recorded too. */
  retry(page: Page, { action, retryEndsAs }: Line, notBefore: Instant): void {
    const retry = { ...codeOf(action), attempt: action.attempt + 1, notBefore }
    if (retryEndsAs === null) return this.#queue(page, retry)
    this.#recordEnded(page, retry, { state: 'cancelled', outcome: retryEndsAs, reason: null })
    if (retry.color === 'green' && retryEndsAs === 'superseded') page.book.oweGreen(retry.endpoint)
  }

  /** What had to be said to the same destination in the same color while the action was under way. */
  sendFollowUp(page: Page, action: Action, subject: CodeSubject, notBefore: Instant): void {
    this.#queue(page, { ...codeOf(action), subject, attempt: 1, notBefore })
  }

  /** Cancels what is queued; what is under way goes on, but is not tried again and has no follow-up. */
  withdraw(page: Page, isPointless: (action: Action) => boolean, outcome: CancelOutcome): void {
    for (const line of page.book.lines) {
      const { action } = line
      if (action.kind !== 'code' || !isPointless(action)) continue
      if (action.state === 'queued') {
        this.#books.cancel(page, line, outcome)
        if (action.color === 'green' && outcome === 'superseded') page.book.oweGreen(action.endpoint!)
      } else {
        line.retryEndsAs = outcome
        if (action.followUp !== null) this.#books.amend(page, line, { followUp: null })
      }
    }
  }

  /** warningStands: the monitor had a warning before the step and has it still. */
  supersede(page: Page, newer: Notify, warningStands: boolean): void {
    this.withdraw(page, (action) => isSuperseded(action, newer, warningStands), 'superseded')
  }

  /** Those that a green is for: all when something was told, else those whose last green was superseded. */
  greenDestinations(
    { book }: Page,
    green: Notify,
    before: Health,
    configured: readonly string[],
  ): readonly string[] {
    return wasTold(book, green, before) ? configured : configured.filter((one) => book.owesGreen(one))
  }

  /** An episode takes over the warning that it found: what was told of the warning is told of the episode. */
  handOverWarning(page: Page, before: Health, episodeId: string): void {
    const { book, draft } = page
    for (const line of book.lines) {
      const { cause, color } = line.action
      if (cause === 'warning' && color === 'yellow') this.#books.amend(page, line, { episodeId })
    }
    if (before.warning === null || !book.wasToldOf(before.warning)) return
    book.toldEpisodeId = episodeId
    const yellow = book.warningYellow
    if (yellow === null || this.#books.lineOf(yellow.id) !== undefined) return
    // Into the record, though it is finished: another run has to know that the episode owes a green.
    draft.change({ ...yellow, episodeId, revision: yellow.revision + 1 })
  }

  // It keeps its place in line and says what holds now.
  #takeOver(page: Page, line: Line, subject: CodeSubject): void {
    const { action } = line
    const isNews =
      action.episodeId !== subject.episodeId ||
      action.incidentId !== subject.incidentId ||
      (action.cause !== subject.cause && subject.cause !== 'repeat')
    if (isNews) this.#books.amend(page, line, { ...subject })
  }

  #follow(page: Page, line: Line, subject: CodeSubject): void {
    const isSaidAlready = subject.cause === 'repeat' && subject.episodeId === line.action.episodeId
    if (!isSaidAlready) this.#books.amend(page, line, { followUp: subject })
  }

  #queue(page: Page, code: Code): void {
    const { book } = page
    const { color, endpoint } = code
    const lane = this.#selection.laneOf(endpoint)
    if (color === 'green') book.payGreen(endpoint)
    if (lane === undefined)
      this.#recordEnded(page, code, { state: 'cancelled', outcome: 'configuration_changed', reason: null })
    else if (lane.deadSince !== null)
      this.#recordEnded(page, code, { state: 'failed', outcome: 'gone', reason: destinationIsGone })
    else {
      const notBefore = Math.max(code.notBefore, this.#cooldownEnd(book, color, endpoint))
      this.#books.queue(page, this.#newAction(code, notBefore))
    }
  }

  #recordEnded(page: Page, code: Code, end: Pick<Action, 'state' | 'outcome' | 'reason'>): void {
    this.#books.recordEnded(page, this.#newAction(code, code.notBefore), end)
  }

  #newAction({ color, endpoint, subject, attempt }: Code, notBefore: Instant): NewAction {
    return { id: this.#newId(), kind: 'code', color, ...subject, endpoint, attempt, notBefore }
  }

  #cooldownEnd(book: MonitorBook, color: Color, endpoint: string): Instant {
    const isExempt = color === 'green' && this.settings.greenBypassesCooldown
    return isExempt ? Number.NEGATIVE_INFINITY : book.arrivedAt(color, endpoint) + this.settings.cooldownMs
  }
}

function isSuperseded({ color, cause }: Action, newer: Notify, warningStands: boolean): boolean {
  // A warning that rises again makes the green of the last one untrue, as a new episode does.
  if (newer.color === 'yellow' && newer.cause === 'warning') return color === 'green' && cause === 'warning'
  // The closing green of an episode says nothing about a warning that is still there.
  const isSpared = newer.color === 'green' && warningStands && cause === 'warning'
  return !isSpared && supersedes(newer.color, color!)
}

function wasTold(book: MonitorBook, green: Notify, before: Health): boolean {
  if (green.cause !== 'warning') return book.toldEpisodeId === green.episodeId
  return before.warning !== null && book.wasToldOf(before.warning)
}

function codeOf({ color, endpoint, cause, episodeId, incidentId }: Action) {
  return { color: color!, endpoint: endpoint!, subject: { cause: cause!, episodeId, incidentId } }
}
