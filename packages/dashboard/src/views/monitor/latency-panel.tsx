// views/monitor/latency-panel.tsx: the latency of checks since the page was opened, if there is no trend.
// Kept while this monitor is shown; another one starts from scratch.
import { type ReactNode, useState } from 'react'
import { Note } from '../../components/big-figure.tsx'
import { Chart } from '../../components/chart.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { Duration } from '../../components/time.tsx'
import type { MonitorDetail } from '../../data/monitor.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { type LatencySample, latencyInWords, withSample } from './latency-samples.ts'
import styles from './monitor.module.css'

const sinceOpened = 'since you opened this page · checks are not kept'

export interface LatencyPanelProps {
  readonly monitor: MonitorDetail
  /** Why nothing of the past is shown. */
  readonly why: ReactNode
  /** To choose another period, which may have data. */
  readonly choice?: ReactNode
}

export function LatencyPanel({ monitor, why, choice }: LatencyPanelProps) {
  const samples = useLatencySamples(monitor)
  return (
    <Panel title="Latency" aside={choice ?? sinceOpened}>
      <p className={styles.figure}>
        <b>{formatMilliseconds(monitor.latency_ms)}</b> at the last check; the timeout is{' '}
        <Duration ms={monitor.timeout_ms} />
      </p>
      {samples.length < 2 ? (
        <Empty>
          Each check adds a point; the next is due within <Duration ms={monitor.interval_ms} />.
        </Empty>
      ) : (
        <Chart
          summary={latencyInWords(samples)}
          timesMs={samples.map(({ atMs }) => atMs)}
          lines={linesOf(samples)}
          format={formatMilliseconds}
          height={190}
        />
      )}
      <Note>
        {choice !== undefined && 'The chart shows what was measured since you opened this page. '}
        {why}
      </Note>
    </Panel>
  )
}

function linesOf(samples: readonly LatencySample[]) {
  const failures = samples.map(({ latencyMs, succeeded }) => (succeeded ? null : (latencyMs ?? 0)))
  return [
    {
      name: 'Latency',
      values: samples.map(({ latencyMs }) => latencyMs),
      hue: '--accent',
      look: 'area' as const,
    },
    ...(failures.some((value) => value !== null)
      ? [{ name: 'Failed', values: failures, hue: '--incident', look: 'points' as const }]
      : []),
  ]
}

/** Appended during rendering: the samples are part of what is shown, and an effect would show them a frame later. */
function useLatencySamples(monitor: MonitorDetail): readonly LatencySample[] {
  const [samples, setSamples] = useState<readonly LatencySample[]>([])
  const next = withSample(samples, monitor)
  if (next !== samples) setSamples(next)
  return next
}
