// deciding/on-call/schedule-holes.ts: the times of the next weeks in which a schedule that a policy uses has nobody. Pure.
import type { OnCallDefinition } from '../../config/fleet-file/on-call.ts'
import { rotaOf } from './recipients.ts'

const weekMs = 7 * 86_400_000
const lookedAheadMs = 8 * weekMs

export interface Hole {
  readonly schedule: string
  readonly timezone: string
  readonly fromMs: number
  readonly untilMs: number
}

/** In the order of the schedules, then of time. */
export function scheduleHoles({ schedules, escalationPolicies }: OnCallDefinition, nowMs: number): Hole[] {
  const used = new Set(
    [...escalationPolicies.values()].flatMap(({ steps }) =>
      steps.flatMap(({ notify }) => notify.flatMap(({ kind, name }) => (kind === 'schedule' ? name : []))),
    ),
  )
  return [...schedules].flatMap(([schedule, definition]) => {
    if (!used.has(schedule)) return []
    const { timezone } = definition
    return rotaOf(definition)
      .shifts(nowMs, nowMs + lookedAheadMs)
      .flatMap(({ person, fromMs, untilMs }) =>
        person === null ? { schedule, timezone, fromMs, untilMs } : [],
      )
  })
}
