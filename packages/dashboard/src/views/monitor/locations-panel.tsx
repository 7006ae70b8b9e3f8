// views/monitor/locations-panel.tsx: what each location of a monitor said last. Only for monitors that other locations check.
import type { LocationFinding } from '@pulseward/contract'
import { Panel } from '../../components/panel.tsx'
import { Cell, Figure, Heading, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { missing, plural } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { withLocalTimes } from '../../format/time.ts'
import { LatencyBar } from './latency-bar.tsx'
import styles from './monitor.module.css'

const outcomes: Readonly<Record<NonNullable<LocationFinding['outcome']>, string>> = {
  success: 'healthy',
  failure: 'failed',
  timeout: 'no answer in time',
  no_data: 'says nothing',
  own_fault: 'could not check',
}

export function LocationsPanel({ locations }: { readonly locations: readonly LocationFinding[] }) {
  const slowestMs = Math.max(...locations.map(({ latency_ms }) => latency_ms ?? 0))
  return (
    <Panel title="Locations" aside={plural(locations.length, 'location')} flush>
      <Table
        caption="What each location said last"
        head={
          <>
            <Heading>Location</Heading>
            <Heading>Outcome</Heading>
            <Heading figure>Took</Heading>
            <Heading>Why</Heading>
            <Heading>When</Heading>
          </>
        }
      >
        {locations.map(({ location, at, outcome, latency_ms, reason }) => (
          <tr key={location}>
            <Cell>{location === 'local' ? 'this service' : location}</Cell>
            <Cell>{outcome === null ? 'not heard of yet' : outcomes[outcome]}</Cell>
            <Figure>
              {formatMilliseconds(latency_ms)}
              <LatencyBar latencyMs={latency_ms} slowestMs={slowestMs} />
            </Figure>
            <Cell className={styles.said}>{reason === null ? missing : withLocalTimes(reason)}</Cell>
            <Cell>{at === null ? missing : <Time at={at} />}</Cell>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}
