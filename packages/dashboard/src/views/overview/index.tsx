// views/overview/index.tsx: is everything all right? One sentence first, then the figures behind it.
import { Answer } from './answer.tsx'
import { Changes } from './changes.tsx'
import { ChecksPanel } from './checks-panel.tsx'
import { MapPanel } from './map-panel.tsx'
import { OpenIncidents } from './open-incidents.tsx'
import styles from './overview.module.css'
import { PunctualityPanel } from './punctuality-panel.tsx'
import { QueuesPanel } from './queues-panel.tsx'
import { StatusShares } from './status-shares.tsx'
import { StoragePanel } from './storage-panel.tsx'

export default function Overview() {
  return (
    <>
      <Answer />
      <StatusShares />
      <div className={styles.middle}>
        <MapPanel />
        <div className={styles.side}>
          <OpenIncidents />
          <Changes />
        </div>
      </div>
      <div className={styles.figures}>
        <ChecksPanel />
        <PunctualityPanel />
        <QueuesPanel />
        <StoragePanel />
      </div>
    </>
  )
}
