// simulation/model/ledger-model.ts: behaviour.md §4 and §7 as far as they say what is queued and cancelled:
// destinations, cooldown, supersession, and one open action per color and destination.
import type { Action, RecordedOutcome } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { Color } from '@pulseward/server/internal/notify/driver.ts'
import type { Cause, ModelAction, Range, Subject } from './monitor-state.ts'
import { destinationRemoved, either, type ModelReason, reason } from './reason.ts'
import type { Step } from './step.ts'
import { triedInVain } from './untold-model.ts'

const superseded: Readonly<Record<Color, readonly Color[]>> = {
  green: ['yellow', 'red', 'cyan'],
  red: ['yellow', 'green', 'cyan'],
  yellow: [],
  cyan: [],
  gray: [],
}

/** What a notification, or its follow-up, is about. */
type Topic = Pick<ModelAction, 'cause' | 'episode'>

/** Stands for the target of the recovery among the destinations that were told of an episode. */
export const recoveryTarget = 'the recovery target'

export function queueCodes(step: Step, color: Color, cause: Cause, because: ModelReason): void {
  const { monitor } = step
  const { episode } = monitor
  const isOfEpisode = cause === 'episode' || cause === 'repeat'
  const incident = isOfEpisode ? episode!.incident : null
  // A dismissed incident sends nothing, not even its green.
  if (incident?.isDismissed) {
    if (color === 'green') monitor.heard = []
    return
  }
  const subject: Subject = {
    cause,
    episode: isOfEpisode ? episode!.number : null,
    incident: incident?.number ?? null,
    acknowledgedBy: incident?.acknowledgedBy ?? null,
    because,
  }
  cancelSuperseded(step, superseded[color], color)
  for (const endpoint of monitor.plan.destinations[color]) {
    const why = color === 'green' ? whyGreen(step, cause, endpoint, because) : because
    if (why !== null) queueOne(step, color, endpoint, { ...subject, because: why })
  }
  if (color === 'green') monitor[cause === 'warning' ? 'heardWarning' : 'heard'] = []
}

function queueOne(step: Step, color: Color, endpoint: string, subject: Subject): void {
  const open = step.monitor.actions.find((one) => one.color === color && one.endpoint === endpoint)
  if (open?.state === 'queued') return joinQueued(step, open, subject)
  if (open?.state === 'started' && subject.cause === 'repeat' && open.incident === subject.incident) return
  if (open?.state === 'started') return replaceAction(step, open, { ...open, followUp: subject })
  queueOrFail(step, {
    kind: 'code',
    color,
    endpoint,
    ...subject,
    attempt: 1,
    notBefore: cooldownOf(step, color, endpoint),
  })
}

/**
 * Updates a queued notification with the newer content. A repeat adds nothing, and the end of a warning does
 * not replace the end of an incident.
 */
function joinQueued(step: Step, open: ModelAction, subject: Subject): void {
  if (subject.cause === 'repeat' && open.incident === subject.incident) return
  if (subject.cause === 'warning' && open.incident !== null) return
  replaceAction(step, open, { ...open, ...subject })
}

/** Notifications of a warning belong to the episode from now on, and end with it. */
export function takeOverWarning(step: Step): void {
  const { monitor } = step
  const { number: episode, process } = step.episode!
  step.inEpisode({ process: Math.min(process, monitor.warningProcess) })
  monitor.heard = [...monitor.heard, ...monitor.heardWarning]
  monitor.heardWarning = []
  const takenOver = <Told extends Topic>(told: Told) => (isOfWarning(told) ? { ...told, episode } : told)
  monitor.actions = monitor.actions.map((action) => {
    if (action.color !== 'yellow') return action
    return { ...takenOver(action), followUp: action.followUp && takenOver(action.followUp) }
  })
  if (step.episode!.incident?.isDismissed) cancelOfEpisode(step, episode, reason('dismissed'))
}

export function queueIntervention(step: Step, because: ModelReason): void {
  const episode = step.episode!.number
  step.inEpisode({ isTried: true, withheld: null, dueSince: null })
  step.monitor.intervention = { state: 'queued', episode }
  step.monitor.isByHand = because.kind === 'control'
  enqueue(step, {
    kind: 'intervention',
    color: null,
    endpoint: null,
    cause: null,
    episode,
    attempt: 1,
    incident: step.episode!.incident?.number ?? null,
    acknowledgedBy: null,
    because,
    notBefore: { from: step.around.now, to: step.around.now },
  })
}

type NewAction = Omit<
  ModelAction,
  'key' | 'process' | 'state' | 'startedAt' | 'followUp' | 'isProbe' | 'retryEndsAs' | 'retryEndsBecause'
