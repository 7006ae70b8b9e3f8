// deciding/health/on-lifecycle.ts: what people and restarts do to a monitor: it is disabled, removed,
// enabled, changed, or found in the store by a new process. Evidence from a check that no longer runs is
// dropped; what people were told is kept.
import { cancelQueuedIntervention, cutOff } from './episode.ts'
import type { Episode, Health, HealthRules, Instant, MonitorControl } from './health.ts'
import type { ConfigurationChangedInput, RestartedInput } from './input.ts'
import { interventionEnded } from './on-action.ts'
import { become, inEpisode, type Step, unchanged } from './step.ts'

export function onDisabled(state: Health, now: Instant): Step {
  return state.lifecycle === 'enabled' ? leave(state, 'disabled', now) : unchanged(state)
}

export function onRemoved(state: Health, now: Instant): Step {
  if (state.lifecycle === 'removed') return unchanged(state)
  return become(leave(state, 'removed', now), { snooze: null })
}

function leave(state: Health, lifecycle: 'disabled' | 'removed', now: Instant): Step {
  return become(cutOff(unchanged(state), lifecycle, now), { lifecycle, ...forgotten(state) })
}

/** Also for a removed monitor that was added again. Its health is unknown until the next check. */
export function onEnabled(state: Health): Step {
  return state.lifecycle === 'enabled' ? unchanged(state) : become(unchanged(state), { lifecycle: 'enabled' })
}

export function onConfigurationChanged(state: Health, input: ConfigurationChangedInput): Step {
  const checkChanged = input.checkRevision !== state.checkRevision
  if (!checkChanged && !input.recoveryChanged) return unchanged(state)
  const reset = checkChanged ? forgetEvidence(state, input.checkRevision) : unchanged(state)
  const released = input.recoveryChanged ? become(reset, { hold: null }) : reset
  // The evidence or the configuration behind a queued intervention is no longer valid.
  const what = checkChanged ? 'check' : 'recovery'
  const because = { kind: 'configuration_changed', what } as const
  return cancelQueuedIntervention(released, 'configuration_changed', because)
}

// The episode stays, with or without an incident: destinations that were told about it are owed a green from
// the new check. A warning also stays until the new check says otherwise.
function forgetEvidence(state: Health, checkRevision: number): Step {
  return withoutStreaks(become(unchanged(state), { checkRevision, ...forgotten(state) }))
}

export function withoutStreaks(step: Step): Step {
  return inEpisode(step, {
    failures: 0,
    healthyStreak: 0,
    verification: null,
    withheld: null,
    suppressedBy: null,
  })
}

export function forgotten(state: Health): Pick<Health, 'known' | 'lastOutcome' | 'hold'> {
  return { known: false, lastOutcome: null, hold: state.hold === null ? null : { healthy: 0 } }
}

export function onRestarted(state: Health, input: RestartedInput, rules: HealthRules, now: Instant): Step {
  const { intervention } = state
  const { interventionRuns, context } = input
  const rebased = rebase(state, rules, now)
  return intervention === null || intervention.startedAt === null || interventionRuns
    ? unchanged(rebased)
    : interventionEnded(rebased, intervention, 'unknown', context, rules, now)
}

// The wall clock may have gone back between two processes. An instant of the previous process that lies in the future
// must not stop a verification from counting or a repeat from being sent, nor make an old episode look new to later
// processes. The last failure is not changed: a changed instant would look like a failure that this process has seen.
function rebase(state: Health, rules: HealthRules, now: Instant): Health {
  const episode = state.episode === null ? null : rebaseEpisode(state.episode, rules, now)
  const { warning } = state
  const isWarningAhead = warning !== null && warning.since > now
  const control = state.control === null ? null : rebaseControl(state.control, now)
  if (episode === state.episode && !isWarningAhead && control === state.control) return state
  return { ...state, episode, control, warning: isWarningAhead ? { ...warning, since: now } : warning }
}

function rebaseControl(control: MonitorControl, now: Instant): MonitorControl {
  const { recoveriesAt } = control
  const isAhead = recoveriesAt.some((at) => at > now)
  return isAhead ? { ...control, recoveriesAt: recoveriesAt.map((at) => Math.min(at, now)) } : control
}

function rebaseEpisode(episode: Episode, rules: HealthRules, now: Instant): Episode {
  const { firstFailureAt, warnedSince, thresholdReachedAt, verification, incident } = episode
  const latestStart = now + rules.settleMs
  const isAhead =
    Math.max(firstFailureAt, warnedSince ?? now, incident?.lastRedAt ?? now) > now ||
    (verification?.countsFrom ?? now) > latestStart
  if (!isAhead) return episode
  return {
    ...episode,
    firstFailureAt: Math.min(firstFailureAt, now),
    ...(warnedSince === undefined ? {} : { warnedSince: Math.min(warnedSince, now) }),
    thresholdReachedAt: thresholdReachedAt === null ? null : Math.min(thresholdReachedAt, now),
    verification:
      verification === null
        ? null
        : { ...verification, countsFrom: Math.min(verification.countsFrom, latestStart) },
    incident:
      incident === null
        ? null
        : {
            ...incident,
            openedAt: Math.min(incident.openedAt, now),
            lastRedAt: Math.min(incident.lastRedAt, now),
          },
  }
}
