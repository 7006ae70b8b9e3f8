// components/status.tsx: a status is glyph, word and hue, the same everywhere; never hue alone.
import type { Status as StatusName } from '@pulseward/contract'
import { statusMeanings } from '@pulseward/contract/v1/words'
import type { ReactNode } from 'react'
import styles from './status.module.css'
import { statusWords } from './status-words.ts'

const glyphs: Readonly<Record<StatusName, ReactNode>> = {
  up: <path d="M2 6.5 5 9.2l5-6.4" />,
  degraded: <path className={styles.filled} d="M6 1 11.5 11H.5Z" />,
  verifying: <path d="M10 6.2A4.1 4.1 0 1 1 8.6 3M8.9.8v2.6H6.3" />,
  down: <path d="M6 1.8v8.4M2.5 6.7 6 10.2l3.5-3.5" />,
  incident: <circle className={styles.filled} cx="6" cy="6" r="5" />,
  unknown: <circle cx="6" cy="6" r="4.4" strokeDasharray="2.3 2.3" />,
  disabled: <path d="M2 6h8" />,
}

/** Decoration beside its word, hidden from screen readers. */
export function StatusGlyph({ status, size = 12 }: { readonly status: StatusName; readonly size?: number }) {
  return (
    <svg
      className={`${styles.glyph} ${styles[status]}`}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      {glyphs[status]}
    </svg>
  )
}

export interface MarkProps {
  readonly look: StatusName
  readonly title: string
  readonly children: ReactNode
}

/** Other words with the glyph and hue of a status. */
export function Mark({ look, title, children }: MarkProps) {
  return (
    <span className={`${styles.status} ${styles[look]}`} title={title}>
      <StatusGlyph status={look} />
      {children}
    </span>
  )
}

export function Status({ status }: { readonly status: StatusName }) {
  return (
    <Mark look={status} title={statusMeanings[status]}>
      {statusWords[status]}
    </Mark>
  )
}
