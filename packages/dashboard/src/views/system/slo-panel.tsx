// views/system/slo-panel.tsx: the punctuality of the checks of each kind. Left out if it is not measured.
import type { Slo, SloReport, Status } from '@pulseward/contract'
import { conditionMeanings, conditionWords } from '@pulseward/contract/v1/words'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { Percent } from '../../components/percent.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { Cell, Figure, Heading, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useSlo } from '../../data/slo.ts'
import { formatCount, plural } from '../../format/count.ts'
import { formatDuration, formatMilliseconds } from '../../format/duration.ts'
import styles from './system.module.css'

const looks: Readonly<Record<SloReport['condition'], Status>> = {
  insufficient_observations: 'unknown',
  healthy: 'up',
  queue_delay: 'down',
  result_delay: 'down',
  downstream_limited: 'degraded',
  coverage_gap: 'degraded',
}

export function SloPanel() {
  const reading = useSlo()
  if (!reading.available && reading.reason === 'absent') return null
  const aside = reading.available ? `last ${formatDuration(reading.body.window_seconds * 1000)}` : undefined
  return (
    <Panel title="Are checks on time?" aside={aside} flush>
      <div className={styles.inset}>
        <ReadingView reading={reading} what="The timing of checks">
          {(slo) => <Coverage slo={slo} />}
        </ReadingView>
      </div>
      {reading.available && reading.body.reports.length > 0 && <Reports slo={reading.body} />}
    </Panel>
  )
}

function Coverage({ slo }: { readonly slo: Slo }) {
  const { recovery_coverage: recovery } = slo
  const needed = recovery.eligible + recovery.none_configured
  return (
    <>
      {slo.reports.length === 0 && <Empty>No check was due yet.</Empty>}
      {!slo.coverage_complete && (
        <p className={styles.note}>
          Pulseward did not watch{' '}
          {slo.gap_start === null ? (
            ''
          ) : (
            <>
              from <Time at={slo.gap_start} />{' '}
            </>
          )}
          {slo.gap_end === null ? (
            'until now'
          ) : (
            <>
              until <Time at={slo.gap_end} />
            </>
          )}
          ; that time does not count.
        </p>
      )}
      <p className={styles.note}>
        {needed === 0
          ? 'No monitor needed a recovery.'
          : `${plural(needed, 'monitor')} needed a recovery: ${recoveryWords(recovery)}.`}
      </p>
    </>
  )
}

function recoveryWords(recovery: Slo['recovery_coverage']): string {
  const parts: readonly (readonly [number, string])[] = [
    [recovery.none_configured, 'have none configured'],
    [recovery.admitted, 'queued'],
    [recovery.succeeded, 'accepted'],
    [recovery.failed, 'refused'],
    [recovery.unknown, 'without an answer'],
    [recovery.held, 'held back'],
  ]
  const told = parts.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`)
  return told.length === 0 ? 'none was queued' : told.join(', ')
}

function Reports({ slo }: { readonly slo: Slo }) {
  return (
    <Table
      caption="Punctuality of checks"
      head={
        <>
          <Heading>Kind</Heading>
          <Heading>Result</Heading>
          <Heading figure title="Checks that ended, of those expected">
            Checks
          </Heading>
          <Heading figure>Started within {formatMilliseconds(slo.queue_target_ms)}</Heading>
          <Heading figure>Result within {formatMilliseconds(slo.result_target_ms)}</Heading>
          <Heading figure title="From due to start: median and 99th percentile">
            Start p50 · p99
          </Heading>
          <Heading figure title="From start to result: median and 99th percentile">
            Check p50 · p99
          </Heading>
          <Heading figure title="Not started in their time slot">
            Missed
          </Heading>
          <Heading figure title="Still running after the target">
            Overdue
          </Heading>
          <Heading figure>Timeouts</Heading>
        </>
      }
    >
      {slo.reports.map((report) => (
        <tr key={report.driver}>
          <Cell>{report.driver}</Cell>
          <Cell>
            <span
              className={styles.verdict}
              title={`${report.condition}: ${conditionMeanings[report.condition]}`}
            >
              <StatusGlyph status={looks[report.condition]} /> {conditionWords[report.condition]}
            </span>
          </Cell>
          <Figure>
            {formatCount(report.samples)} of {formatCount(report.expected)}
          </Figure>
          <Figure>
            <Percent percent={percentOf(report.queue_attainment)} />
          </Figure>
          <Figure>
            <Percent percent={percentOf(report.result_attainment)} />
          </Figure>
          <Figure>
            {formatMilliseconds(report.scheduling_queue.p50_ms)} ·{' '}
            {formatMilliseconds(report.scheduling_queue.p99_ms)}
          </Figure>
          <Figure>
            {formatMilliseconds(report.execution.p50_ms)} · {formatMilliseconds(report.execution.p99_ms)}
          </Figure>
          <Figure>{formatCount(report.missed)}</Figure>
          <Figure>{formatCount(report.overdue)}</Figure>
          <Figure>{formatCount(report.timeouts)}</Figure>
        </tr>
      ))}
    </Table>
  )
}

function percentOf(share: number | null): number | null {
  return share === null ? null : share * 100
}
