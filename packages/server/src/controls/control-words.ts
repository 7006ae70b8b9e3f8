// controls/control-words.ts: which members of a request a control needs, and which it refuses. The same for a
// single and a bulk control.
import { v2 } from '@pulseward/contract'
import { durationMs } from '../platform/duration.ts'
import type { V2FieldError } from '../requests/v2-problem.ts'

export type ControlMember = Exclude<keyof v2.ControlRequest, 'revision' | 'note'>
export type SaidByControl = Partial<Pick<v2.ControlRequest, ControlMember>>

const members: readonly ControlMember[] = ['reason', 'duration', 'incidentID', 'evidenceRefs', 'resolution']
const longestSnoozeMs = v2.limits.snoozeHours * 3_600_000

/** All mistakes. `within`: the pointer to the object with the members. */
export function controlMistakes(
  said: SaidByControl,
  required: readonly ControlMember[],
  allowed: readonly ControlMember[],
  within = '',
): V2FieldError[] {
  const mistake = (member: ControlMember, reason: v2.FieldReason, message: string): V2FieldError => ({
    field: `${within}/${member}`,
    reason,
    message,
  })
  return [
    ...required
      .filter((member) => !isThere(said[member]))
      .map((member) => mistake(member, 'required', 'is needed by this control')),
    ...members
      .filter((member) => said[member] !== undefined && !allowed.includes(member))
      .map((member) => mistake(member, 'misplaced', 'means nothing to this control')),
    ...durationMistakes(said.duration, mistake),
  ]
}

function isThere(value: SaidByControl[ControlMember]): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined
}

function durationMistakes(
  duration: string | undefined,
  mistake: (member: 'duration', reason: v2.FieldReason, message: string) => V2FieldError,
): V2FieldError[] {
  if (duration === undefined) return []
  const ms = durationMs(duration)
  if (ms <= 0) return [mistake('duration', 'tooSmall', 'must be greater than zero')]
  return ms > longestSnoozeMs
    ? [mistake('duration', 'tooLarge', `must not be longer than ${v2.limits.snoozeHours}h`)]
    : []
}
