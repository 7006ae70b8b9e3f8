// deciding/health/health.ts: what must be known about one monitor between two checks. Plain data that
// survives JSON, because it is stored as it is. Whatever belongs to an episode lives inside it, so that
// ending an episode cannot leave a verification or a counter behind. What every check changes (last check,
// latency, totals) is in the columns instead; quiet.ts says when those are all that changes.

/**
 * Milliseconds of the service's own time: anchored to the wall clock once at start and advanced by the
 * monotonic clock, so that a clock step cannot move it and a stored instant is still meaningful after a restart.
 */
export type Instant = number

export type Color = 'red' | 'yellow' | 'green' | 'cyan' | 'gray'

export type LastOutcome = 'success' | 'failure' | 'timeout' | 'no_data' | 'own_fault'

export interface Health {
  readonly lifecycle: 'enabled' | 'disabled' | 'removed'
  /** Generation of the last result that was applied; 0 before the first. */
  readonly generation: number
  /** Incremented by every change of check.type or check.config. Results of another revision are ignored. */
  readonly checkRevision: number
  /** Whether any result of the current check said something about the target. */
  readonly known: boolean
  readonly lastOutcome: LastOutcome | null
  readonly episode: Episode | null
  /** Queued or started. It outlives its episode if the monitor is disabled: a started action runs to its end. */
  readonly intervention: Intervention | null
  /** Set if an intervention has an unknown outcome: no other one is started. */
  readonly hold: Hold | null
  readonly warning: Warning | null
  readonly maintenance: Maintenance | null
  readonly snooze: Snooze | null
  /** What people asked of the monitor; null if nothing was asked. */
  readonly control: MonitorControl | null
}

/** A failed check, as it is kept: with its episode, and with what it decides. */
export interface Failure {
  readonly failureClass: 'failure' | 'timeout'
  /** The words of the check, without secrets and of bounded length; absent if it gave none. */
  readonly failure?: string
  /** The external worker that carried it out; absent if the service itself did. */
  readonly from?: string
}

/** From the first failure until recovered. */
export interface Episode {
  readonly id: string
  readonly firstFailureAt: Instant
  /** A red or an intervention left by the previous process starts only after a failure in this process. */
  readonly lastFailureAt: Instant
  /** The last failed check; absent in states of versions that did not keep it. */
  readonly lastFailure?: Failure
  readonly failures: number
  readonly healthyStreak: number
  readonly thresholdReachedAt: Instant | null
  /** Something about this episode was sent, queued or started, so a green is owed. */
  readonly announced: boolean
  /** Start of the warning that this episode took over, whose green it owes; absent if there was none. */
  readonly warnedSince?: Instant
  /** Which destinations were told is no longer known, so all of them get the green. */
  readonly toldUnknown?: true
  /** An episode queues at most one intervention, whatever its outcome. */
  readonly recovery: RecoveryProgress
  /** The last recovery that was queued; absent if there was none, and in states of versions that did not keep it. */
  readonly recoveryId?: string
  readonly verification: Verification | null
  /** Why a due incident did not open; it is due again at the next failure, whatever the counter says. */
  readonly withheld: Withheld | null
  readonly suppressedBy: string | null
  readonly suppressionReported: boolean
  readonly incident: OpenIncident | null
}

export type RecoveryProgress = 'untried' | 'pending' | 'accepted' | 'rejected' | 'unknown' | 'cancelled'
export type Withheld = 'maintenance' | 'ancestor_in_trouble' | 'ancestor_not_checked'

export interface OpenIncident {
  readonly id: string
  readonly openedAt: Instant
  readonly lastRedAt: Instant
  /** A snooze came after its red: when the threshold is reached again, red is sent as for a new incident. */
  readonly retell: boolean
  /** What people did with the incident; null if nothing. */
  readonly handling: Handling | null
}

export interface Handling {
  /** Incremented by every control of the incident; 1 before the first. */
  readonly revision: number
  readonly acknowledged: { readonly by: string; readonly at: Instant } | null
  /** Nothing is sent about the incident. Checks and recovery go on. */
  readonly isDismissed: boolean
}

export interface Intervention {
  readonly actionId: string
  readonly episodeId: string
  readonly startedAt: Instant | null
}

export interface Verification {
  readonly healthy: number
  readonly needed: number
  /** Checks that started earlier count neither as healthy nor as failed. */
  readonly countsFrom: Instant
}

/**
 * Counts healthy checks in a row outside an episode. Enough of them end a hold that a re-enabled monitor came back with.
 */
export interface Hold {
  readonly healthy: number
}

