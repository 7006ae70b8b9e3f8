// deciding/health/health.ts: everything that must be known about one monitor between two checks. Plain data, JSON in and
// out, so that it can be a row. What belongs to an episode lives inside it, so that ending one cannot leave a
// verification or a counter behind. What every check changes (last check, latency, totals) is not here: those are
// columns (quiet.ts says when they are all that changes).

/**
 * Milliseconds of the service's own time: anchored to the wall clock once at start and moved by the monotonic
 * clock, so that a clock step cannot move it and a stored one still means something after a restart.
 */
export type Instant = number

export type LastOutcome = 'success' | 'failure' | 'timeout' | 'no_data' | 'own_fault'

export interface Health {
  readonly lifecycle: 'enabled' | 'disabled' | 'removed'
  /** Of the last result that was applied; 0 before the first. */
  readonly generation: number
  /** Rises with every change of check.type or check.config; results of another revision are ignored. */
  readonly checkRevision: number
  /** Whether any result of the present check said something about the target. */
  readonly known: boolean
  readonly lastOutcome: LastOutcome | null
  readonly episode: Episode | null
  /** Queued or started. Outlives its episode when the monitor is disabled: a started action runs to its end. */
  readonly intervention: Intervention | null
  /** An intervention whose outcome is unknown forbids further ones. */
  readonly hold: Hold | null
  readonly warning: Warning | null
  readonly maintenance: Maintenance | null
}

/** From the first failure to recovered. */
export interface Episode {
  readonly id: string
  readonly firstFailureAt: Instant
  /** Compared with the start of the run before a red or an intervention of an earlier run may start. */
  readonly lastFailureAt: Instant
  readonly failures: number
  readonly healthyStreak: number
  readonly thresholdReachedAt: Instant | null
  /** Something of this episode was sent, queued or started, so somebody is owed a green. */
  readonly announced: boolean
  /** Since when a warning was there that it took over and owes the green of; absent where there was none. */
  readonly warnedSince?: Instant
  /** At most one intervention is queued in an episode, whatever becomes of it. */
  readonly recovery: RecoveryProgress
  readonly verification: Verification | null
  /** Why an incident that was due did not open; it is due again at the next failure, whatever the counter says. */
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
}

export interface Intervention {
  readonly actionId: string
  readonly episodeId: string
  readonly startedAt: Instant | null
}

export interface Verification {
  readonly healthy: number
  readonly needed: number
  /** Checks that started earlier neither count nor fail. */
  readonly countsFrom: Instant
}

/** Healthy checks in a row outside an episode: they end a hold that a disabled monitor brought with it. */
export interface Hold {
  readonly healthy: number
}

export interface Warning {
  readonly text: string
  readonly since: Instant
  readonly announced: boolean
}

export interface Maintenance {
  readonly announced: boolean
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
  }
}
