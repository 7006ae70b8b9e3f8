// deciding/health/laws.fixture.ts: what must hold for every step of the state machine, whatever led to it. The laws are
// written from the required behaviour and not from the code. transition.test.ts checks them in every reachable state,
// properties.test.ts in long random lives. A broken law is reported by its sentence.
import { isDeepStrictEqual } from 'node:util'
import type { Health, HealthRules } from './health.ts'
import type { HealthContext, HealthInput, ResultInput } from './input.ts'
import { statuses, statusOf, statusReason } from './status.ts'
import type { Notify, Step } from './step.ts'

export interface Move {
  readonly before: Health
  readonly input: HealthInput
  readonly rules: HealthRules
  readonly step: Step
}

export function brokenLaws(move: Move): string[] {
  return Object.entries(laws)
    .filter(([, holds]) => !holds(move))
    .map(([law]) => law)
}

const laws: Record<string, (move: Move) => boolean> = {
  'the status is one of seven and its reason begins with it': ({ step, rules }) => {
    const status = statusOf(step.state)
    const reason = statusReason(step.state, rules)
    return statuses.includes(status) && (reason === null ? status === 'up' : reason.startsWith(`${status}: `))
  },

  'the state survives JSON': ({ step }) =>
    isDeepStrictEqual(JSON.parse(JSON.stringify(step.state)), step.state),

  'an outdated result changes nothing': ({ before, input, step }) =>
    input.kind !== 'result' || isNews(before, input) || isNothing(before, step),

  'no_data and own fault touch nothing but the last outcome': ({ before, input, step }) => {
    if (input.kind !== 'result' || !saysNothing(input) || !isNews(before, input)) return true
    const { generation, lastOutcome } = step.state
    return isDeepStrictEqual(step.state, { ...before, generation, lastOutcome }) && isSilent(step)
  },

  'a check that settles touches nothing but the last outcome': ({ before, input, step }) => {
    if (input.kind !== 'result' || !isNews(before, input) || !isSettling(before, input)) return true
    const { generation, lastOutcome, known } = step.state
    return isDeepStrictEqual(step.state, { ...before, generation, lastOutcome, known }) && isSilent(step)
  },

  'a failure that counts raises the counter, breaks streak and verification, and clears the warning': (
    move,
  ) => {
    if (!isCounting(move) || move.input.status === 'success') return true
    const { episode, warning } = move.step.state
    const failures = (move.before.episode?.failures ?? 0) + 1
    return (
      episode?.failures === failures &&
      episode.healthyStreak === 0 &&
      episode.verification === null &&
      warning === null
    )
  },

  'a success that counts sets the counter to 0': (move) =>
    !isCounting(move) || move.input.status !== 'success' || (move.step.state.episode?.failures ?? 0) === 0,

  'yellow of an episode is sent at its first failure only, unless it is suppressed': ({
    before,
    input,
    step,
  }) => {
    const begins = before.episode === null && step.state.episode !== null
    const expected = begins && !isInTrouble(input) ? 1 : 0
    return notifications(step, 'yellow', 'episode').length === expected
  },

  'an opened event, a new incident and a red belong together': ({ before, step }) => {
    const opens = incidentOf(before) === null && incidentOf(step.state) !== null
    const expected = opens ? 1 : 0
    return (
      eventsOf(step, 'incident_opened') === expected &&
      notifications(step, 'red', 'episode').length === expected
    )
  },

  'a closed event and the end of an incident belong together': ({ before, step }) => {
    const closes = incidentOf(before) !== null && incidentOf(step.state) !== incidentOf(before)
    return eventsOf(step, 'incident_closed') === (closes ? 1 : 0)
  },

  'nothing opens or recovers in maintenance, while an ancestor is in trouble, or while one is awaited': (
    move,
  ) => {
    const { before, input, step } = move
    const { ancestors } = contextOf(input) ?? { ancestors: { kind: 'clear' } }
    if (before.maintenance === null && ancestors.kind === 'clear') return true
    return eventsOf(step, 'incident_opened') === 0 && ordered(step, 'queue-intervention') === 0
  },

  'at the threshold something happens or is withheld': (move) => {
    if (!isCounting(move) || move.input.status === 'success') return true
    const { episode, intervention } = move.step.state
    if (episode === null || episode.failures < move.rules.unhealthyThreshold) return true
    return episode.incident !== null || intervention !== null || episode.withheld !== null
  },

  'an intervention is queued only where one may be': ({ before, rules, step }) => {
    if (ordered(step, 'queue-intervention') === 0) return true
    const wasUntried = (before.episode?.recovery ?? 'untried') === 'untried'
    return rules.recoveryConfigured && wasUntried && before.intervention === null && before.hold === null
  },

  'an episode ends by a success, an answer, or because the monitor is not enabled': ({
    before,
    input,
    step,
  }) => {
    if (before.episode === null || step.state.episode !== null) return true
    const causes = ['result', 'action-ended', 'restarted', 'disabled', 'removed']
    return causes.includes(input.kind) && (input.kind !== 'result' || input.status === 'success')
  },

  'green closes an episode that was announced, or a warning that was': ({ before, step }) => {
    const owed = (before.episode?.announced ?? false) || (before.warning?.announced ?? false)
    const closing = notifications(step, 'green', 'episode').length
    const ends = before.episode !== null && step.state.episode === null && step.state.lifecycle === 'enabled'
    const ofWarning = notifications(step, 'green', 'warning').length
    return (
      closing <= (ends && owed ? 1 : 0) &&
      closing >= (ends && before.episode.announced ? 1 : 0) &&
      ofWarning <= (before.warning?.announced && before.episode === null ? 1 : 0)
    )
  },

  'a started intervention ends by its answer or a restart only': ({ before, input, step }) => {
    if (before.intervention === null || before.intervention.startedAt === null) return true
    return step.state.intervention !== null || input.kind === 'action-ended' || input.kind === 'restarted'
  },

  'a queued intervention leaves with an order to cancel it, a start, or an answer': ({
    before,
    input,
    step,
  }) => {
    if (before.intervention?.startedAt !== null || step.state.intervention !== null) return true
    const cancels = ordered(step, 'cancel-interventions') + ordered(step, 'cancel-queued-actions')
    return cancels === 1 || input.kind === 'action-ended'
  },

  'a verification belongs to an accepted intervention, and cyan to its beginning': ({ before, step }) => {
    const verification = step.state.episode?.verification ?? null
    const begins = verification !== null && (before.episode?.verification ?? null) === null
    const isAccepted = verification === null || step.state.episode?.recovery === 'accepted'
    return isAccepted && notifications(step, 'cyan', 'episode').length <= (begins ? 1 : 0)
  },

  'a monitor that is not enabled has no episode and no warning, and sends nothing': ({ step }) =>
    step.state.lifecycle === 'enabled' ||
    (step.state.episode === null && step.state.warning === null && ordered(step, 'notify') === 0),

  'suppression is reported at most once an episode, and not of an open incident': ({ before, step }) => {
    const mayReport = !before.episode?.suppressionReported && incidentOf(before) === null
    return eventsOf(step, 'incident_suppressed') <= (mayReport ? 1 : 0)
  },
}

