// deciding/on-call/schedule-holes.ts: the times of the next weeks in which a schedule that a policy uses has no person, and
// why. Pure.
import type { OnCallDefinition, ScheduleDefinition } from '../../config/fleet-file/on-call.ts'
import { type ClockChange, LocalTime } from '../../platform/local-time.ts'
import { rotaOf } from './recipients.ts'

const weekMs = 7 * 86_400_000
const lookedAheadMs = 8 * weekMs

export interface Hole {
  readonly schedule: string
  readonly timezone: string
  readonly fromMs: number
  readonly untilMs: number
  readonly why: WhyNobody
  /** Within the hole or at an end of it: the hole is longer or shorter than its hours read. Null if there is none. */
  readonly clockChange: ClockChange | null
}

type WhyNobody =
  | { readonly is: 'outside_hours' }
  /** In local time. */
  | { readonly is: 'not_started'; readonly startLocalMs: number }

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
    const zone = LocalTime.of(timezone)
    return rotaOf(definition)
      .shifts(nowMs, nowMs + lookedAheadMs)
      .flatMap(({ person, fromMs, untilMs }) => {
        if (person !== null) return []
        const why = whyNobody(definition, zone.latestShownMs(fromMs))
        const clockChange = why.is === 'outside_hours' ? zone.clockChangeBetween(fromMs, untilMs) : null
        return { schedule, timezone, fromMs, untilMs, why, clockChange }
      })
  })
}

/** A layer that has started has a person at all of its hours. */
function whyNobody({ layers }: ScheduleDefinition, localMs: number): WhyNobody {
  const startLocalMs = Math.min(...layers.map(({ startMs }) => startMs))
  return startLocalMs > localMs ? { is: 'not_started', startLocalMs } : { is: 'outside_hours' }
}
