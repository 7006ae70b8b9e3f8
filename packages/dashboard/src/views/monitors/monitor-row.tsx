// views/monitors/monitor-row.tsx: a row of the list. On a phone the same cells are below each other.
import { memo, type Ref } from 'react'
import { CodeMark } from '../../components/code-mark.tsx'
import { Status } from '../../components/status.tsx'
import { AgeAt } from '../../components/time.tsx'
import type { MonitorRow } from '../../data/monitors.ts'
import { missing } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatPercent, percentInFull } from '../../format/percent.ts'
import { Strip } from '../../strips/strip.tsx'
import styles from './rows.module.css'
import { select } from './selection.ts'

export interface MonitorRowProps {
  readonly row: MonitorRow
  /** Its index in the page, from 0. */
  readonly index: number
  readonly nowMs: number
  readonly measure: Ref<HTMLTableRowElement>
  /** Null if nothing can be selected. */
  readonly isSelected: boolean | null
  /** All matches of the filter are selected: single rows cannot be excluded. */
  readonly isFixed: boolean
}

export const MonitorTableRow = memo(function MonitorTableRow({
  row,
  index,
  nowMs,
  measure,
  isSelected,
  isFixed,
}: MonitorRowProps) {
  return (
    // For screen readers the heading is row 1.
    <tr className={styles.row} ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td className={styles.status}>
        {isSelected !== null && (
          <input
            type="checkbox"
            className={styles.select}
            aria-label={`Select ${row.name}`}
            checked={isSelected}
            disabled={isFixed}
            onChange={({ target }) => select([row], target.checked)}
          />
        )}
        <Status of={row} />
        {row.consecutive_failures > 0 && row.last_success !== null && (
          <span className={styles.since} title="Since the last success">
            for <AgeAt since={row.last_success} nowMs={nowMs} />
          </span>
        )}
      </td>
      <td className={styles.name}>
        {/* The table handles the click, with one listener for all rows. */}
        <a href={`/monitors/${row.id}`} className={styles.link} title={row.name}>
          {row.name}
        </a>
        <span className={styles.target} title={row.target}>
          {row.warning ?? row.target}
        </span>
      </td>
      <td className={styles.history}>
        <Strip id={row.id} intervalMs={row.interval_ms} hasSpark className={styles.strip} />
      </td>
      <td className={styles.latency}>{formatMilliseconds(row.latency_ms)}</td>
      <td className={styles.share} title={percentInFull(row.healthy_sample_percent)}>
        {formatPercent(row.healthy_sample_percent, 2)}
      </td>
      <td className={styles.type}>
        {row.pulse_type}
        <span className={styles.tags} title={row.tags.join(', ')}>
          {row.tags.join(', ')}
        </span>
      </td>
      <td className={styles.code}>
        {row.pending_code === '' ? (
          <span className={styles.none}>{missing}</span>
        ) : (
          <CodeMark code={row.pending_code} />
        )}
      </td>
      <td className={styles.checked}>
        {row.last_check === null ? (
          missing
        ) : (
          <>
            <AgeAt since={row.last_check} nowMs={nowMs} /> ago
          </>
        )}
      </td>
    </tr>
  )
})
