// views/overview/index.tsx: is everything all right? One sentence first, then the figures behind it.
import { PanelGroup } from '../../components/panel-group.tsx'
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
    <PanelGroup>
      <Answer />
      <StatusShares />
      <PanelGroup className={styles.middle}>
        <MapPanel />
        <PanelGroup className={styles.side}>
          <OpenIncidents />
          <Changes />
        </PanelGroup>
      </PanelGroup>
      <PanelGroup className={styles.figures}>
        <ChecksPanel />
        <PunctualityPanel />
        <QueuesPanel />
        <StoragePanel />
      </PanelGroup>
    </PanelGroup>
  )
}
