// views/alerts/open-incidents.tsx: open incidents by urgency, then by age, in pages.

import { v1Limits } from '@pulseward/contract'
import { useState } from 'react'
import { VerbButtons } from '../../acting/verb-buttons.tsx'
import type { Verb } from '../../acting/verbs.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { MonitorLink } from '../../components/monitor-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Reason } from '../../components/reason.tsx'
import { Status } from '../../components/status.tsx'
import { StoryLink } from '../../components/story-link.tsx'
import { Age } from '../../components/time.tsx'
import { newestEvents, useHistory } from '../../data/history.ts'
import { type Incident, useIncidents } from '../../data/incidents.ts'
import { bodyOf } from '../../data/reading.ts'
import { Why } from '../../explaining/why.tsx'
import { formatCount, plural } from '../../format/count.ts'
import { describeIncident } from '../../words/incident-words.ts'
import styles from './alerts.module.css'
import { lastReason } from './last-reasons.ts'
import { byUrgency, urgencyWords } from './urgency.ts'
import { useIncidentKeys } from './use-incident-keys.ts'

const size = v1Limits.sizeCap

export function OpenIncidents() {
  const [page, setPage] = useState(1)
  const reading = useIncidents({ page, size })
  useIncidentKeys(bodyOf(reading)?.incidents ?? [])
  const events = bodyOf(useHistory(newestEvents))?.events ?? []
  return (
    <Panel title="Open incidents" aside="most urgent first, then oldest">
      <ReadingView reading={reading} what="The list of incidents">
        {({ incidents, total }) => (
          <>
            {incidents.length === 0 ? (
              <Empty>{total === 0 ? 'No incident is open.' : 'No incidents are left on this page.'}</Empty>
            ) : (
              byUrgency(incidents).map((group) => (
                <section key={group.urgency} className={styles.group}>
                  <h3 title={urgencyWords[group.urgency].meaning}>
                    {urgencyWords[group.urgency].title}{' '}
                    <span className={styles.quiet}>{formatCount(group.incidents.length)}</span>
                  </h3>
                  <ul>
                    {group.incidents.map((incident) => (
                      <IncidentRow
                        key={incident.incident_id}
                        incident={incident}
                        reason={lastReason(incident, events)}
                      />
                    ))}
                  </ul>
                </section>
              ))
            )}
            {(total > size || page > 1) && (
              <div className={styles.pages}>
                <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Older
                </Button>
                <span>
                  {formatCount((page - 1) * size + 1)}–{formatCount(Math.min(page * size, total))} of{' '}
                  {plural(total, 'incident')}
                </span>
                <Button disabled={page * size >= total} onClick={() => setPage(page + 1)}>
                  Newer
                </Button>
              </div>
            )}
          </>
        )}
      </ReadingView>
    </Panel>
  )
}

interface IncidentRowProps {
  readonly incident: Incident
  /** Why the last action for it ended as it did. */
  readonly reason: string | null
}

function IncidentRow({ incident, reason }: IncidentRowProps) {
  return (
    <li className={styles.incident} data-incident={incident.incident_id}>
      <span className={styles.status}>
        <Status of={incident} />
      </span>
      <div className={styles.what}>
        <MonitorLink id={incident.id} name={incident.name} />
        <p className={styles.words}>
          {describeIncident(incident)}{' '}
          {incident.monitor_id !== undefined && (
            <>
              <StoryLink id={incident.incident_id} of={incident.name} />{' '}
              <Why kind="incidents" id={incident.incident_id} of={`incident of ${incident.name}`} />
            </>
          )}
        </p>
        {reason !== null && <Reason text={reason} />}
        {incident.monitor_id !== undefined && (
          <VerbButtons
            of={{ monitorId: incident.monitor_id, incidentId: incident.incident_id }}
            name={incident.name}
            offered={verbsOf(incident)}
          />
        )}
      </div>
      <span className={styles.age}>
        <Age since={incident.opened_at} />
      </span>
    </li>
  )
}

/** What people most often do after a look at the list; the rest is on the page of the monitor. */
function verbsOf({ acknowledged_by, dismissed, snoozed_until }: Incident): readonly Verb[] {
  return [
    ...(acknowledged_by === null ? (['acknowledge'] as const) : []),
    dismissed ? 'reopen' : 'dismiss',
    snoozed_until == null ? 'snooze' : 'unsnooze',
  ]
}
