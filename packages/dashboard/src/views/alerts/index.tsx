// views/alerts: what is wrong now, who is being notified, whether they can be reached, and what ended lately.
import { DestinationsPanel } from '../../components/destinations-panel.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { type Overview, useOverview } from '../../data/overview.ts'
import { useQueues } from '../../data/queues.ts'
import { bodyOf } from '../../data/reading.ts'
import { openIncidents } from '../../words/fleet-words.ts'
import styles from './alerts.module.css'
import { ClosedLately } from './closed-lately.tsx'
import { OpenIncidents } from './open-incidents.tsx'
import { PendingCodes } from './pending-codes.tsx'
import { RunningPages } from './running-pages.tsx'

export default function Alerts() {
  const overview = useOverview()
  return (
    <>
      <PageTitle tab="Alerts">{sentence(bodyOf(overview))}</PageTitle>
      <div className={styles.columns}>
        <PanelGroup className={styles.column}>
          <OpenIncidents />
          <ClosedLately />
        </PanelGroup>
        <PanelGroup className={styles.column}>
          <RunningPages />
          <PendingCodes overview={overview} />
          <DestinationsPanel reading={useQueues()} />
        </PanelGroup>
      </div>
    </>
  )
}

function sentence(overview: Overview | null): string {
  if (overview === null) return 'Alerts'
  return openIncidents(overview, 'present') ?? 'No incident is open.'
}
