// views/overview/index.tsx: is everything all right? One sentence first, then what is wrong and the fleet itself. How the
// service is doing is told by the view System.
import { PageTitle } from '../../components/page-title.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { useConnection } from '../../data/connection.ts'
import { useOverview } from '../../data/overview.ts'
import { bodyOf } from '../../data/reading.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { Changes } from './changes.tsx'
import { EmptyFleet } from './empty-fleet.tsx'
import { FleetPanel } from './fleet-panel.tsx'
import { useHasTiles } from './fleet-reading.ts'
import { LocationsAway } from './locations-away.tsx'
import { OpenIncidents } from './open-incidents.tsx'
import styles from './overview.module.css'
import { sentenceOf } from './sentence.ts'
import { StatusShares } from './status-shares.tsx'
import { TellsNobody } from './tells-nobody.tsx'
import { FleetTrendPanel } from './trend-panel.tsx'
import { useUnknownDue } from './unknown-due.ts'

export default function Overview() {
  const isEmpty = bodyOf(useOverview())?.total === 0
  // In a large fleet something is always wrong, and comes before the first steps of its users.
  const isLarge = useHasTiles() === false
  return (
    <PanelGroup>
      <Answer />
      {!isLarge && <EmptyFleet />}
      {/* An empty fleet has nothing to draw, and empty boxes would hide how to add a monitor. */}
      {!isEmpty && <Fleet />}
      {isLarge && <EmptyFleet />}
      {!isEmpty && <FleetTrendPanel />}
    </PanelGroup>
  )
}

function Fleet() {
  return (
    <PanelGroup>
      <StatusShares />
      <PanelGroup className={styles.middle}>
        {/* First for whoever reads or listens from the top; beside the fleet where there is room. */}
        <OpenIncidents />
        <FleetPanel />
        <Changes />
      </PanelGroup>
    </PanelGroup>
  )
}

/** The sentence at the top. A separate component, since it changes every second. */
function Answer() {
  const reading = useOverview()
  const due = useUnknownDue(bodyOf(reading)?.by_status.unknown ?? 0)
  const isLost = useConnection().state === 'lost'
  const { lead, trouble, notes } = sentenceOf(reading, due, useNowMs(), isLost)
  return (
    <PageTitle
      tab="Overview"
      note={
        <>
          {notes.join(' ')} <TellsNobody count={bodyOf(reading)?.tells_nobody ?? 0} /> <LocationsAway />
        </>
      }
    >
      {lead} {trouble !== null && <em className={styles.trouble}>{trouble}</em>}
    </PageTitle>
  )
}
