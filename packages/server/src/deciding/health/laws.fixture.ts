// deciding/health/laws.fixture.ts: what must hold for every step of the state machine, whatever led to it.
// The laws are written from the required behaviour, not from the code. transition.test.ts checks them in
// every reachable state, properties.test.ts in long random lives. A broken law is reported by its sentence.
import { isDeepStrictEqual } from 'node:util'
import { controlRevisionOf, type Health, type HealthRules } from './health.ts'
import type { HealthContext, HealthInput, ResultInput } from './input.ts'
import { statuses, statusOf, statusReason } from './status.ts'
import type { ControlEvent, Notify, Step } from './step.ts'

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

/**
 * Whether `JSON.parse(JSON.stringify(value))` deeply equals the value. Actually doing that would take most of
 * the test time.
 */
export function survivesJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  if (Array.isArray(value)) return Array.from(value).every(survivesJson)
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.getOwnPropertySymbols(value).length === 0 && Object.values(value).every(survivesJson)
}

const laws: Record<string, (move: Move) => boolean> = {
  'the status is one of seven and its reason begins with it': ({ step, rules }) => {
    const status = statusOf(step.state)
    const reason = statusReason(step.state, rules)
    return statuses.includes(status) && (reason === null ? status === 'up' : reason.startsWith(`${status}: `))
  },

  // A state that did not change was tested when it was new.
  'the state survives JSON': ({ before, step }) => step.state === before || survivesJson(step.state),

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
    const retells = isRetold(before) && incidentOf(step.state) !== null && !isRetold(step.state)
    return (
      eventsOf(step, 'incident_opened') === (opens ? 1 : 0) &&
      notifications(step, 'red', 'episode').length === (opens || retells ? 1 : 0)
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
    // The ledger holds back a requested recovery while an ancestor is in trouble.
    if (input.kind === 'recovery-requested' && before.maintenance === null) return true
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

  'an intervention is queued only where one may be': ({ before, input, rules, step }) => {
    if (ordered(step, 'queue-intervention') === 0) return true
    const isAskedFor = input.kind === 'recovery-requested'
    const wasUntried = isAskedFor || (before.episode?.recovery ?? 'untried') === 'untried'
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
    const isClosed = before.episode !== null && step.state.episode === null
    const ends = isClosed && step.state.lifecycle === 'enabled' && !wasDismissed(before)
    const ofWarning = notifications(step, 'green', 'warning').length
    return (
      closing <= (ends && owed ? 1 : 0) &&
      closing >= (ends && before.episode?.announced ? 1 : 0) &&
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

  'a snoozed monitor sends and starts nothing, counts nothing and keeps its incident': (move) => {
    const { before, input, step } = move
    if (step.state.snooze === null) return true
    const { episode } = step.state
    const streaks = (episode?.failures ?? 0) + (episode?.healthyStreak ?? 0)
    const stays = incidentOf(step.state) === incidentOf(before) || input.kind === 'disabled'
    const isStill = ordered(step, 'notify') + ordered(step, 'queue-intervention') === 0
    const isNothingQueued = step.state.intervention?.startedAt !== null
    return isStill && isNothingQueued && streaks === 0 && (episode?.verification ?? null) === null && stays
  },

  'the beginning of a snooze cancels what is queued, and its red is due again': ({ before, step }) => {
    const begins = before.snooze === null && step.state.snooze !== null
    const { episode } = step.state
    const cancels = step.effects.filter(
      (effect) => effect.kind === 'cancel-queued-actions' && effect.outcome === 'snoozed',
    ).length
    return cancels === (begins ? 1 : 0) && (!begins || episode === null || episode.incident?.retell !== false)
  },

  'a snooze begins and ends by somebody, by its deadline or with the monitor': ({ before, input, step }) => {
    if ((before.snooze === null) === (step.state.snooze === null)) return true
    const causes = step.state.snooze === null ? ['unsnoozed', 'snooze-expired', 'removed'] : ['snoozed']
    return causes.includes(input.kind)
  },

  'a dismissed incident sends nothing': ({ before, step }) =>
    !(wasDismissed(before) && wasDismissed(step.state)) ||
    step.effects.every((effect) => effect.kind !== 'notify' || effect.episodeId === null),

  'a control leaves an event and a new revision, or nothing at all': ({ before, input, step }) => {
    const type = controlEvents[input.kind]
    if (type === undefined) return !step.events.some((event) => event.type in revisionsBy)
    if (step.state === before) return isSilent(step)
    const ofIncident = incidentControls.includes(type)
    const rises = ofIncident
      ? incidentRevision(step.state) === incidentRevision(before) + 1 && step.state.control === before.control
      : controlRevisionOf(step.state) === controlRevisionOf(before) + 1
    return eventsOf(step, type) === 1 && step.events.length === 1 && rises
  },

  'by hand a recovery is asked for once a minute at most': ({ before, input, step }) => {
    if (input.kind !== 'recovery-requested' || step.state === before) return true
    const asked = step.state.control?.recoveriesAt ?? []
    const [last, previous] = [asked.at(-1) ?? 0, asked.at(-2) ?? Number.NEGATIVE_INFINITY]
    const isUnhealthy = ['down', 'incident'].includes(statusOf(before))
    return last - previous >= 60_000 && isUnhealthy && before.maintenance === null
  },

  'suppression is reported at most once an episode, and not of an open incident': ({ before, step }) => {
    const mayReport = !before.episode?.suppressionReported && incidentOf(before) === null
    return eventsOf(step, 'incident_suppressed') <= (mayReport ? 1 : 0)
  },
}

const controlEvents: Readonly<Partial<Record<HealthInput['kind'], ControlEvent['type']>>> = {
  snoozed: 'control_snoozed',
  unsnoozed: 'control_unsnoozed',
  'snooze-expired': 'snooze_expired',
  acknowledged: 'control_acknowledged',
  dismissed: 'control_dismissed',
  reopened: 'control_reopened',
  'recovery-requested': 'control_recover_requested',
}
const incidentControls: readonly string[] = ['control_acknowledged', 'control_dismissed', 'control_reopened']
const revisionsBy = Object.fromEntries(Object.values(controlEvents).map((type) => [type, true]))

function isRetold({ episode }: Health): boolean {
  return episode?.incident?.retell ?? false
}

function wasDismissed({ episode }: Health): boolean {
  return episode?.incident?.handling?.isDismissed ?? false
}

function incidentRevision({ episode }: Health): number {
  return episode?.incident?.handling?.revision ?? 1
}

function isCounting(move: Move): move is Move & { input: ResultInput } {
  const { before, input } = move
  return input.kind === 'result' && isNews(before, input) && !saysNothing(input) && !isSettling(before, input)
}

function isNews(state: Health, input: ResultInput): boolean {
  const isCurrent = input.generation > state.generation && input.checkRevision === state.checkRevision
  return isCurrent && state.lifecycle === 'enabled' && state.snooze === null
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
