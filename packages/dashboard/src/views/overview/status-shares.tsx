// views/overview/status-shares.tsx: the share of each status as one bar, and the counts below it, each a link
// to the monitors it counts. A status with few monitors keeps a visible sliver.
import type { Config } from '@pulseward/contract'
import { Link } from 'wouter'
import { Panel } from '../../components/panel.tsx'
import { Percent } from '../../components/percent.tsx'
import { Info } from '../../components/popup.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { type Look, lookCounts, lookMeanings, statusWords } from '../../components/status-words.ts'
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
              {lookCounts(overview)
                .filter(([, count]) => count > 0)
                .map(([look, count]) => (
                  <i key={look} className={styles[look]} style={{ flexGrow: count }} />
                ))}
            </div>
            <ul className={styles.counts}>
              {lookCounts(overview).map(([look, count]) => (
                <Count key={look} look={look} count={count} />
              ))}
            </ul>
          </>
        )}
      </ReadingView>
    </Panel>
  )
}

function Count({ look, count }: { readonly look: Look; readonly count: number }) {
  return (
    <li>
      <Link href={`/monitors?status=${look}`} className={styles.count} title={lookMeanings[look]}>
        <b className={count === 0 ? styles.none : undefined}>{formatCount(count)}</b>
        <span className={styles.word}>
          <StatusGlyph status={look} />
          {statusWords[look]}
        </span>
      </Link>
    </li>
  )
}

function HealthySamples({ reading }: { readonly reading: Reading<Overview> }) {
  const config = bodyOf(useConfig())
  if (!reading.available) return null
  const { healthy_sample_percent: percent } = reading.body
  if (percent === null) return 'No check has finished yet'
  return (
    <span className={styles.healthy}>
      <Percent percent={percent} fractionDigits={3} /> of checks healthy
      <Info about="this percentage">{config === null ? notAnSla : `${extentOf(config)} ${notAnSla}`}</Info>
    </span>
  )
}

const notAnSla = 'It is not an SLA measurement.'

/** Without a history, samples are only those since the service started. */
function extentOf({ history_retention_days: keptDays }: Config): string {
  return keptDays === null
    ? 'The healthy share of the checks that the snapshots since the start have seen.'
    : 'The healthy samples among all checks that were stored since each monitor was added.'
}
