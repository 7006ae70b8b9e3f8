// fleet-map/monitor-tip.tsx: names the monitor that is pointed at. What the map holds is said at once; its name is read
// when the pointer rests. For the eye only: the list says the same in text.
import type { Status as StatusName } from '@pulseward/contract'
import { useEffect, useState } from 'react'
import { Status } from '../components/status.tsx'
import { useMonitor } from '../data/monitor.ts'
import { bodyOf } from '../data/reading.ts'
import styles from './fleet-map.module.css'
import { untagged } from './paint-labels.ts'

const restsAfterMs = 140

export interface MonitorTipProps {
  readonly id: number
  readonly status: StatusName
  readonly tag: string
  /** Where the pointer is, and how wide the map is: the tip stays within it. */
  readonly x: number
  readonly y: number
  readonly width: number
}

export function MonitorTip({ id, status, tag, x, y, width }: MonitorTipProps) {
  const monitor = bodyOf(useMonitor(useRested(id)))
  const known = monitor?.id === id ? monitor : null
  const side = x > width / 2 ? { right: width - x + 14 } : { left: x + 14 }
  return (
    <div className={styles.tip} style={{ top: y + 14, ...side }} aria-hidden="true">
      <b>{known?.name ?? `Monitor ${id}`}</b>
      <span className={styles.tipLine}>
        <Status status={status} /> · {tag === '' ? untagged : tag}
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
