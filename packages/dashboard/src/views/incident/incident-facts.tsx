// views/incident/incident-facts.tsx: the figures of an incident: which monitor, from when to when, how long, who looks into it.
import type { IncidentStory } from '@pulseward/contract/v1/words'
import { Fact, Facts } from '../../components/facts.tsx'
import { MonitorLink } from '../../components/monitor-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { Status } from '../../components/status.tsx'
import { Age, Duration } from '../../components/time.tsx'
import { useMonitor } from '../../data/monitor.ts'
import { bodyOf } from '../../data/reading.ts'
import { Why } from '../../explaining/why.tsx'
import { missing } from '../../format/count.ts'
import { formatMoment } from '../../format/time.ts'
import type { MonitorOfIncident } from './monitor-of-incident.ts'

export function IncidentFacts(props: { readonly story: IncidentStory; readonly monitor: MonitorOfIncident }) {
  const { story, monitor } = props
  const { incidentId, monitorId, openedAt, closedAt, lastedMs, acknowledgedBy } = story
  const detail = bodyOf(useMonitor(monitor.number))
  return (
    <Panel title="Incident">
      <Facts>
        <Fact term="Monitor">
          <MonitorLink id={monitor.number ?? undefined} name={monitor.name ?? monitorId ?? missing} />
        </Fact>
        {closedAt === null && detail !== null && (
          <Fact term="Now">
            <Status of={detail} />
          </Fact>
        )}
        <Fact term="Opened">
          {incidentId !== null && (
            <Why
              kind="incidents"
              id={incidentId}
              of={`incident of ${monitor.name ?? monitorId ?? missing}`}
            />
          )}{' '}
          <Moment at={openedAt} />
        </Fact>
        <Fact term="Closed">{closedAt === null ? 'not yet' : <Moment at={closedAt} />}</Fact>
        <Fact term={closedAt === null ? 'Open for' : 'Lasted'}>
          {closedAt === null && openedAt !== null ? <Age since={openedAt} /> : <Duration ms={lastedMs} />}
        </Fact>
        <Fact term="Acknowledged by">{acknowledgedBy === null ? 'nobody' : <bdi>{acknowledgedBy}</bdi>}</Fact>
      </Facts>
    </Panel>
  )
}

/** With its day: the page is read later, and on paper. */
function Moment({ at }: { readonly at: string | null }) {
  if (at === null) return missing
  return (
    <time dateTime={at} title={at}>
      {formatMoment(Date.parse(at))}
    </time>
  )
}
