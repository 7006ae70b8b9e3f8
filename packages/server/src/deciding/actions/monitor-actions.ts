// deciding/actions/monitor-actions.ts: what the ledger keeps about one monitor: its open actions, and the few facts about
// finished ones that later decisions need. Monitors without any of these have no entry. Everything here follows from the
// stored actions and the monitor's health, so the next process arrives at the same state.

import type { Due } from '../../platform/due-heap.ts'
import type { Health, Instant, Warning } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import type { Action, ClosedIncident, NotificationAction, RecordedWithdrawal, UntoldRed } from './action.ts'
import { colorsByRank } from './action.ts'

/** What holds back a queued action that is due. */
export type HoldReason =
  | 'maintenance'
  /** No check has failed in this process yet, so there is no evidence for the action. */
  | 'held'
  | 'target_busy'
  | 'ancestor'
  /** Another notification of the monitor is in flight to the same destination, and this one must arrive after it. */
  | 'pacing'

/** A queued or started action, with what only this process needs to know about it. */
export interface OpenAction extends Due {
  action: Action
  readonly monitor: MonitorActions
  dueAt: Instant
  /** Null while nothing holds it back. */
  heldBy: HoldReason | null
  /** On a started notification that has become pointless: the outcome that its retry would get. */
  retryEndsAs: RecordedWithdrawal | null
  /** The untold incidents that a started green reports. */
  carries: readonly UntoldIncident[]
}

export interface OpenNotification extends OpenAction {
  action: NotificationAction
}

export function isNotification(open: OpenAction): open is OpenNotification {
  return open.action.kind === 'code'
}

/** An incident that one destination was not told about. */
export interface UntoldIncident {
  readonly monitor: MonitorActions
  /** Its red, as last recorded. */
  action: UntoldRed
  /** A green that reports it is queued or in flight. */
  isCarried: boolean
  /** Its place among the incidents that wait for a digest. */
  place: Due | null
}

/** The last notification about a trouble that was started to a destination. */
interface Told {
  readonly endpoint: string
  readonly action: Action
}

/** The last notification of a color that reached a destination, or may have. */
interface Arrival {
  readonly color: Color
  readonly endpoint: string
  readonly at: Instant
}

const never = Number.NEGATIVE_INFINITY
const none: readonly never[] = []

export class MonitorActions {
  /** Null for the digests, which are about many monitors. */
  readonly monitorId: string | null
  /** Replaced rather than mutated: a growing array reserves more space than a monitor ever needs. */
  openActions: readonly OpenAction[] = none
  /** The action whose state changed last. */
  lastAction: Action | null = null
  unknownActions = 0
  unknownInterventions = 0
  /** Only the last one can hold back the next: every earlier hold had ended before it was queued. */
  lastUnknownIntervention: string | null = null
  pendingColor: Color | null = null
  inMaintenance = false
  isSnoozed = false
  /** Whether the open incident is dismissed. */
  isDismissed = false
  /** The last failed check in this process. */
  lastFailureAt: Instant = never
  /** No episode and no warning: there is nothing to tell. */
  isQuiet = true
  openIncidentId: string | null = null
  /** The incident that closed last. */
  closedIncident: (ClosedIncident & { readonly id: string }) | null = null
  /** Incidents that some destination was not told about. */
  untold: readonly UntoldIncident[] = none
  /** Greens that were withdrawn unsent, one per destination. */
  owedGreens: readonly Action[] = none
  readonly #unknown: Map<string, Action>
  #arrivals: readonly Arrival[] = none
  /** The last episode for which anything was started, and its destinations; `to` is null if they are no longer known. */
  #toldEpisode: { readonly id: string; readonly to: readonly Told[] | null } | null = null
  /** Yellows of warnings. */
  #warningsTold: readonly Told[] = none
  #warningToldAt: Instant = never
  /** A warning from this time was told, but to which destinations is no longer known. */
  #warningAssumedAt: Instant = never

  /** unknown: the actions of all monitors with an unknown outcome, to be kept as last recorded. */
  constructor(monitorId: string | null, unknown: Map<string, Action>) {
    this.monitorId = monitorId
    this.#unknown = unknown
  }

  get isEmpty(): boolean {
    const hasActions = this.openActions.length > 0 || this.unknownActions > 0
    const remembers = this.#arrivals.length > 0 || this.owedGreens.length > 0 || this.untold.length > 0
    return this.isQuiet && !hasActions && !remembers
  }

  openNotification(color: Color, endpoint: string): OpenAction | undefined {
    return this.openActions.find(({ action }) => action.color === color && action.endpoint === endpoint)
  }

  activeColors(): Color[] {
    return colorsByRank.filter((color) => this.openActions.some(({ action }) => action.color === color))
  }

  highestColor(): Color | null {
    return colorsByRank.find((color) => this.openActions.some(({ action }) => action.color === color)) ?? null
  }

  /** Every started action counts as told: there is no answer yet, and one green too many is harmless. */
  noteStart(action: Action): void {
    if (action.color === 'green') return
    if (action.cause === 'warning') this.noteWarningTold(action)
    if (action.episodeId !== null) this.noteTold(action.episodeId, action)
  }

