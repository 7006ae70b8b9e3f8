// views/overview/fleet-reading.ts: the fleet as the overview draws it: few enough monitors as named tiles, from one page of
// the list, and more of them as a map.
import { useMap } from '../../data/map.ts'
import { type MonitorList, useMonitors } from '../../data/monitors.ts'
import { useOverview } from '../../data/overview.ts'
import { bodyOf, type Reading } from '../../data/reading.ts'
import { troubleFirst } from '../monitors/columns.ts'

/** More names than this are read as a list, not at a glance. */
const mostTiles = 150

/** Null until it is known how many monitors there are. */
export function useHasTiles(): boolean | null {
  const total = bodyOf(useOverview())?.total
  return total === undefined ? null : total <= mostTiles
}

export function useTiles(): Reading<MonitorList> {
  return useMonitors({ size: mostTiles, sort: troubleFirst }, { enabled: useHasTiles() === true })
}

export function useFleetReading(): Reading<unknown> {
  const hasTiles = useHasTiles()
  const tiles = useTiles()
  const map = useMap({}, { enabled: hasTiles !== true })
  return hasTiles === true ? tiles : map
}
