// fleet-map/monitor-tip.tsx: names the monitor under the pointer. What the map contains is shown at once; the
// name is read when the pointer rests. Visual only: the list gives the same in text.
import { useEffect, useState } from 'react'
import { Mark, Status } from '../components/status.tsx'
import { type Look, lookMeanings, lookOf, statusWords } from '../components/status-words.ts'
import { useMonitor } from '../data/monitor.ts'
import { bodyOf } from '../data/reading.ts'
import styles from './fleet-map.module.css'
import { untagged } from './paint-labels.ts'

const restsAfterMs = 140

export interface MonitorTipProps {
  readonly id: number
  readonly look: Look
  readonly tag: string
  /** The position of the pointer and the width of the map: the tip stays within it. */
  readonly x: number
  readonly y: number
  readonly width: number
}

export function MonitorTip({ id, look, tag, x, y, width }: MonitorTipProps) {
  const monitor = bodyOf(useMonitor(useRested(id)))
  const known = monitor?.id === id ? monitor : null
  const side = x > width / 2 ? { right: width - x + 14 } : { left: x + 14 }
  return (
    <div className={styles.tip} style={{ top: y + 14, ...side }} aria-hidden="true">
      <b>{known?.name ?? `Monitor ${id}`}</b>
      <span className={styles.tipLine}>
        {known !== null && lookOf(known) === look ? (
          <Status of={known} />
        ) : (
          <Mark look={look} title={lookMeanings[look]}>
            {statusWords[look]}
          </Mark>
        )}{' '}
        · {tag === '' ? untagged : tag}
      </span>
      {known?.last_error && <span className={styles.tipLine}>{known.last_error}</span>}
    </div>
  )
}

function useRested(id: number): number | null {
  const [rested, setRested] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRested(id), restsAfterMs)
    return () => clearTimeout(timer)
  }, [id])
  return rested
}
