// views/monitor/report-link.tsx: a link to a report of the trend's period, as far back as events are kept.
import { v1Limits } from '@pulseward/contract'
import { Link } from 'wouter'
import { useNowMs } from '../../data/service-clock.ts'
import { windowMs } from '../../trend/grid.ts'
import { useTrendWindow } from '../../trend/use-trend-window.ts'
import { lastPeriod, reportPath } from '../report/period.ts'
import styles from './monitor.module.css'

/** What happened in an hour is on the page of the incident. */
const leastMs = 86_400_000
const keptMs = v1Limits.eventRetentionDays * 86_400_000

export function ReportLink({ id }: { readonly id: number }) {
  const window = useTrendWindow()
  const period = lastPeriod(Math.min(Math.max(windowMs[window], leastMs), keptMs), useNowMs())
  return (
    <Link href={reportPath(id, period)} className={styles.link}>
      Incident report
    </Link>
  )
}
