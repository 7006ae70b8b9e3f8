// simulation/oracle/reason-rules.ts: compares the reasons that the service records with those of the model:
// the kind, and every value that the model knows.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { RecordedBecause } from '@pulseward/server/internal/deciding/health/because.ts'
import type { ModelReason } from '../model/reason.ts'
import type { Identities } from './model-identities.ts'

/** The name of the rule. */
export const reasons = 'reasons'

/** A sentence; null if they agree. */
export function reasonDifference(
  recorded: RecordedBecause,
  expected: ModelReason | null,
  ids: Identities,
): string | null {
  if (expected === null || recorded === null)
    return recorded === null && expected === null ? null : differ(recorded, expected)
  const { kind, values = {}, action } = expected
  const given: Readonly<Record<string, unknown>> = { ...recorded }
  const isSame =
    isOneOf(recorded.kind, kind) &&
    Object.entries(values).every(([name, value]) => isOneOf(given[name], value)) &&
    (action === undefined || given['actionId'] === ids.actionId(action))
  return isSame ? null : differ(recorded, expected)
}

/** An action that does not start at once says why, and the figures add up to the time that it names. */
export function delayDifference(
  { delay, queuedAt, notBefore, attempt }: Action,
  cooldownMs: number,
): string | null {
  const laterMs = notBefore - queuedAt
  if (delay === undefined)
    return laterMs > 1 || attempt > 1 ? `it waits ${laterMs} ms and does not say why` : null
  const other = `it waits ${laterMs} ms because of ${JSON.stringify(delay)}`
  if (delay.kind !== 'cooldown') return isNear(delay.waitMs, laterMs) ? null : other
  return delay.cooldownMs === cooldownMs && isNear(cooldownMs - delay.sinceMs, laterMs) ? null : other
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1
}

function isOneOf(given: unknown, expected: unknown): boolean {
  return Array.isArray(expected) ? expected.includes(given) : given === expected
}

function differ(recorded: RecordedBecause, expected: ModelReason | null): string {
  return `because of ${JSON.stringify(recorded)}, the model says ${JSON.stringify(expected)}`
}