>

/** Records an action that was superseded before it was queued. */
export function enqueueCancelled(
  step: Step,
  what: NewAction,
  outcome: RecordedOutcome,
  because: ModelReason,
): void {
  const action = newAction(step, what)
  step.expect({ type: 'action_cancelled', monitorId: step.id, action, outcome, because })
  if (action.color === 'green' && isOwedAfter(outcome))
    step.monitor.owed = [...step.monitor.owed, action.endpoint!]
}

/** The green is still true, or will be again. */
function isOwedAfter(outcome: RecordedOutcome): boolean {
  return outcome === 'superseded' || outcome === 'snoozed'
}

/** A destination that is dead or no longer in the fleet gets nothing, and that is recorded. */
export function queueOrFail(step: Step, what: NewAction): void {
  // Whatever happens to this green, it settles what was owed.
  if (what.color === 'green') step.monitor.owed = step.monitor.owed.filter((one) => one !== what.endpoint)
  if (!step.around.plan.endpoints.has(what.endpoint!))
    return enqueueCancelled(step, what, 'configuration_changed', destinationRemoved)
  if (!step.around.isDead(what.endpoint!)) return enqueue(step, what)
  expectGone(step, newAction(step, what))
}

export function failAsGone(step: Step, endpoint: string): void {
  for (const action of step.monitor.actions) {
    if (action.endpoint !== endpoint) continue
    if (action.state === 'started') replaceAction(step, action, { ...action, followUp: null })
    else {
      dropAction(step, action)
      expectGone(step, action)
    }
  }
}

function expectGone(step: Step, action: ModelAction): void {
  const because = reason('destination_dead')
  step.expect({ type: 'action_failed', monitorId: step.id, action, outcome: 'gone', because })
}

export function enqueue(step: Step, what: NewAction): void {
  const action = newAction(step, what)
  step.monitor.actions = [...step.monitor.actions, action]
  step.expect({ type: 'action_queued', monitorId: step.id, action })
}

function newAction(step: Step, what: NewAction): ModelAction {
  const fresh = {
    state: 'queued',
    startedAt: null,
    followUp: null,
    isProbe: false,
    retryEndsAs: null,
    retryEndsBecause: null,
  } as const
  return { key: step.around.nextNumber(), process: step.around.process, ...what, ...fresh }
}

/** About a warning that no episode has taken over. */
function isOfWarning({ cause, episode }: Topic): boolean {
  return cause === 'warning' && episode === null
}

/** newer: the color that is sent instead; null if nothing is yet. */
export function cancelSuperseded(step: Step, colors: readonly Color[], newer: Color | null): void {
  const { warning } = step.monitor
  const because = newer === null ? reason('new_episode') : reason('superseded', { color: newer })
  withdraw(step, 'superseded', because, (told) => {
    if (told.color === null || !colors.includes(told.color)) return false
    // The end of an episode says nothing about a warning that is still active.
    if (newer === 'green' && told.color === 'yellow' && isOfWarning(told) && warning !== null) return false
    // Nor does a warning say anything about the end of an episode.
    return newer !== 'yellow' || told.cause === 'warning'
  })
}

/** An action in flight continues and is not retried. Its follow-up is decided on its own. */
function withdraw(
  step: Step,
  outcome: RecordedOutcome,
  because: ModelReason,
  isPointless: (told: Topic & Pick<ModelAction, 'color' | 'page'>) => boolean,
): void {
  for (const action of step.monitor.actions) {
    const { kind, color, state, followUp } = action
    if (kind !== 'code') continue
    const isOver = isPointless(action)
    const isNews = isOver && state === 'started' && action.retryEndsAs !== outcome
    const left = isNews ? { ...action, retryEndsAs: outcome, retryEndsBecause: because } : action
    if (isOver && state === 'queued') {
      cancel(step, action, outcome, because)
      if (color === 'green' && isOwedAfter(outcome))
        step.monitor.owed = [...step.monitor.owed, action.endpoint!]
    } else replaceAction(step, action, left)
    if (followUp !== null && isPointless({ ...followUp, color })) dropFollowUp(step, left, outcome, because)
  }
}

function dropFollowUp(step: Step, action: ModelAction, outcome: RecordedOutcome, because: ModelReason): void {
  const { kind, color, endpoint, followUp } = action
  replaceAction(step, action, { ...action, followUp: null })
  const { now } = step.around
  enqueueCancelled(
    step,
    { kind, color, endpoint, ...followUp!, attempt: 1, notBefore: { from: now, to: now } },
    outcome,
    because,
  )
}

