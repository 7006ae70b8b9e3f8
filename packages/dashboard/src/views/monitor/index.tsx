// views/monitor: everything known about one monitor, and what happened to it. What only editions with a store have
// (actions, events) is left out if it is not served. One heading in every state, so that it keeps the focus.
import { Link } from 'wouter'
import { PageTitle } from '../../components/page-title.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { useLastName, useMonitor } from '../../data/monitor.ts'
import { Actions } from './actions.tsx'
import { AudiencePanel } from './audience-panel.tsx'
import { MakeBadge } from './badge-dialog.tsx'
import { CheckPanel } from './check-panel.tsx'
import { LastChecksPanel } from './last-checks-panel.tsx'
import { LocationsPanel } from './locations-panel.tsx'
import { ManageLink } from './manage-link.tsx'
import styles from './monitor.module.css'
import { MonitorEscalation } from './monitor-escalation.tsx'
import { MonitorVerbs } from './monitor-verbs.tsx'
import { PushCalendar } from './push-calendar.tsx'
import { PushPanel } from './push-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { StatusInWords } from './status-in-words.tsx'
import { Timeline } from './timeline-panel.tsx'
import { MonitorTrend } from './trend.tsx'
import { WriteAbout } from './write-about.tsx'

export default function Monitor({ id }: { readonly id: string }) {
  const reading = useMonitor(id)
  const lastName = useLastName(id)
  const isMissing = !reading.available && (reading.reason === 'not-found' || reading.reason === 'refused')
  const title = isMissing
    ? lastName === null
      ? 'There is no such monitor'
      : `${lastName} was deleted`
    : reading.available
      ? reading.body.name
      : `Monitor ${id}`
  return (
    <>
      <div className={styles.titled}>
        <PageTitle>{title}</PageTitle>
        {reading.available && reading.body.monitor_id !== undefined && (
          <ManageLink monitorId={reading.body.monitor_id} />
        )}
      </div>
      {isMissing ? (
        <NoSuchMonitor id={id} wasThere={lastName !== null} />
      ) : (
        <ReadingView reading={reading} what="The monitor">
          {(monitor) => (
            <PanelGroup>
              <PanelGroup className={styles.top}>
                <StatusInWords monitor={monitor} />
                {monitor.monitor_id !== undefined && <MonitorVerbs monitorId={monitor.monitor_id} />}
              </PanelGroup>
              {monitor.monitor_id !== undefined && <MonitorEscalation monitorId={monitor.monitor_id} />}
              {monitor.monitor_id !== undefined && <WriteAbout monitorId={monitor.monitor_id} />}
              <div className={styles.columns}>
                <PanelGroup className={styles.column}>
                  <MonitorTrend monitor={monitor} />
                  {monitor.locations !== undefined && <LocationsPanel locations={monitor.locations} />}
                  {monitor.last_checks != null && monitor.last_checks.length > 0 && (
                    <LastChecksPanel checks={monitor.last_checks} />
                  )}
                  {monitor.monitor_id !== undefined && (
                    <Timeline id={monitor.id} monitorId={monitor.monitor_id} />
                  )}
                </PanelGroup>
                <PanelGroup className={styles.column}>
                  {monitor.push !== null && (
                    <PushPanel report={monitor.push} monitorId={monitor.monitor_id} />
                  )}
                  {monitor.push !== null && monitor.monitor_id !== undefined && (
                    <PushCalendar monitor={monitor} />
                  )}
                  <CheckPanel monitor={monitor} />
                  <RulesPanel monitor={monitor} />
                  {monitor.audience !== undefined && <AudiencePanel audience={monitor.audience} />}
                  {monitor.monitor_id !== undefined && <MakeBadge monitorId={monitor.monitor_id} />}
                  {monitor.monitor_id !== undefined && <Actions monitorId={monitor.monitor_id} />}
                </PanelGroup>
              </div>
            </PanelGroup>
          )}
        </ReadingView>
      )}
    </>
  )
}

function NoSuchMonitor({ id, wasThere }: { readonly id: string; readonly wasThere: boolean }) {
  return (
    <p className={styles.note}>
      No monitor has the number {id}
      {wasThere ? ' any more' : '; it may have been removed'}.{' '}
      <Link href="/monitors" className={styles.link}>
        Go to the list
      </Link>
    </p>
  )
}
