// views/overview/open-incidents.tsx: the first few open incidents, the oldest first, each in words.
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { lookOf, statusWords } from '../../components/status-words.ts'
import { Age } from '../../components/time.tsx'
import { type Incident, useIncidents } from '../../data/incidents.ts'
import { plural } from '../../format/count.ts'
import { describeIncident } from '../../words/incident-words.ts'
import styles from './lists.module.css'

export const incidentsShown = 6

export function OpenIncidents() {
  const reading = useIncidents({ size: incidentsShown })
  return (
    <Panel title="Open incidents" aside="oldest first">
      <ReadingView reading={reading} what="The list of incidents">
        {({ incidents, total }) =>
          total === 0 ? (
            <Empty>No incident is open.</Empty>
          ) : (
            <>
              <ul className={styles.list}>
                {incidents.map((incident) => (
                  <IncidentLine key={incident.incident_id} incident={incident} />
                ))}
              </ul>
              {total > incidents.length && (
                <Link href="/alerts" className={styles.more}>
                  All {plural(total, 'incident')}
                </Link>
              )}
            </>
          )
        }
      </ReadingView>
    </Panel>
  )
}

const nobodyYet = 'Nobody has acknowledged it.'

/** Who looks into it is said by its sentence. Only the edition with controls, which tells of snoozes, has such people. */
function isKnown({ acknowledged_by, dismissed, snoozed_until }: Incident): boolean {
  return acknowledged_by !== null || dismissed || snoozed_until === undefined
}

function IncidentLine({ incident }: { readonly incident: Incident }) {
  return (
    <li className={styles.line}>
      <StatusGlyph status={lookOf(incident)} />
      <Link href={`/monitors/${incident.id}`} className={styles.name}>
        <span className="visually-hidden">{statusWords[lookOf(incident)]}: </span>
        {incident.name}
      </Link>
      <span className={styles.age}>
        <Age since={incident.opened_at} />
      </span>
      <p className={styles.words}>
        {describeIncident(incident)} {!isKnown(incident) && <em className={styles.unseen}>{nobodyYet}</em>}
      </p>
    </li>
  )
}
