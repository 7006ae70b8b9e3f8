// views/report: an incident report for one monitor and a period, to be read on paper as well as on the
// screen. Monitor and period are in the URL.
import { useEffect } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { type MonitorDetail, useMonitor } from '../../data/monitor.ts'
import { usePeriodHistory } from '../../data/period-history.ts'
import { useMonitorEdits } from '../../data/resource-events.ts'
import { serviceNowMs } from '../../data/service-clock.ts'
import { formatMoment } from '../../format/time.ts'
import { lastPeriod, type NamedPeriod, type Period, periodOf, reportPath } from './period.ts'
import { PeriodForm } from './period-form.tsx'
import styles from './report.module.css'
import { ReportBody } from './report-body.tsx'

const usualMs = 7 * 86_400_000

export default function ReportView({ id }: { readonly id: string }) {
  const reading = useMonitor(id)
  const named = useNamedPeriod(id, reading.available)
  const name = reading.available ? reading.body.name : `monitor ${id}`
  return (
    <>
      <PageTitle
        tab={`Incident report: ${name}`}
        note={named.kind === 'period' && <When {...named.period} />}
      >
        Incident report: {name}
      </PageTitle>
      <div className={styles.bar}>
        <PeriodForm
          key={named.kind === 'period' ? reportPath(id, named.period) : named.kind}
          id={id}
          period={named.kind === 'period' ? named.period : null}
        />
        <Button onClick={() => print()}>Print</Button>
        <Link href={`/monitors/${id}`} className={styles.link}>
          Back to the monitor
        </Link>
      </div>
      {named.kind === 'wrong' && <Empty>{named.why}</Empty>}
      {named.kind !== 'wrong' && (
        <ReadingView reading={reading} what="The monitor">
          {(monitor) => named.kind === 'period' && <ReportOf monitor={monitor} period={named.period} />}
        </ReadingView>
      )}
    </>
  )
}

function When({ fromMs, toMs }: Period) {
  return (
    <>
      {formatMoment(fromMs)} to {formatMoment(toMs)}, in the time of {zone()}
    </>
  )
}

function zone(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone
}

/**
 * A URL without a period gets the last week, so that it can be shared; but not before the service has
 * answered, since until then only the browser's clock is known.
 */
function useNamedPeriod(id: string, hasAnswered: boolean): NamedPeriod {
  const search = useSearch()
  const [, navigate] = useLocation()
  const named = periodOf(search)
  const isDue = named.kind === 'none' && hasAnswered
  useEffect(() => {
    if (isDue) navigate(reportPath(id, lastPeriod(usualMs, serviceNowMs())), { replace: true })
  }, [isDue, id, navigate])
  return named
}

function ReportOf({ monitor, period }: { readonly monitor: MonitorDetail; readonly period: Period }) {
  const reading = usePeriodHistory(monitor.monitor_id ?? null, period.fromMs)
  const edits = useMonitorEdits(monitor.monitor_id ?? null)
  if (monitor.monitor_id === undefined)
    return <Empty>There is no report: this edition keeps no history.</Empty>
  return (
    <ReadingView reading={reading} what="The history">
      {(history) => <ReportBody monitor={monitor} period={period} history={history} edits={edits} />}
    </ReadingView>
  )
}