  /** A notification or intervention of the episode was started; null if it is not known which. */
  noteTold(episodeId: string, action: Action | null): void {
    const known = this.#toldEpisode?.id === episodeId ? this.#toldEpisode.to : none
    if (known !== null) this.#toldEpisode = { id: episodeId, to: withTold(known, action) }
  }

  noteWarningTold(yellow: Action): void {
    this.#warningsTold = withTold(this.#warningsTold, yellow)
    this.#warningToldAt = yellow.startedAt!
  }

  /** The episode takes over what was told about the warning that it found. */
  handOverWarning(warning: Warning, episodeId: string): void {
    this.noteTold(episodeId, null)
    if (this.#warningAssumedAt >= warning.since) this.#toldEpisode = { id: episodeId, to: null }
    for (const yellow of this.warningsTold(warning)) this.noteTold(episodeId, yellow)
  }

  /** The yellows started since the warning was raised. */
  warningsTold(warning: Warning): readonly Action[] {
    return this.#warningsTold.flatMap(({ action }) => (action.startedAt! >= warning.since ? [action] : []))
  }

  /** Whether anything of the episode was started, to any destination. */
  hasTold(episodeId: string): boolean {
    return this.#toldEpisode?.id === episodeId
  }

  hasToldEpisode(episodeId: string, endpoint: string): boolean {
    if (this.#toldEpisode?.id !== episodeId) return false
    return this.#toldEpisode.to?.some((one) => one.endpoint === endpoint) ?? true
  }

  hasToldWarning(warning: Warning, endpoint: string): boolean {
    const toldAt = this.#warningsTold.find((one) => one.endpoint === endpoint)?.action.startedAt ?? never
    return Math.max(toldAt, this.#warningAssumedAt) >= warning.since
  }

  /** Every destination that was told about the last episode or warning; null if they are no longer known. */
  get toldTo(): readonly string[] | null {
    const episode = this.#toldEpisode === null ? none : this.#toldEpisode.to
    if (episode === null) return null
    return [...new Set([...episode, ...this.#warningsTold].map(({ endpoint }) => endpoint))]
  }

  get isToldKnown(): boolean {
    return this.#toldEpisode?.to !== null && this.#warningAssumedAt === never
  }

  /** A started action has changed. */
  noteChange(action: Action): void {
    if (this.#unknown.has(action.id)) this.#unknown.set(action.id, action)
    this.#replaceTold((told) => (told.id === action.id ? action : told))
  }

  /** It was told by actions that are too old to be loaded, or that were dated by a clock that was ahead. */
  assumeTold({ episode, warning }: Health, knownSince: Instant, now: Instant): void {
    const toldSince = Math.min(episode?.firstFailureAt ?? now, episode?.warnedSince ?? now)
    if (episode?.announced && (toldSince < knownSince || episode.toldUnknown))
      this.#toldEpisode = { id: episode.id, to: null }
    const isWarningOld = warning !== null && (warning.since < knownSince || warning.since > now)
    if (warning?.announced && (isWarningOld || warning.toldUnknown)) {
      this.#warningToldAt = Math.max(this.#warningToldAt, warning.since)
      this.#warningAssumedAt = warning.since
    }
  }

  /** There is no warning, or a new one begins. Instants from a clock that was ahead must not apply to a new one. */
  forgetWarning(): void {
    this.#warningToldAt = never
    this.#warningAssumedAt = never
  }

  wasToldOf(warning: Warning): boolean {
    return this.#warningToldAt >= warning.since
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

  /** The clock was set: moves all instants. `moved` returns an action as it is after the step. */
  move(stepMs: number, moved: (action: Action) => Action): void {
    this.lastFailureAt += stepMs
    const closed = this.closedIncident
    if (closed !== null) this.closedIncident = { ...closed, at: closed.at + stepMs }
    this.#warningToldAt += stepMs
    this.#warningAssumedAt += stepMs
    this.#replaceTold(moved)
    this.#arrivals = this.#arrivals.map((one) => ({ ...one, at: one.at + stepMs }))
  }

  #replaceTold(change: (action: Action) => Action): void {
    const changed = (one: Told) => ({ ...one, action: change(one.action) })
    if (this.#warningsTold.length > 0) this.#warningsTold = this.#warningsTold.map(changed)
    const episode = this.#toldEpisode
    if (episode !== null && episode.to !== null)
      this.#toldEpisode = { ...episode, to: episode.to.map(changed) }
  }

  /** The withdrawn green that this destination is still owed. */
  owedGreen(endpoint: string): Action | undefined {
    return this.owedGreens.find((green) => green.endpoint === endpoint)
  }
}

/** Keeps the last one per destination. An intervention has no destination. */
function withTold(told: readonly Told[], action: Action | null): readonly Told[] {
  const endpoint = action?.endpoint ?? null
  if (action === null || endpoint === null) return told
  return [...told.filter((one) => one.endpoint !== endpoint), { endpoint, action }]
}
