// status-pages/component-state.ts: what customers are told about a component, from the states of its monitors, and about a
// page, from its components. Pure: counts in, words out.
import type { Status } from '../deciding/health/status.ts'

export const componentStates = [
  'operational',
  'under_maintenance',
  'no_data',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const
/** From best to worst. */
export type ComponentState = (typeof componentStates)[number]

/** How many monitors of a component are in which state. */
export interface Tally {
  up: number
  down: number
  maintenance: number
  unknown: number
}

export function noTally(): Tally {
  return { up: 0, down: 0, maintenance: 0, unknown: 0 }
}

/** A single failure is not an outage: only an incident is, also while its recovery is being verified. */
export const shownAs: Readonly<Record<Status, 'up' | 'down' | 'unknown'>> = {
  up: 'up',
  degraded: 'up',
  down: 'up',
  incident: 'down',
  verifying: 'down',
  unknown: 'unknown',
  disabled: 'unknown',
}

export function count(tally: Tally, status: Status, isInMaintenance: boolean): void {
  const shown = shownAs[status]
  tally[isInMaintenance && status !== 'disabled' ? 'maintenance' : shown]++
}

/** What is known and not in maintenance is what an outage is a share of. */
export function stateOf({ up, down, maintenance }: Tally, downShare: number): ComponentState {
  const known = up + down
  if (known === 0) return maintenance > 0 ? 'under_maintenance' : 'no_data'
  if (down === 0) return 'operational'
  if (down === known) return 'major_outage'
  return down / known >= downShare ? 'partial_outage' : 'degraded_performance'
}

export function worstOf(states: Iterable<ComponentState>): ComponentState {
  let worst = 0
  for (const state of states) worst = Math.max(worst, componentStates.indexOf(state))
  return componentStates[worst]!
}
