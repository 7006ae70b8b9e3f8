// views/overview/status-shares.tsx: the share of each status as one bar, and the counts below it, each a link
// to the monitors it counts. A status with few monitors keeps a visible sliver.
import type { Config, Status as StatusName } from '@pulseward/contract'
import { statusMeanings } from '@pulseward/contract/v1/words'
import { Link } from 'wouter'
import { Panel } from '../../components/panel.tsx'
import { Percent } from '../../components/percent.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { statusOrder, statusWords } from '../../components/status-words.ts'
import { useConfig } from '../../data/config.ts'
import { type Overview, useOverview } from '../../data/overview.ts'
import { bodyOf, type Reading } from '../../data/reading.ts'
import { formatCount } from '../../format/count.ts'
import styles from './status-shares.module.css'

export function StatusShares() {
  const reading = useOverview()
  return (
    <Panel title="Fleet by status" aside={<HealthySamples reading={reading} />}>
      <ReadingView reading={reading} what="The breakdown by status">
        {(overview) => (
          <>
            <div className={styles.bar} aria-hidden="true">
              {statusOrder
                .filter((status) => overview.by_status[status] > 0)
                .map((status) => (
                  <i
                    key={status}
                    className={styles[status]}
                    style={{ flexGrow: overview.by_status[status] }}
                  />
                ))}
            </div>
            <ul className={styles.counts}>
              {statusOrder.map((status) => (
                <Count key={status} status={status} count={overview.by_status[status]} />
              ))}
            </ul>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}

function Count({ status, count }: { readonly status: StatusName; readonly count: number }) {
  return (
    <li>
      <Link href={`/monitors?status=${status}`} className={styles.count} title={statusMeanings[status]}>
        <b className={count === 0 ? styles.none : undefined}>{formatCount(count)}</b>
        <span className={styles.word}>
          <StatusGlyph status={status} />
          {statusWords[status]}
        </span>
      </Link>
    </li>
  )
}

function HealthySamples({ reading }: { readonly reading: Reading<Overview> }) {
  const config = bodyOf(useConfig())
  if (!reading.available) return null
  const { healthy_sample_percent: percent } = reading.body
  if (percent === null) return 'healthy checks: none has finished yet'
  return (
    <>
      healthy samples <Percent percent={percent} fractionDigits={3} /> {config !== null && extentOf(config)} ·
      not an SLA measurement
    </>
  )
}

/** Without a history, samples are only those since the service started. */
function extentOf({ history_retention_days: keptDays }: Config): string {
  return keptDays === null ? 'of the snapshots since the start' : 'of committed checks'
}
