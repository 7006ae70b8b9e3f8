// deciding/health/on-control.ts: what people ask of a monitor and of its open incident. A control that is not
// possible in a state changes nothing; control-rules.ts says why. Every control that changes something emits
// an event with its actor and increments the revision of its subject.
import type { ControlBecause, ControlVerb } from './because.ts'
import { recoverableFrom, recoveriesPerHour, whyNotRecoverable } from './control-rules.ts'
import { queueIntervention, withoutQueuedIntervention } from './episode.ts'
import {
  controlRevisionOf,
  type Handling,
  type Health,
  type HealthRules,
  type Instant,
  incidentRevisionOf,
  type MonitorControl,
} from './health.ts'
import type { Asked, IncidentHandledInput, RecoveryRequestedInput, SnoozedInput } from './input.ts'
import { forgotten, withoutStreaks } from './on-lifecycle.ts'
import { become, type ControlEvent, inEpisode, order, record, type Step, unchanged } from './step.ts'

/** Snoozing a snoozed monitor replaces the deadline. */
export function onSnoozed(state: Health, { untilWallMs, asked }: SnoozedInput, now: Instant): Step {
  if (state.lifecycle === 'removed') return unchanged(state)
  const because: ControlBecause = { ...askedFor('snooze', asked), until: untilWallMs }
  const silent = state.snooze === null ? fallSilent(state, because) : unchanged(state)
  const control = controlled(state)
  const { revision } = control
  return record(become(silent, { snooze: { untilWallMs }, control }), {
    type: 'control_snoozed',
    at: now,
    revision,
    asked,
    incidentId: openIncidentId(state),
    untilWallMs,
    because,
  })
}

export function onUnsnoozed(state: Health, asked: Asked, now: Instant): Step {
  const because = askedFor('unsnooze', asked)
  const incidentId = openIncidentId(state)
  return wakeUp(state, (revision) => ({
    type: 'control_unsnoozed',
    at: now,
    revision,
    asked,
    incidentId,
    because,
  }))
}

export function onSnoozeExpired(state: Health, now: Instant): Step {
  const incidentId = openIncidentId(state)
  return wakeUp(state, (revision, until) => {
    const because = { kind: 'snooze_expired', until } as const
    return { type: 'snooze_expired', at: now, revision, incidentId, because }
  })
}

function openIncidentId({ episode }: Health): string | null {
  return episode?.incident?.id ?? null
}

export function onIncidentHandled(
  state: Health,
  { kind, incidentId, asked }: IncidentHandledInput,
  now: Instant,
): Step {
  const { episode } = state
  const incident = episode?.incident ?? null
  if (episode === null || incident === null || incident.id !== incidentId) return unchanged(state)
  const before = incident.handling ?? { revision: 1, acknowledged: null, isDismissed: false }
  const change = changeOf(kind, before, asked, now)
  if (change === null) return unchanged(state)
  const revision = incidentRevisionOf(incident) + 1
  const handling = { ...before, ...change, revision }
  const handled = inEpisode(unchanged(state), { incident: { ...incident, handling } })
  const because = askedFor(verbs[kind], asked)
  const told = record(handled, { type: `control_${kind}`, at: now, revision, asked, incidentId, because })
  if (kind === 'acknowledged') return told
  return kind === 'dismissed'
    ? order(told, { kind: 'incident-dismissed', incidentId, episodeId: episode.id, because })
    : order(told, { kind: 'incident-reopened', incidentId })
}

export function onRecoveryRequested(
  state: Health,
  { asked, context }: RecoveryRequestedInput,
  rules: HealthRules,
  now: Instant,
): Step {
  const { episode } = state
  if (episode === null || whyNotRecoverable(state, rules) !== null || recoverableFrom(state) > now)
    return unchanged(state)
  const { revision, recoveriesAt } = controlled(state)
  const control = { revision, recoveriesAt: [...recoveriesAt, now].slice(-recoveriesPerHour) }
  const because = askedFor('recover', asked)
  const queued = queueIntervention(become(unchanged(state), { control }), episode, context, because)
  return record(queued, {
    type: 'control_recover_requested',
    at: now,
    revision,
    asked,
    incidentId: episode.incident?.id ?? null,
    actionId: context.ids.intervention,
    because,
  })
}

const verbs = { acknowledged: 'acknowledge', dismissed: 'dismiss', reopened: 'reopen' } as const

function askedFor(verb: ControlVerb, { actor }: Asked): ControlBecause {
  return { kind: 'control', verb, actor }
}

/** Null if the control has no effect on an incident that was handled like this. */
function changeOf(
  kind: IncidentHandledInput['kind'],
  { isDismissed }: Handling,
  { actor }: Asked,
  now: Instant,
): Partial<Handling> | null {
  if (kind === 'acknowledged') return { acknowledged: { by: actor, at: now } }
  const dismisses = kind === 'dismissed'
  return dismisses === isDismissed ? null : { isDismissed: dismisses }
}

// Results from before the snooze say nothing about the time after it. The episode stays: destinations that
// were told about it are owed its end, and an open incident stays open.
function fallSilent(state: Health, because: ControlBecause): Step {
  const forgetful = withoutStreaks(become(unchanged(state), forgotten(state)))
  const incident = state.episode?.incident ?? null
  const silent =
    incident === null ? forgetful : inEpisode(forgetful, { incident: { ...incident, retell: true } })
  const effect = { kind: 'cancel-queued-actions', outcome: 'snoozed', because } as const
  return order(withoutQueuedIntervention(silent), effect)
}

function wakeUp(state: Health, eventOf: (revision: number, untilWallMs: number) => ControlEvent): Step {
  if (state.snooze === null) return unchanged(state)
  const control = controlled(state)
  return record(
    become(unchanged(state), { snooze: null, control }),
    eventOf(control.revision, state.snooze.untilWallMs),
  )
}

function controlled(state: Health): MonitorControl {
  return { revision: controlRevisionOf(state) + 1, recoveriesAt: state.control?.recoveriesAt ?? [] }
}
