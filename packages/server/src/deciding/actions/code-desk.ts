// deciding/actions/code-desk.ts: turns what a monitor has to say into notifications for destinations. One action for each
// destination, never two open ones of a color; a cooldown is waited for and swallows nothing; what a newer color makes
// pointless is withdrawn; a green goes only where something was told. A red that does not arrive leaves its incident
// untold there, and the green of the monitor carries it.
import type { Health, Instant } from '../health/health.ts'
import type { Color, Notify } from '../health/step.ts'
import type { Action, CancelOutcome, CodeSubject, Untold } from './action.ts'
import type { Books, NewAction, Page } from './books.ts'
import { supersedes } from './colors.ts'
import { destinationIsGone } from './destination.ts'
import type { DestinationLane } from './destination-lane.ts'
import type { Line, MonitorBook } from './monitor-book.ts'
import { triedUntil } from './retry-times.ts'
import type { Selection } from './selection.ts'
import type { UntoldIncidents } from './untold.ts'

export interface CodeSettings {
  /** Between two codes of one color for one monitor to one destination. */
  readonly cooldownMs: number
  /** Green does not wait for the cooldown. */
  readonly greenBypassesCooldown: boolean
}

interface Code {
  readonly color: Color | null
  readonly endpoint: string
  readonly subject: CodeSubject
  readonly attempt: number
  readonly triedSince: Instant | null
  readonly notBefore: Instant
}

/** Which destinations a monitor tells of troubles, so that they may have something to be told the end of. */
export type TroublesTold = (endpoint: string) => boolean

export class CodeDesk {
  settings: CodeSettings
  readonly #books: Books
  readonly #selection: Selection
  readonly #untold: UntoldIncidents
  readonly #newId: () => string

  constructor(
    settings: CodeSettings,
    books: Books,
    selection: Selection,
    untold: UntoldIncidents,
    newId: () => string,
  ) {
    this.settings = settings
    this.#books = books
    this.#selection = selection
    this.#untold = untold
    this.#newId = newId
  }

  send(page: Page, color: Color, subject: CodeSubject, destinations: readonly string[]): void {
    const first = { color, subject, attempt: 1, triedSince: null, notBefore: page.now }
    for (const endpoint of destinations) {
      const open = page.book.openCode(color, endpoint)
      if (open === undefined) this.#queue(page, { ...first, endpoint })
      else if (open.action.state === 'queued') this.#takeOver(page, open, subject)
      else this.#follow(page, open, subject)
    }
  }

