// views/overview/map-panel.tsx: the fleet map in its panel. If the map is unavailable, the panel is hatched.
import type { FleetMap as WireMap } from '@pulseward/contract'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useMap, useSnoozed } from '../../data/map.ts'
import { FleetMap } from '../../fleet-map/fleet-map.tsx'
import { lookMapOf } from '../../fleet-map/look-map.ts'
import { plural } from '../../format/count.ts'
import styles from './overview.module.css'

export function MapPanel() {
  const reading = useMap()
  const count = reading.available ? reading.body.map.ids.length : null
  return (
    <Panel
      title="Fleet map"
      className={styles.map}
      aside={
        count !== null && (
          <>
            {plural(count, 'monitor')} · by first tag · scroll to zoom ·{' '}
            <Link href="/monitors" className={styles.link}>
              as a list
            </Link>
          </>
        )
      }
    >
      <ReadingView reading={reading} what="The fleet map">
        {({ map }) =>
          map.ids.length === 0 ? <Empty>No monitors are configured.</Empty> : <LookingFleet map={map} />
        }
      </ReadingView>
    </Panel>
  )
}

function LookingFleet({ map }: { readonly map: WireMap }) {
  const snoozed = useSnoozed()
  const looking = useMemo(() => lookMapOf(map, snoozed), [map, snoozed])
  return <FleetMap map={looking} />
}