export interface Warning {
  readonly text: string
  readonly since: Instant
  readonly announced: boolean
  /** As for an episode. */
  readonly toldUnknown?: true
}

export interface Maintenance {
  readonly announced: boolean
  /** What people call the window; absent if it has no name. */
  readonly name?: string
}

/** Not checked, not recovered, nothing sent. It overlays the lifecycle, which continues beneath it. */
export interface Snooze {
  /** Wall-clock milliseconds, not the service's own time: setting the clock does not move the deadline. */
  readonly untilWallMs: number
}

export interface MonitorControl {
  /** Incremented by every snooze, by its end, and by every manual recovery; 1 before the first. */
  readonly revision: number
  /** Times of the latest manual recoveries, oldest first. */
  readonly recoveriesAt: readonly Instant[]
}

/** When a monitor counts as broken and as recovered, from its configuration. */
export interface HealthRules {
  /** At least 1. */
  readonly unhealthyThreshold: number
  /** At least 1. */
  readonly healthyThreshold: number
  readonly recoveryConfigured: boolean
  /** How long checks are ignored after an accepted intervention. */
  readonly settleMs: number
  /** How often red is repeated while an incident stays open; null for never. */
  readonly repeatMs: number | null
}

export function newHealth(checkRevision: number): Health {
  return {
    lifecycle: 'enabled',
    generation: 0,
    checkRevision,
    known: false,
    lastOutcome: null,
    episode: null,
    intervention: null,
    hold: null,
    warning: null,
    maintenance: null,
    snooze: null,
    control: null,
  }
}

/** Whether the monitor is checked and may act and send. */
export function isActive({ lifecycle, snooze }: Health): boolean {
  return lifecycle === 'enabled' && snooze === null
}

/** When the snooze ends; null if the monitor is not snoozed. One that is disabled meanwhile is disabled, and not snoozed. */
export function snoozedUntilMs({ lifecycle, snooze }: Health): number | null {
  return lifecycle === 'enabled' && snooze !== null ? snooze.untilWallMs : null
}

export function isDismissed({ episode }: Health): boolean {
  return episode?.incident?.handling?.isDismissed ?? false
}

export function controlRevisionOf({ control }: Health): number {
  return control?.revision ?? 1
}

export function incidentRevisionOf({ handling }: OpenIncident): number {
  return handling?.revision ?? 1
}

/**
 * The same health after the service's clock was set: every instant moves by the step, so no duration changes.
 * Actions that are no longer known did not move with it, so the next process could not tell by their times
 * whether they belong to this health.
 */
export function movedHealth(state: Health, stepMs: number, isToldKnown: boolean): Health {
  const { episode, intervention, warning, control } = state
  const unknown = isToldKnown ? {} : ({ toldUnknown: true } as const)
  return {
    ...state,
    episode: episode === null ? null : { ...movedEpisode(episode, stepMs), ...unknown },
    control:
      control === null ? null : { ...control, recoveriesAt: control.recoveriesAt.map((at) => at + stepMs) },
    intervention: intervention === null ? null : movedIntervention(intervention, stepMs),
    warning: warning === null ? null : { ...warning, since: warning.since + stepMs, ...unknown },
  }
}

function movedEpisode(episode: Episode, stepMs: number): Episode {
  const { firstFailureAt, lastFailureAt, warnedSince, thresholdReachedAt, verification, incident } = episode
  return {
    ...episode,
    ...(warnedSince === undefined ? {} : { warnedSince: warnedSince + stepMs }),
    firstFailureAt: firstFailureAt + stepMs,
    lastFailureAt: lastFailureAt + stepMs,
    thresholdReachedAt: thresholdReachedAt === null ? null : thresholdReachedAt + stepMs,
    verification:
      verification === null ? null : { ...verification, countsFrom: verification.countsFrom + stepMs },
    incident: incident === null ? null : movedIncident(incident, stepMs),
  }
}

function movedIncident(incident: OpenIncident, stepMs: number): OpenIncident {
  const { openedAt, lastRedAt, handling } = incident
  const acknowledged = handling?.acknowledged ?? null
  return {
    ...incident,
    openedAt: openedAt + stepMs,
    lastRedAt: lastRedAt + stepMs,
    handling:
      handling === null || acknowledged === null
        ? handling
        : { ...handling, acknowledged: { ...acknowledged, at: acknowledged.at + stepMs } },
  }
}

function movedIntervention(intervention: Intervention, stepMs: number): Intervention {
  const { startedAt } = intervention
  return startedAt === null ? intervention : { ...intervention, startedAt: startedAt + stepMs }
}
