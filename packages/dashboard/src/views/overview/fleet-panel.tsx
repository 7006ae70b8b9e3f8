// views/overview/fleet-panel.tsx: the fleet as tiles or as a map. Until it is known which, the map is read already: for a
// large fleet it is what takes longest.
import { Loading } from '../../components/loading.tsx'
import { Panel } from '../../components/panel.tsx'
import { useMap } from '../../data/map.ts'
import { useOverview } from '../../data/overview.ts'
import { useHasTiles } from './fleet-reading.ts'
import { MapPanel } from './map-panel.tsx'
import { TilesPanel } from './tiles-panel.tsx'

export function FleetPanel() {
  const overview = useOverview()
  const hasTiles = useHasTiles()
  if (hasTiles === true) return <TilesPanel />
  return !overview.available && overview.reason === 'loading' ? <Undecided /> : <MapPanel />
}

function Undecided() {
  useMap()
  return (
    <Panel title="Monitors">
      <Loading what="The fleet" />
    </Panel>
  )
}
