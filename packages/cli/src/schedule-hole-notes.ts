// schedule-hole-notes.ts: what validation says of schedules that have no person at some time of the next eight weeks: when, on
// the clocks of the schedule, and why. A change of the clocks is always named, since no text of the schedule shows it.
import { durationWords } from '@pulseward/contract/v1/words'
import { counted, type Hole, type LoadedFleet, LocalTime, scheduleHoles } from '@pulseward/server'
import { plain } from './client/plain-text.ts'

/** Further holes of one schedule are counted, except where clocks change. */
const mostNamed = 5

/** One note for each schedule that a policy uses, and for each reason. */
export function holeNotes(definition: LoadedFleet['definition'], nowMs: number): string[] {
  const holes = scheduleHoles(definition, nowMs)
  return [...Map.groupBy(holes, ({ schedule, why }) => `${schedule} ${why.is}`).values()].map(noteOf)
}

function noteOf(holes: readonly Hole[]): string {
  const { schedule, timezone, why } = holes[0]!
  const named = holes.filter(({ clockChange }, index) => index < mostNamed || clockChange !== null)
  const others = holes.length - named.length
  const more = others > 0 ? `, and ${counted(others, 'more time')}` : ''
  const reason =
    why.is === 'not_started'
      ? `its first layer starts at ${wallClock(why.startLocalMs)}`
      : 'that is outside the hours of all its layers'
  const times = `${named.map(spanWords).join(', ')}${more} (${timezone})`
  return `pulseward: note: no person is on call by the schedule ${plain(schedule)} ${times}: ${reason}. Add a layer or an override, or leave it to the next step of the policy.\n`
}

function spanWords({ timezone, fromMs, untilMs, clockChange }: Hole): string {
  const zone = LocalTime.of(timezone)
  const span = `from ${wallClock(zone.localMs(fromMs))} to ${wallClock(zone.localMs(untilMs))}`
  if (clockChange === null) return span
  const { fromLocalMs, toLocalMs } = clockChange
  const direction = toLocalMs > fromLocalMs ? 'forward' : 'back'
  const [from, to] = [fromLocalMs, toLocalMs].map((at) => wallClock(at).slice('2026-03-29 '.length))
  const length = durationWords(untilMs - fromMs)
  return `${span} (the clocks go ${direction} from ${from} to ${to}, so this is ${length})`
}

/** Such as 2026-03-29 03:00. */
function wallClock(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 16).replace('T', ' ')
}
