// actions/monitor-book.ts: what the ledger must know of one monitor: its open actions and the few facts of finished
// ones that later decisions need. Only monitors that have any of it have a book. All of it follows from the records
// of its actions and from its health, so that another run finds the same.
import type { Health, Instant, Warning } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import type { Action, CancelOutcome } from './action.ts'
import { colorsByRank } from './colors.ts'
import type { Due } from './due-heap.ts'

/** What keeps a queued action from starting although it is due. */
export type Hold = 'maintenance' | 'awaits_failed_check' | 'recovery_target_busy' | 'ancestor_in_trouble'

/** An open action in memory. */
export interface Line extends Due {
  action: Action
  readonly book: MonitorBook
  dueAt: Instant
  /** Null: it stands in line. */
  hold: Hold | null
  /** Set on a started one that has become pointless meanwhile: if it is rejected, its retry ends as this. */
  retryEndsAs: CancelOutcome | null
}

/** The last code of a color that reached a destination, or may have. */
interface Arrival {
  readonly color: Color
  readonly endpoint: string
  readonly at: Instant
}

const never = Number.NEGATIVE_INFINITY
const none: readonly never[] = []

export class MonitorBook {
  readonly monitorId: string
  /** Replaced and not changed: arrays that grow keep room for more than a monitor ever has. */
  lines: readonly Line[] = none
  unknownActions = 0
  unknownInterventions = 0
  pendingCode: Color | null = null
  inMaintenance = false
  /** By a check of this run. */
  lastFailureAt: Instant = never
  /** Neither an episode nor a warning: nobody is to be told anything. */
  isQuiet = true
  /** The last episode of which anything was started. */
  toldEpisodeId: string | null = null
  #arrivals: readonly Arrival[] = none
  #owedGreens: readonly string[] = none
  #warningToldAt: Instant = never
  #warningYellow: Action | null = null

  constructor(monitorId: string) {
    this.monitorId = monitorId
  }

  get isEmpty(): boolean {
    const hasActions = this.lines.length > 0 || this.unknownActions > 0
    return this.isQuiet && !hasActions && this.#arrivals.length === 0 && this.#owedGreens.length === 0
  }

  openCode(color: Color, endpoint: string): Line | undefined {
    return this.lines.find(({ action }) => action.color === color && action.endpoint === endpoint)
  }

  activeCodes(): Color[] {
    return colorsByRank.filter((color) => this.lines.some(({ action }) => action.color === color))
  }

  highestCode(): Color | null {
    return colorsByRank.find((color) => this.lines.some(({ action }) => action.color === color)) ?? null
  }

  /** Whatever was started counts as told: nobody knows better before its answer, and a green too many is harmless. */
  noteStart(action: Action): void {
    if (action.color === 'green') return
    if (action.cause === 'warning') this.noteWarningTold(action)
    if (action.episodeId !== null) this.toldEpisodeId = action.episodeId
  }

  noteWarningTold(yellow: Action): void {
    this.#warningToldAt = yellow.startedAt!
    this.#warningYellow = yellow
  }

  noteEnd(action: Action): void {
    if (this.#warningYellow?.id === action.id) this.#warningYellow = action
  }

  /** Told by actions that are too old to be known, or by a clock that was ahead. */
  assumeTold({ episode, warning }: Health, knownSince: Instant, now: Instant): void {
    if (episode?.announced && episode.firstFailureAt < knownSince) this.toldEpisodeId = episode.id
    if (warning?.announced && (warning.since < knownSince || warning.since > now))
      this.#warningToldAt = Math.max(this.#warningToldAt, warning.since)
  }

  wasToldOf(warning: Warning): boolean {
    return this.#warningToldAt >= warning.since
  }

  /** The last yellow that told of a warning, if it is known. */
  get warningYellow(): Action | null {
    return this.#warningYellow
  }

  arrivedAt(color: Color, endpoint: string): Instant {
    return this.#arrivals.find((one) => one.color === color && one.endpoint === endpoint)?.at ?? never
  }

  noteArrival(color: Color, endpoint: string, at: Instant): void {
    this.forgetArrival(color, endpoint, at)
    if (this.arrivedAt(color, endpoint) === never)
      this.#arrivals = [...this.#arrivals, { color, endpoint, at }]
  }

  forgetArrival(color: Color, endpoint: string, upTo: Instant): void {
    this.#arrivals = this.#arrivals.filter(
      (one) => one.color !== color || one.endpoint !== endpoint || one.at > upTo,
    )
  }

  /** The clock was set, and all instants with it. */
  move(stepMs: number): void {
    this.lastFailureAt += stepMs
    this.#warningToldAt += stepMs
    this.#arrivals = this.#arrivals.map((one) => ({ ...one, at: one.at + stepMs }))
  }

  /** Its last green was superseded before it was sent: what it was told last is no longer true, and it must hear so. */
  oweGreen(endpoint: string): void {
    if (!this.owesGreen(endpoint)) this.#owedGreens = [...this.#owedGreens, endpoint]
  }

  payGreen(endpoint: string): void {
    if (this.owesGreen(endpoint)) this.#owedGreens = this.#owedGreens.filter((one) => one !== endpoint)
  }

  owesGreen(endpoint: string): boolean {
    return this.#owedGreens.includes(endpoint)
  }

  forgetOwedGreens(): void {
    this.#owedGreens = none
  }
}