function isCounting(move: Move): move is Move & { input: ResultInput } {
  const { before, input } = move
  return input.kind === 'result' && isNews(before, input) && !saysNothing(input) && !isSettling(before, input)
}

function isNews(state: Health, input: ResultInput): boolean {
  const isCurrent = input.generation > state.generation && input.checkRevision === state.checkRevision
  return isCurrent && state.lifecycle === 'enabled'
}

function saysNothing(input: ResultInput): boolean {
  return input.ownFault || input.status === 'no_data'
}

function isSettling(state: Health, input: ResultInput): boolean {
  return input.startedAt < (state.episode?.verification?.countsFrom ?? Number.NEGATIVE_INFINITY)
}

function contextOf(input: HealthInput): HealthContext | null {
  return 'context' in input ? input.context : null
}

function isInTrouble(input: HealthInput): boolean {
  return contextOf(input)?.ancestors.kind === 'in-trouble'
}

function isNothing(before: Health, step: Step): boolean {
  return step.state === before && isSilent(step)
}

function isSilent(step: Step): boolean {
  return step.events.length === 0 && step.effects.length === 0
}

function incidentOf(state: Health): string | null {
  return state.episode?.incident?.id ?? null
}

function eventsOf(step: Step, type: string): number {
  return step.events.filter((event) => event.type === type).length
}

function ordered(step: Step, kind: string): number {
  return step.effects.filter((effect) => effect.kind === kind).length
}

function notifications(step: Step, color: Notify['color'], cause: Notify['cause']): Notify[] {
  return step.effects.filter(
    (effect): effect is Notify =>
      effect.kind === 'notify' && effect.color === color && effect.cause === cause,
  )
}
