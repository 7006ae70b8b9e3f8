// views/monitor/last-checks-panel.tsx: what the last checks saw while something is the matter. A quiet monitor has none.
import type { CheckSeen } from '@pulseward/contract'
import { Panel } from '../../components/panel.tsx'
import { Cell, Figure, Heading, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { missing, plural } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { withLocalTimes } from '../../format/time.ts'
import styles from './monitor.module.css'

const outcomes: Readonly<Record<CheckSeen['outcome'], string>> = {
  success: 'healthy',
  failure: 'failed',
  timeout: 'no answer in time',
  no_data: 'says nothing',
  own_fault: 'Pulseward itself could not check',
}

export function LastChecksPanel({ checks }: { readonly checks: readonly CheckSeen[] }) {
  return (
    <Panel title="Last checks" aside={`${plural(checks.length, 'check')}, newest first`}>
      <Table
        caption="The last checks since something is the matter"
        head={
          <>
            <Heading>When</Heading>
            <Heading>Outcome</Heading>
            <Heading figure>Took</Heading>
            <Heading>Why</Heading>
          </>
        }
      >
        {checks.map(({ at, outcome, latency_ms, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: results that came together have one time.
          <tr key={`${at} ${index}`}>
            <Cell>
              <Time at={at} />
            </Cell>
            <Cell>{outcomes[outcome]}</Cell>
            <Figure>{formatMilliseconds(latency_ms)}</Figure>
            <Cell className={styles.said}>{reason === null ? missing : withLocalTimes(reason)}</Cell>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}
