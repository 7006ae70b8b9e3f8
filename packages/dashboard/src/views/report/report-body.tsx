// views/report/report-body.tsx: the report itself: the figures first, then incidents, every step, and the
// outcomes of recoveries and notifications.
import type { ReactNode } from 'react'
import { Empty } from '../../components/empty.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'
import { Percent } from '../../components/percent.tsx'
import type { MonitorDetail } from '../../data/monitor.ts'
import type { PeriodHistory } from '../../data/period-history.ts'
import { bodyOf, type Reading } from '../../data/reading.ts'
import type { ResourceEvents } from '../../data/resource-events.ts'
import { serviceNowMs } from '../../data/service-clock.ts'
import { useTrend } from '../../data/trend.ts'
import { formatCount, missing, plural } from '../../format/count.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatMoment } from '../../format/time.ts'
import { availabilityIn, windowFor } from './availability.ts'
import type { Period } from './period.ts'
import styles from './report.module.css'
import { openMs, type Report, reportOf } from './report.ts'
import { DeedTable, IncidentTable, LineTable, NotificationTable, RecoveryTable } from './report-tables.tsx'

export interface ReportBodyProps {
  readonly monitor: MonitorDetail
  readonly period: Period
  readonly history: PeriodHistory
  /** Null for users who may not know who changed the monitor. */
  readonly edits: Reading<ResourceEvents> | null
}

export function ReportBody({ monitor, period, history, edits }: ReportBodyProps) {
  const nowMs = serviceNowMs()
  const report = reportOf(history.events, period, edits?.available ? edits.body.events : [])
  return (
    <div className={styles.report}>
      <Limits period={period} history={history} edits={edits} nowMs={nowMs} />
      <Panel title="In short">
        <Facts>
          <Fact term="Monitor">
            {monitor.name} · <code>{monitor.monitor_id}</code>
          </Fact>
          <Fact term="Checks">
            {monitor.pulse_type} · <code>{monitor.target}</code>
          </Fact>
          <Fact term="Incidents">{incidentsInShort(report, period, nowMs)}</Fact>
          <Availability id={monitor.id} period={period} nowMs={nowMs} />
          <Fact term="Recoveries">{outcomesInShort(report.recoveries, 'accepted')}</Fact>
          <Fact term="Notifications">{outcomesInShort(report.notifications, 'delivered')}</Fact>
          <Fact term="Report made">{formatMoment(nowMs)}</Fact>
        </Facts>
      </Panel>
      <Section title="Incidents" rows={report.incidents} none="No incident was open.">
        <IncidentTable incidents={report.incidents} events={history.events} period={period} nowMs={nowMs} />
      </Section>
      <Section title="Timeline" rows={report.lines} none="Nothing happened.">
        <LineTable lines={report.lines} />
      </Section>
      <Section title="Who did what" rows={report.deeds} none="There were no manual actions.">
        <DeedTable deeds={report.deeds} />
      </Section>
      <Section title="Recoveries" rows={report.recoveries} none="No recovery was tried.">
        <RecoveryTable recoveries={report.recoveries} />
      </Section>
      <Section title="Notifications" rows={report.notifications} none="No notification was due.">
        <NotificationTable notifications={report.notifications} />
      </Section>
    </div>
  )
}

function Section(props: {
  readonly title: string
  readonly rows: readonly unknown[]
  readonly none: string
  readonly children: ReactNode
}) {
  const { title, rows, none, children } = props
  return rows.length === 0 ? (
    <Panel title={title}>
      <Empty>{none}</Empty>
    </Panel>
  ) : (
    <Panel title={title} flush>
      {children}
    </Panel>
  )
}

/** What the report cannot know. */
function Limits(props: Omit<ReportBodyProps, 'monitor'> & { readonly nowMs: number }) {
  const { period, history, edits, nowMs } = props
  const keptSinceMs = nowMs - history.retentionDays * 86_400_000
  const first = history.events[0]
  return (
    <>
      {period.toMs > nowMs + 60_000 && (
        <p className={styles.limit}>
          The period is not over: what happens until its end is not in this report.
        </p>
      )}
      {period.fromMs < keptSinceMs && (
        <p className={styles.limit}>
          Events are kept for {plural(history.retentionDays, 'day')}: what happened before{' '}
          {formatMoment(keptSinceMs)} is not known.
        </p>
      )}
      {!history.isWhole && first !== undefined && (
        <p className={styles.limit}>
          There are more events than a report holds: it begins at {formatMoment(Date.parse(first.at))}.
        </p>
      )}
      <EditLimit edits={edits} />
    </>
  )
}

function EditLimit({ edits }: Pick<ReportBodyProps, 'edits'>) {
  if (edits === null || (!edits.available && edits.reason === 'loading')) return null
  if (!edits.available)
    return (
      <p className={styles.limit}>Who changed the monitor could not be read, and is not in this report.</p>
    )
  if (!edits.body.isCut) return null
  return (
    <p className={styles.limit}>
      The history is long: the newest changes of the monitor are not in this report.
    </p>
  )
}

function Availability(props: { readonly id: number; readonly period: Period; readonly nowMs: number }) {
  const { id, period, nowMs } = props
  const window = windowFor(period, nowMs)
  const trend = bodyOf(useTrend(id, window ?? '90d'))
  const counted = trend === null || window === null ? null : availabilityIn(trend, period)
  if (counted === null) return <Fact term="Healthy samples">{missing} · no data for this period</Fact>
  const { samples, healthy, cellMs } = counted
  return (
    <Fact term="Healthy samples">
      <Percent percent={(healthy / samples) * 100} fractionDigits={3} /> · {formatCount(healthy)} of{' '}
      {formatCount(samples)}
      <small className={styles.small}>not an SLA · by whole cells of {formatDuration(cellMs)}</small>
    </Fact>
  )
}

function incidentsInShort({ incidents }: Report, period: Period, nowMs: number): string {
  if (incidents.length === 0) return 'none'
  const lengths = incidents.map((span) => openMs(span, period, nowMs))
  const known = lengths.filter((ms) => ms !== null)
  const inAll = known.reduce((sum, ms) => sum + ms, 0)
  const isPart = known.length < lengths.length
  return `${formatCount(incidents.length)}, open for ${isPart ? 'at least ' : ''}${formatDuration(inAll)} of the period`
}

function outcomesInShort(actions: Report['recoveries'], succeeded: string): string {
  if (actions.length === 0) return 'none'
  const count = (state: Report['recoveries'][number]['facts']['state']) =>
    actions.filter(({ facts }) => facts.state === state).length
  const words = { succeeded, failed: 'failed', unknown: 'without an answer', cancelled: 'dropped' } as const
  const told = (['succeeded', 'failed', 'unknown', 'cancelled'] as const)
    .filter((state) => count(state) > 0)
    .map((state) => `${formatCount(count(state))} ${words[state]}`)
  const open = count('queued') + count('started')
  if (open > 0) told.push(`${formatCount(open)} not ended`)
  return told.join(', ')
}