export function cancelInterventions(step: Step, outcome: RecordedOutcome, because: ModelReason): void {
  for (const action of step.monitor.actions) {
    if (action.kind !== 'intervention' || action.state !== 'queued') continue
    step.monitor.intervention = null
    cancel(step, action, outcome, because)
  }
}

/** Cancels queued notifications for destinations that are no longer in the fleet. */
export function cancelUnwanted(step: Step): void {
  const { endpoints } = step.around.plan
  for (const action of step.monitor.actions) {
    if (action.endpoint === null || endpoints.has(action.endpoint)) continue
    if (action.state === 'queued') cancel(step, action, 'configuration_changed', destinationRemoved)
  }
}

export function cancelAll(
  step: Step,
  outcome: 'disabled' | 'removed' | 'snoozed',
  because: ModelReason,
): void {
  cancelInterventions(step, outcome, because)
  withdraw(step, outcome, because, () => true)
}

/** Cancels its notifications; a started one continues, and nothing of the episode follows it. */
export function cancelOfEpisode(step: Step, episode: number, because: ModelReason): void {
  withdraw(step, 'dismissed', because, (told) => told.episode === episode)
}

/** Its end is still told. */
export function withdrawPage(step: Step, page: string, because: ModelReason): void {
  withdraw(step, 'superseded', because, (told) => told.page?.page === page && told.page.stage !== 'ended')
}

export function cancel(
  step: Step,
  action: ModelAction,
  outcome: RecordedOutcome,
  because: ModelReason,
): void {
  dropAction(step, action)
  triedInVain(step, action, step.around.now)
  step.expect({ type: 'action_cancelled', monitorId: step.id, action, outcome, because })
}

export function dropAction(step: Step, action: ModelAction): void {
  step.monitor.actions = step.monitor.actions.filter((one) => one !== action)
}

export function replaceAction(step: Step, action: ModelAction, next: ModelAction): void {
  step.monitor.actions = step.monitor.actions.map((one) => (one === action ? next : one))
}

/** Within the cooldown after the last notification that was delivered, or may have been, the next one waits. */
export function cooldownOf(step: Step, color: Color, endpoint: string): Range {
  const { now, cooldownMs, process, processStartedAt } = step.around
  const last = step.monitor.arrivals[arrivalKey(color, endpoint)]
  if (color === 'green' || last === undefined) return { from: now, to: now }
  // A time that an earlier process recorded with a clock that was ahead counts as the start of this process.
  if (last.process !== process && last.isMoved)
    return { from: now, to: Math.max(now, Math.max(last.to, processStartedAt) + cooldownMs) }
  // After a restart the service may use the latest recorded time, which is not the last one if a clock was set back.
  const atMost = last.process === process ? last.to : Math.max(last.to, processStartedAt)
  return { from: Math.max(now, last.from + cooldownMs), to: Math.max(now, atMost + cooldownMs) }
}

export function arrivalKey(color: Color, endpoint: string): string {
  return `${color} ${endpoint}`
}

/**
 * A destination that was notified of something is notified of its end; a green that was superseded before it
 * was sent is still owed. A destination with green alone is notified of the end of whatever another
 * destination was notified of. Null if it is not notified.
 */
function whyGreen(
  { id, monitor, around }: Step,
  cause: Cause,
  endpoint: string,
  because: ModelReason,
): ModelReason | null {
  const { yellow, red, cyan } = monitor.plan.destinations
  const heard = cause === 'warning' ? monitor.heardWarning : monitor.heard
  const others = [...yellow, ...red, ...cyan]
  const isForGreenAlone = !others.includes(endpoint)
  const beganIn = cause === 'warning' ? monitor.warningProcess : monitor.episode!.process
  const isOurs = beganIn === around.process
  const told = heard.filter((one) => isOurs || one !== recoveryTarget)
  const wasTold = isForGreenAlone ? told.length > 0 : told.includes(endpoint)
  const isOwed = wasTold || monitor.owed.includes(endpoint)
  const why = wasTold ? because : reason('owed_green')
  if (isOwed && isOurs && !around.isDead(endpoint)) return why
  if (isOwed && !around.isDead(endpoint)) return either(because, reason('owed_green'))
  // After a restart it is known only for a while who was notified; then every destination gets the green.
  const isSent =
    around.shows(id, { color: 'green', endpoint }) ||
    around.writes(id, (action) => action.endpoint === endpoint && isGreenToCome(action, cause))
  return (isOwed || !isOurs) && isSent ? either(because, reason('owed_green')) : null
}

/** While a green is in flight, the next one is kept as its follow-up. */
function isGreenToCome({ color, state, cause, followUp }: Action, wanted: Cause): boolean {
  const next = state === 'queued' ? cause : followUp?.cause
  return color === 'green' && next === wanted
}
