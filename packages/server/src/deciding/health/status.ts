// deciding/health/status.ts: how a state is shown: one of seven words, by precedence, and a reason in plain words.
import {
  type Episode,
  type Health,
  type HealthRules,
  isActive,
  snoozedUntilMs,
  type Verification,
} from './health.ts'

/** In order of precedence. */
export const statuses = ['disabled', 'verifying', 'incident', 'down', 'unknown', 'degraded', 'up'] as const
export type Status = (typeof statuses)[number]

export function statusOf(state: Health): Status {
  const { episode } = state
  if (!isActive(state)) return 'disabled'
  if (episode !== null && episode.verification !== null) return 'verifying'
  if (episode !== null && episode.incident !== null) return 'incident'
  if (episode !== null && episode.failures > 0) return 'down'
  if (!state.known || state.lastOutcome === 'own_fault') return 'unknown'
  return state.warning === null ? 'up' : 'degraded'
}

export function consecutiveFailures(state: Health): number {
  return state.episode?.failures ?? 0
}

/** Null when there is nothing to add to the status. */
export function statusReason(state: Health, rules: HealthRules): string | null {
  const status = statusOf(state)
  const words = wordsFor(state, rules, status)
  return words === null ? null : `${status}: ${words}`
}

function wordsFor(state: Health, rules: HealthRules, status: Status): string | null {
  const { episode } = state
  switch (status) {
    case 'disabled':
      return disabledWords(state)
    case 'verifying':
      return verifyingWords(episode?.verification ?? null)
    case 'incident':
      return episode && incidentWords(state, episode, rules)
    case 'down':
      return episode && downWords(state, episode, rules)
    case 'unknown':
      return state.lastOutcome === 'own_fault'
        ? 'the last check was spoiled by our own fault and says nothing about the target'
        : 'no check has said anything yet'
    case 'degraded':
      return state.warning?.text ?? null
    case 'up':
      return episode === null ? null : recoveringWords(state, episode, rules)
  }
}

function disabledWords(state: Health): string {
  const untilMs = snoozedUntilMs(state)
  return untilMs === null ? 'not checked' : `snoozed until ${new Date(untilMs).toISOString()}`
}

function verifyingWords(verification: Verification | null): string | null {
  if (verification === null) return null
  return `${verification.healthy} of ${verification.needed} healthy checks after the recovery action`
}

function incidentWords(state: Health, episode: Episode, rules: HealthRules): string {
  const evidence =
    episode.failures > 0 ? inARow(episode.failures) : `${healthySoFar(episode, rules)} needed to close it`
  const recovery = recoveryWords(state, episode)
  return recovery === null ? evidence : `${evidence}; ${recovery}`
}

function downWords(state: Health, episode: Episode, rules: HealthRules): string {
  const recovery = recoveryWords(state, episode)
  if (episode.suppressedBy !== null)
    return `${inARow(episode.failures)}; suppressed by ${episode.suppressedBy}`
  if (episode.withheld === 'maintenance') {
    const until = state.maintenance === null ? 'an incident opens at the next failure' : 'in maintenance'
    return `${inARow(episode.failures)}; ${until}`
  }
  if (episode.withheld === 'ancestor_not_checked') {
    return `${inARow(episode.failures)}; waiting for the next check of what it depends on`
  }
  if (recovery !== null) return `${inARow(episode.failures)}; ${recovery}`
  return `${episode.failures} of ${rules.unhealthyThreshold} failures`
}

function recoveringWords(state: Health, episode: Episode, rules: HealthRules): string {
  const recovery = recoveryWords(state, episode)
  const streak = `${healthySoFar(episode, rules)} needed to count as recovered`
  return recovery === null ? streak : `${streak}; ${recovery}`
}

function recoveryWords(state: Health, episode: Episode): string | null {
  if (state.intervention !== null) {
    return state.intervention.startedAt === null
      ? 'a recovery action is queued'
      : 'a recovery action is running'
  }
  switch (episode.recovery) {
    case 'rejected':
      return 'the recovery action was rejected'
    case 'unknown':
      return 'the outcome of the recovery action is unknown'
    case 'cancelled':
      return 'the recovery action was cancelled'
    case 'accepted':
      return 'the recovery action did not help'
    default:
      return state.hold === null ? null : 'recovery is held: the outcome of an earlier action is unknown'
  }
}

function inARow(failures: number): string {
  return failures === 1 ? '1 failure' : `${failures} failures in a row`
}

function healthySoFar(episode: Episode, rules: HealthRules): string {
  return `${episode.healthyStreak} of ${rules.healthyThreshold} healthy checks`
}
