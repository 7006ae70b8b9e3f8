// words/fleet-words.ts: what the overview says of the whole fleet, so that all parts of the page that speak of it say the
// same: every monitor is checked, snoozed or disabled, and every open incident is of a monitor that is shown somewhere.
import type { Counted } from '../components/status-words.ts'
import { formatCount, plural } from '../format/count.ts'

export interface FleetFigures extends Counted {
  readonly total: number
  readonly incidents: number
}

/** How many monitors are checked, and how many of these are up, with a warning or without. */
export function checkedOf({ total, by_status: by }: FleetFigures) {
  return { checked: total - by.disabled, up: by.up + by.degraded }
}

/** Those that are not checked: each of them is either. */
export function uncheckedOf({ by_status, snoozed = 0 }: Counted) {
  return { snoozed, disabled: by_status.disabled - snoozed }
}

/**
 * Null if no incident is open. An incident stays open while its monitor is verified or snoozed, and the monitor is not
 * counted under "Incident" then: the sentence says so.
 */
export function openIncidents(figures: FleetFigures, tense: 'present' | 'past'): string | null {
  const { incidents: open, by_status: by } = figures
  if (open === 0) return null
  const verb = tense === 'present' ? are : were
  const elsewhere = open - by.incident
  const states = otherStates(figures)
  const part = elsewhere === open ? 'of' : `${formatCount(elsewhere)} of them of`
  const whose = `${elsewhere === 1 ? 'a monitor' : 'monitors'} that ${verb(elsewhere)} ${states.join(' or ')}`
  const rest = elsewhere === 0 || states.length === 0 ? '' : `, ${part} ${whose}`
  return `${plural(open, 'incident')} ${verb(open)} open${rest}.`
}

/** In which a monitor keeps its incident without having its status. */
function otherStates(figures: FleetFigures): readonly string[] {
  return [
    ...(figures.by_status.verifying > 0 ? ['being verified'] : []),
    ...(uncheckedOf(figures).snoozed > 0 ? ['snoozed'] : []),
  ]
}

export const are = (count: number) => (count === 1 ? 'is' : 'are')
export const were = (count: number) => (count === 1 ? 'was' : 'were')