  /** Queues a digest; what it says is put together when it starts. */
  sendDigest(page: Page, endpoint: string): void {
    const subject = { cause: 'digest', episodeId: null, incidentId: null, since: null } as const
    this.#queue(page, {
      color: null,
      subject,
      endpoint,
      attempt: 1,
      triedSince: null,
      notBefore: page.now,
    })
  }

  /**
   * The same once more, unless it has become pointless meanwhile, which is recorded too, or was tried long enough.
   * False when it is not tried again.
   */
  retry(page: Page, { action, retryEndsAs }: Line, notBefore: Instant): boolean {
    const retry = { ...codeOf(action), attempt: action.attempt + 1, notBefore }
    if (retryEndsAs !== null) {
      this.#recordWithdrawn(page, retry, retryEndsAs)
      return true
    }
    if (triedUntil(action.triedSince!) <= notBefore) return false
    this.#queue(page, retry)
    return true
  }

  /** What had to be said to the same destination in the same color while the action was in flight. */
  sendFollowUp(page: Page, action: Action, subject: CodeSubject, notBefore: Instant): void {
    this.#queue(page, { ...codeOf(action), subject, attempt: 1, triedSince: null, notBefore })
  }

  /** Cancels what is queued; what is in flight goes on, but is not tried again and has no follow-up. */
  withdraw(page: Page, isPointless: (action: Action) => boolean, outcome: CancelOutcome): void {
    for (const line of page.book.lines) {
      const { action } = line
      if (action.kind !== 'code' || !isPointless(action)) continue
      if (action.state === 'queued') this.cancel(page, line, outcome)
      else {
        line.retryEndsAs = outcome
        if (action.followUp !== null) this.#withdrawFollowUp(page, line, action.followUp, outcome)
      }
    }
  }

  /** Ends what is queued, and remembers what is owed because of it. */
  cancel(page: Page, line: Line, outcome: CancelOutcome, reason: string | null = null): void {
    const { color, endpoint } = line.action
    this.#books.cancel(page, line, outcome, reason)
    this.leaveUntold(page, line.action)
    if (color !== 'green') return
    if (outcome === 'superseded') page.book.oweGreen(endpoint!)
    this.greenEnded(page, line)
  }

  /** warningStands: the monitor had a warning before the step and has it still. */
  supersede(page: Page, newer: Notify, warningStands: boolean): void {
    this.withdraw(page, (action) => isSuperseded(action, newer, warningStands), 'superseded')
  }

  /**
   * Those that a green is for: where something of the trouble was started, or the last green was superseded. One that
   * is never told of troubles hears of the end whenever anybody was told.
   */
  greenDestinations(
    { book }: Page,
    green: Notify,
    before: Health,
    configured: readonly string[],
    tellsTroubles: TroublesTold,
  ): readonly string[] {
    return configured.filter(
      (endpoint) => book.owesGreen(endpoint) || wasTold(book, green, before, endpoint, tellsTroubles),
    )
  }

  /** An episode takes over the warning that it found: what was told of the warning is told of the episode. */
  handOverWarning(page: Page, before: Health, episodeId: string): void {
    const { book, draft } = page
    for (const line of book.lines) {
      const { cause, color } = line.action
      if (cause === 'warning' && color === 'yellow') this.#books.amend(page, line, { episodeId })
    }
    if (before.warning === null || !book.wasToldOf(before.warning)) return
    book.handOverWarning(before.warning, episodeId)
    // Into the records, though they are finished: the next process has to know to whom the episode owes a green.
    for (const yellow of book.warningsTold(before.warning)) {
      if (this.#books.lineOf(yellow.id) !== undefined) continue
      const handedOver = { ...yellow, episodeId, revision: yellow.revision + 1 }
      draft.change(handedOver)
      book.noteChange(handedOver)
    }
  }

  /**
   * A red has ended and did not arrive: its incident is untold there. Only the first red of an incident can leave that:
   * a repeat says what was said before. While the incident is open it counts at once if the red was rejected for good;
   * one whose answer was lost may have arrived, and counts when the incident closes.
   */
  leaveUntold({ draft, book, now }: Page, ended: Action): void {
    const { color, cause, incidentId, endpoint } = ended
    if (color !== 'red' || cause !== 'episode' || incidentId === null || !this.#isToBeTold(endpoint!)) return
    const isOpen = book.openIncidentId === incidentId
    // What happens in maintenance is expected.
    if (!isOpen && book.inMaintenance) return
    const from = ended.since ?? ended.queuedAt
    const closedAt = book.closedIncident?.id === incidentId ? book.closedIncident.at : ended.finishedAt!
    const untold: Untold = isOpen
      ? { since: ended.state === 'unknown' ? null : now, from, to: null }
      : { since: this.#stillUntold(endpoint!, closedAt, now), from, to: closedAt }
    const green = book.openCode('green', endpoint!)
    this.#untold.add(draft, book, ended, untold, green?.action.state === 'queued')
  }

  /** A red was taken: whatever was untold of its incident there is told. */
  redArrived({ draft, book }: Page, { endpoint, incidentId }: Action): void {
    for (const incident of this.#untold.of(book, endpoint!))
      if (incident.action.incidentId === incidentId) this.#untold.settle(draft, incident)
  }

  /** A green ended: what it carried is told if it was taken, and otherwise waits for a digest, unless it is retried. */
  greenEnded({ draft, book, now }: Page, { action, carries }: Line): void {
    if (action.state === 'succeeded') for (const incident of carries) this.#untold.settle(draft, incident)
    else if (book.openCode('green', action.endpoint!) === undefined)
      for (const incident of this.#untold.of(book, action.endpoint!)) {
        const since = incident.action.untold!.since ?? now
        if (incident.isCarried)
          this.#untold.drop(draft, incident, this.#stillUntold(action.endpoint!, since, now))
      }
  }

  /** Since then, unless a digest went out without it meanwhile: that one must not be thought to have told of it. */
  #stillUntold(endpoint: string, since: Instant, now: Instant): Instant {
    return this.#selection.laneOf(endpoint)?.hasDigestedSince(since) ? now : since
  }

  // It keeps its place in line and says what holds now; but the end of a warning must not take the place of an incident's.
  #takeOver(page: Page, line: Line, subject: CodeSubject): void {
    const { action } = line
    if (subject.cause === 'warning' && action.incidentId !== null) return
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

  #withdrawFollowUp(page: Page, line: Line, subject: CodeSubject, outcome: CancelOutcome): void {
    this.#books.amend(page, line, { followUp: null })
    const code = { ...codeOf(line.action), subject, attempt: 1, triedSince: null, notBefore: page.now }
    this.#recordWithdrawn(page, code, outcome)
  }

  /** Recorded as an action that was cancelled: what had to be said was never said. */
  #recordWithdrawn(page: Page, code: Code, outcome: CancelOutcome): void {
    this.leaveUntold(page, this.#recordEnded(page, code, { state: 'cancelled', outcome, reason: null }))
    if (code.color === 'green' && outcome === 'superseded') page.book.oweGreen(code.endpoint)
  }

  #queue(page: Page, code: Code): void {
    const { book } = page
    const { color, endpoint } = code
    const lane = this.#selection.laneOf(endpoint)
    if (color === 'green') book.payGreen(endpoint)
    if (lane === undefined)
      this.#recordEnded(page, code, { state: 'cancelled', outcome: 'configuration_changed', reason: null })
    else if (lane.isDead)
      this.#recordEnded(page, code, { state: 'failed', outcome: 'gone', reason: destinationIsGone })
    else {
      const notBefore = Math.max(code.notBefore, this.#cooldownEnd(book, color, endpoint))
      this.#books.queue(page, this.#newAction(code, notBefore))
      if (color === 'green') this.#carryUntold(page, endpoint, lane)
    }
  }

  /** A green is queued: it tells what no digest has told. */
  #carryUntold({ draft, book, now }: Page, endpoint: string, lane: DestinationLane): void {
    for (const incident of this.#untold.of(book, endpoint)) {
      const isDigested = lane.hasDigestedSince(incident.action.untold!.since)
      if (!isDigested) this.#untold.carry(incident)
      // The green before this one carried it past a digest: the next process must not think that the digest told of it.
      else if (incident.isCarried) this.#untold.amend(draft, incident, { since: now })
    }
  }

  #recordEnded(page: Page, code: Code, end: Pick<Action, 'state' | 'outcome' | 'reason'>): Action {
    return this.#books.recordEnded(page, this.#newAction(code, code.notBefore), end)
  }

  #newAction({ color, endpoint, subject, attempt, triedSince }: Code, notBefore: Instant): NewAction {
    return { id: this.#newId(), kind: 'code', color, ...subject, endpoint, attempt, triedSince, notBefore }
  }

  #cooldownEnd(book: MonitorBook, color: Color | null, endpoint: string): Instant {
    const isExempt = color === null || (color === 'green' && this.settings.greenBypassesCooldown)
    return isExempt ? Number.NEGATIVE_INFINITY : book.arrivedAt(color, endpoint) + this.settings.cooldownMs
  }

  /** A dead destination hears nothing, and one that keeps alerts knows them by what opens and closes them. */
  #isToBeTold(endpoint: string): boolean {
    const lane = this.#selection.laneOf(endpoint)
    return lane !== undefined && !lane.isDead && !lane.destination.keepsAlerts
  }
}

function isSuperseded({ color, cause }: Action, newer: Notify, warningStands: boolean): boolean {
  if (color === null) return false
  // A warning that rises again makes the green of the last one untrue, as a new episode does.
  if (newer.color === 'yellow' && newer.cause === 'warning') return color === 'green' && cause === 'warning'
  // The closing green of an episode says nothing about a warning that is still there.
  const isSpared = newer.color === 'green' && warningStands && cause === 'warning'
  return !isSpared && supersedes(newer.color, color)
}

function wasTold(
  book: MonitorBook,
  { cause, episodeId }: Notify,
  { warning }: Health,
  endpoint: string,
  tellsTroubles: TroublesTold,
): boolean {
  if (cause !== 'warning')
    return tellsTroubles(endpoint) ? book.hasToldEpisode(episodeId!, endpoint) : book.hasTold(episodeId!)
  if (warning === null) return false
  return tellsTroubles(endpoint) ? book.hasToldWarning(warning, endpoint) : book.wasToldOf(warning)
}

function codeOf({ color, endpoint, cause, episodeId, incidentId, since, triedSince }: Action) {
  return { color, endpoint: endpoint!, subject: { cause: cause!, episodeId, incidentId, since }, triedSince }
}
