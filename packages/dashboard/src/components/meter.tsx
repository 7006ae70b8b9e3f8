// components/meter.tsx: how full something is: a name, a bar and the figures.
import type { ReactNode } from 'react'
import styles from './meter.module.css'

export interface MeterProps {
  readonly name: ReactNode
  /** From 0 to 1; null draws no bar. */
  readonly share: number | null
  readonly figures: ReactNode
  readonly tone?: 'normal' | 'good' | 'warning'
}

export function Meter({ name, share, figures, tone = 'normal' }: MeterProps) {
  return (
    <div className={styles.meter}>
      <span>{name}</span>
      <div className={styles.track} aria-hidden="true">
        {share !== null && share > 0 && (
          <i className={styles[tone]} style={{ width: `${Math.min(100, Math.max(1.5, share * 100))}%` }} />
        )}
      </div>
      <span className={styles.figures}>{figures}</span>
    </div>
  )
}
