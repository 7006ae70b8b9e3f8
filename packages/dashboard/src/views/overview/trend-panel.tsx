// views/overview/trend-panel.tsx: the place of the fleet's trend. Its code and data are loaded when it comes
// into view, so that the first view stays light. Left out if the edition keeps nothing.
import { lazy, Suspense } from 'react'
import { Loading } from '../../components/loading.tsx'
import { useSeen } from '../../components/use-seen.ts'
import { useIncidents } from '../../data/incidents.ts'
import { useOverview } from '../../data/overview.ts'
import type { Reading } from '../../data/reading.ts'
import { useFleetReading } from './fleet-reading.ts'
import { incidentsShown } from './open-incidents.tsx'
import styles from './overview.module.css'

const FleetTrend = lazy(() => import('../../trend/fleet-trend.tsx'))

export function FleetTrendPanel() {
  const above = [useOverview(), useIncidents({ size: incidentsShown }), useFleetReading()]
  const [place, isSeen] = useSeen<HTMLDivElement>(!above.some(isLoading))
  return (
    <div ref={place} className={styles.trend}>
      {isSeen && (
        <Suspense fallback={<Loading what="The trend of the fleet" />}>
          <FleetTrend />
        </Suspense>
      )}
    </div>
  )
}

function isLoading(reading: Reading<unknown>): boolean {
  return !reading.available && reading.reason === 'loading'
}
