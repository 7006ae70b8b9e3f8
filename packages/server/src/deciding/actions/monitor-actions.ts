// deciding/actions/monitor-actions.ts: what the ledger keeps about one monitor: its open actions, and the few facts
// about finished ones that later decisions need. Only monitors with any of it have an entry. All of it follows from the
// stored actions and from the monitor's health, so that the next process arrives at the same.

import type { Due } from '../../platform/due-heap.ts'
import type { Health, Instant, Warning } from '../health/health.ts'
import type { Color } from '../health/step.ts'
import type { Action, ClosedIncident, NotificationAction, RecordedWithdrawal, UntoldRed } from './action.ts'
import { colorsByRank } from './action.ts'

/** What holds back a queued action that is due. */
export type HoldReason =
  | 'maintenance'
  /** No check of this process has failed yet, so there is no evidence for it. */
  | 'held'
  | 'target_busy'
  | 'ancestor'
  /** Another notification of the monitor is in flight to the same destination; the newer one must arrive later. */
  | 'pacing'

/** An action that is queued or started, with what only this process needs to know about it. */
export interface OpenAction extends Due {
  action: Action
  readonly monitor: MonitorActions
  dueAt: Instant
  /** Null while nothing holds it back. */
  heldBy: HoldReason | null
  /** Set on a started notification that has become pointless meanwhile: its retry would end as this. */
  retryEndsAs: RecordedWithdrawal | null
  /** The untold incidents that a started green tells of. */
  carries: readonly UntoldIncident[]
}

export interface OpenNotification extends OpenAction {
  action: NotificationAction
}

export function isNotification(open: OpenAction): open is OpenNotification {
  return open.action.kind === 'code'
}

/** An incident that one destination has not been told of. */
export interface UntoldIncident {
  readonly monitor: MonitorActions
  /** Its red, as it was last recorded. */
  action: UntoldRed
  /** A green that tells of it is queued or in flight. */
  isCarried: boolean
  /** Its place among those that wait for a digest. */
  place: Due | null
}

/** What was last started to a destination about a trouble. */
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
  /** Replaced and not changed: an array that grows keeps room for more than a monitor ever has. */
  openActions: readonly OpenAction[] = none
  /** The one whose state changed last. */
  lastAction: Action | null = null
  unknownActions = 0
  unknownInterventions = 0
  /** The last of them: only it can hold back the next, since every earlier hold had ended before it was queued. */
  lastUnknownIntervention: string | null = null
  pendingColor: Color | null = null
  inMaintenance = false
  isSnoozed = false
  /** The open incident is dismissed. */
  isDismissed = false
  /** By a check of this process. */
  lastFailureAt: Instant = never
  /** Neither an episode nor a warning: there is nothing to tell. */
  isQuiet = true
  openIncidentId: string | null = null
  /** The last one that closed, and when. */
  closedIncident: (ClosedIncident & { readonly id: string }) | null = null
  /** Incidents that some destination was not told of. */
  untold: readonly UntoldIncident[] = none
  /** Greens that were withdrawn unsent, one for each destination. */
  owedGreens: readonly Action[] = none
  readonly #unknown: Map<string, Action>
  #arrivals: readonly Arrival[] = none
  /** The last episode of which anything was started, and to which destinations; null when those are not known any more. */
  #toldEpisode: { readonly id: string; readonly to: readonly Told[] | null } | null = null
  /** Yellows of warnings. */
  #warningsTold: readonly Told[] = none
  #warningToldAt: Instant = never
  /** A warning of that time was told, to destinations that are not known any more. */
  #warningAssumedAt: Instant = never

  /** unknown: actions of all monitors whose outcome is unknown, to be kept as they were last recorded. */
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

  /** Whatever was started counts as told: no answer says better yet, and one green too many is harmless. */
  noteStart(action: Action): void {
    if (action.color === 'green') return
    if (action.cause === 'warning') this.noteWarningTold(action)
    if (action.episodeId !== null) this.noteTold(action.episodeId, action)
  }

  /** Something of the episode was started: a notification, an intervention, or, with null, it is not known what. */
  noteTold(episodeId: string, action: Action | null): void {
    const known = this.#toldEpisode?.id === episodeId ? this.#toldEpisode.to : none
    if (known !== null) this.#toldEpisode = { id: episodeId, to: withTold(known, action) }
  }

  noteWarningTold(yellow: Action): void {
    this.#warningsTold = withTold(this.#warningsTold, yellow)
    this.#warningToldAt = yellow.startedAt!
  }

  /** An episode takes over what was told of the warning that it found. */
  handOverWarning(warning: Warning, episodeId: string): void {
    this.noteTold(episodeId, null)
    if (this.#warningAssumedAt >= warning.since) this.#toldEpisode = { id: episodeId, to: null }
    for (const yellow of this.warningsTold(warning)) this.noteTold(episodeId, yellow)
  }

  /** The yellows that were started since the warning was raised. */
  warningsTold(warning: Warning): readonly Action[] {
    return this.#warningsTold.flatMap(({ action }) => (action.startedAt! >= warning.since ? [action] : []))
  }

  /** Something of the episode was started, to any destination. */
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

  /** Every destination that was told of the last episode or warning; null when those are not known any more. */
  get toldTo(): readonly string[] | null {
    const episode = this.#toldEpisode === null ? none : this.#toldEpisode.to
    if (episode === null) return null
    return [...new Set([...episode, ...this.#warningsTold].map(({ endpoint }) => endpoint))]
  }

  get isToldKnown(): boolean {
    return this.#toldEpisode?.to !== null && this.#warningAssumedAt === never
  }

  /** An action that was started has changed. */
  noteChange(action: Action): void {
    if (this.#unknown.has(action.id)) this.#unknown.set(action.id, action)
    this.#replaceTold((told) => (told.id === action.id ? action : told))
  }

  /** It was told by actions that are too old to be loaded, or that a clock which was ahead has dated. */
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

  /** There is no warning, or a new one begins, which an instant of a clock that was ahead must not cover. */
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

  /** The clock was set, and all instants with it; moved returns an action as it is then. */
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

  /** The green to this destination that was withdrawn unsent. */
  owedGreen(endpoint: string): Action | undefined {
    return this.owedGreens.find((green) => green.endpoint === endpoint)
  }
}

/** The last one for each destination; an intervention has none. */
function withTold(told: readonly Told[], action: Action | null): readonly Told[] {
  const endpoint = action?.endpoint ?? null
  if (action === null || endpoint === null) return told
  return [...told.filter((one) => one.endpoint !== endpoint), { endpoint, action }]
}
