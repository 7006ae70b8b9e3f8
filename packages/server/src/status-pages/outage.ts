// status-pages/outage.ts: whether a component is down as a whole or in part, and since when. Pure: reads columns.
import { statuses } from '@pulseward/contract'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { count, noTally, shownAs, stateOf } from './component-state.ts'

export interface OutageSource {
  readonly fleet: Pick<Fleet, 'columns' | 'definition'>
  readonly engine: Pick<EngineReading, 'now' | 'windowOf'>
}

export type Outage =
  | { readonly is: 'down'; readonly state: 'partial_outage' | 'major_outage'; readonly sinceMs: number }
  | { readonly is: 'over' }
  /** Nothing is known, or all are in maintenance: neither down nor working again. */
  | { readonly is: 'not known' }

export function outageOf(rows: Uint32Array, downShare: number, { fleet, engine }: OutageSource): Outage {
  const { status, openedAt } = fleet.columns
  const { of: windowsOf, values: windows } = fleet.definition.maintenance
  const tally = noTally()
  const downSince: number[] = []
  for (const row of rows) {
    const isInMaintenance = windows[windowsOf[row]!]!.length > 0 && engine.windowOf(row).active
    const name = statuses[status[row]!]!
    count(tally, name, isInMaintenance)
    if (!isInMaintenance && shownAs[name] === 'down') downSince.push(openedAt[row]!)
  }
  const state = stateOf(tally, downShare)
  if (state === 'operational' || state === 'degraded_performance') return { is: 'over' }
  if (state !== 'partial_outage' && state !== 'major_outage') return { is: 'not known' }
  // It began when as many were down as make an outage.
  const needed = Math.min(Math.max(Math.ceil(downShare * (tally.up + tally.down)), 1), downSince.length)
  return { is: 'down', state, sinceMs: downSince.sort((one, other) => one - other)[needed - 1]! }
}
