// controls/decide-controls.ts: one turn of a bulk control: each item is carried out by the same function as a
// single control, on the revision that was frozen. A decision cannot be taken back, so every item gets its
// outcome, even one that causes an error in the service.

import type { ControlRefusal, ControlResult, MonitorControl } from '../deciding/control.ts'
import type { Engine } from '../engine/engine.ts'
import type { ControlTurn } from '../engine/engine-turn.ts'
import { durationMs } from '../platform/duration.ts'
import type { StoredControl, StoredOutcome } from '../store/bulk.ts'
import type { Log } from '../telemetry/log.ts'
import type { FrozenRevision } from './frozen.ts'
import { revisionText } from './revision-text.ts'

export interface AskedOfMany {
  readonly control: StoredControl
  readonly actor: string
  /** Wall clock time. */
  readonly now: number
  readonly log: Log
}

export function decideControls(
  turn: ControlTurn,
  engine: Pick<Engine, 'applyControl'>,
  items: readonly FrozenRevision[],
  asked: AskedOfMany,
): StoredOutcome[] {
  return items.map((item) => {
    try {
      return resultOf(item, engine.applyControl(turn, controlOf(item, asked)))
    } catch (error) {
      asked.log.error({ error, monitor: item.id }, `${asked.control.verb} failed for an item of an operation`)
      return { id: item.id, outcome: 'failed', oldVersion: null, newVersion: null, message: ownError }
    }
  })
}

const ownError = 'An error inside the service kept it from being done; the log has the details.'

function resultOf(item: FrozenRevision, result: ControlResult): StoredOutcome {
  const { id, revision } = item
  if (!result.done) {
    const { refusal } = result
    const oldVersion = refusal.isSo ? textOf(item, revision) : null
    return { id, outcome: outcomeOf(refusal), oldVersion, newVersion: oldVersion, message: refusal.message }
  }
  const [oldVersion, newVersion] = [textOf(item, result.before), textOf(item, result.after)]
  return { id, outcome: 'updated', oldVersion, newVersion, message: null }
}

function controlOf(
  { id: monitorId, revision, incidentId }: FrozenRevision,
  { control, actor, now }: AskedOfMany,
): MonitorControl {
  const { verb, reason, note, duration } = control
  const base = { monitorId, revision, asked: { actor, reason, note } }
  switch (verb) {
    case 'acknowledge':
    case 'dismiss':
    case 'reopen':
      return { ...base, verb, incidentId: incidentId ?? '' }
    case 'snooze':
      return { ...base, verb, untilWallMs: Math.round(now) + durationMs(duration ?? '') }
    case 'unsnooze':
      return { ...base, verb }
    case 'recover':
      return { ...base, verb, incidentId: null }
    default:
      throw new Error(`${verb} is not asked of monitors`)
  }
}

function outcomeOf({ code, isSo }: ControlRefusal): string {
  if (isSo) return 'unchanged'
  return code === 'versionConflict' ? 'conflict' : 'failed'
}

function textOf({ id, incidentId }: FrozenRevision, revision: number): string {
  return incidentId === null
    ? revisionText('Monitor', id, revision)
    : revisionText('Incident', incidentId, revision)
}
