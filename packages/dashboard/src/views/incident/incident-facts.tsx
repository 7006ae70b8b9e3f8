// views/incident/incident-facts.tsx: the figures of an incident: which monitor, from when to when, how long, who looks into it.
import type { IncidentStory } from '@pulseward/contract/v1/words'
import { Fact, Facts } from '../../components/facts.tsx'
import { MonitorLink } from '../../components/monitor-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { Status } from '../../components/status.tsx'
import { Age, Duration, Time } from '../../components/time.tsx'
import { useMonitor } from '../../data/monitor.ts'
import { bodyOf } from '../../data/reading.ts'
import { missing } from '../../format/count.ts'
import type { MonitorOfIncident } from './index.tsx'

export function IncidentFacts(props: { readonly story: IncidentStory; readonly monitor: MonitorOfIncident }) {
  const { story, monitor } = props
  const { monitorId, openedAt, closedAt, lastedMs, acknowledgedBy } = story
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
          <Time at={openedAt} />
        </Fact>
        <Fact term="Closed">{closedAt === null ? 'not yet' : <Time at={closedAt} />}</Fact>
        <Fact term={closedAt === null ? 'Open for' : 'Lasted'}>
          {closedAt === null && openedAt !== null ? <Age since={openedAt} /> : <Duration ms={lastedMs} />}
        </Fact>
        <Fact term="Acknowledged by">{acknowledgedBy === null ? 'nobody' : <bdi>{acknowledgedBy}</bdi>}</Fact>
      </Facts>
    </Panel>
  )
}
