// projection/action-view.ts: the actions of a monitor as v1 shows them, and in words why a monitor that fails
// beyond its threshold has none. The reason is computed on request, from the current state and never from
// stored notes: an outdated reason must never be shown.
import type { ActionEntry, NextActionEntry } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import type { WaitReason } from '../deciding/actions/action-queues.ts'
import { type Health, isActive } from '../deciding/health/health.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import { timestamp } from '../platform/wire.ts'
import { becauseV1, delayV1 } from './because-view.ts'

type Shown = Omit<ActionEntry, 'outcome'> & Pick<NextActionEntry, 'outcome'>

/** waitingFor is called only for queued actions. Outcomes of controls occur only in the edition that has controls. */
export function actionView(action: Action, waitingFor: (actionId: string) => WaitReason | null): Shown {
  const { id, revision, kind, color, endpoint, attempt, state, outcome, reason } = action
  return {
    id,
    revision,
    kind,
    color,
    endpoint,
    attempt,
    state,
    not_before: timestamp(action.notBefore),
    started_at: timestamp(action.startedAt),
    finished_at: timestamp(action.finishedAt),
    outcome,
    reason,
    waiting_for: state === 'queued' ? waitingFor(id) : null,
  }
}

/** The action with the reasons of its record. */
export function nextActionView(
  action: Action,
  waitingFor: (actionId: string) => WaitReason | null,
): NextActionEntry {
  return {
    ...actionView(action, waitingFor),
    because: becauseV1(action.because),
    delay: delayV1(action),
    ended_because: becauseV1(action.endedBecause),
  }
}

type HeldBackSource = Pick<EngineReading, 'healthOf' | 'rulesOf' | 'ancestorsOf' | 'actions' | 'now'>

const waits: Readonly<Record<WaitReason, string>> = {
  cooldown: 'its recovery action is not due yet',
  retry: 'its recovery action is not due yet',
  budget: 'its recovery action waits for the recovery budget',
  target_busy: 'its recovery action waits for another one of the same target',
  held: 'its recovery action waits for a check of this process to fail',
  ancestor: 'its recovery action waits for what the monitor depends on',
  maintenance: 'it is in maintenance',
  pacing: 'its recovery action waits for another one',
  ailing_destination: 'its recovery action is not due yet',
  paged_recently: 'its recovery action is not due yet',
  room: 'its recovery action waits for room',
}

/** Null if the monitor is not beyond its threshold, or has an incident or an action that can start. */
export function heldBack(source: HeldBackSource, row: number): string | null {
  const health = source.healthOf(row)
  const { episode } = health
  if (!isActive(health) || episode === null || episode.incident !== null) return null
  if (episode.verification !== null || episode.failures < source.rulesOf(row).unhealthyThreshold) return null
  if (health.maintenance !== null) return waits.maintenance
  return health.intervention === null
    ? withheldWords(source, row, episode.firstFailureAt)
    : interventionWords(source, health.intervention)
}

function interventionWords(
  source: HeldBackSource,
  { actionId, startedAt }: NonNullable<Health['intervention']>,
): string | null {
  if (startedAt !== null) return 'its recovery action is running'
  const wait = source.actions.waitOf(actionId, source.now())
  return wait === null || wait === 'room' ? null : waits[wait]
}

function withheldWords(source: HeldBackSource, row: number, firstFailureAt: number): string {
  const ancestors = source.ancestorsOf(row, firstFailureAt)
  switch (ancestors.kind) {
    case 'in-trouble':
      return `it is suppressed by ${ancestors.by}, which it depends on`
    case 'not-checked':
      return 'it waits for the next check of what it depends on'
    case 'clear':
      return 'its next failed check opens the incident'
  }
}
