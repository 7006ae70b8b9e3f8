// components/status.tsx: a status is glyph, word and hue, the same everywhere; never hue alone.
import type { ReactNode } from 'react'
import { useNowMs } from '../data/service-clock.ts'
import { formatUntil } from '../format/time.ts'
import styles from './status.module.css'
import { type Look, type Looking, lookMeanings, lookOf, statusWords } from './status-words.ts'

const glyphs: Readonly<Record<Look, ReactNode>> = {
  up: <path d="M2 6.5 5 9.2l5-6.4" />,
  degraded: <path className={styles.filled} d="M6 1 11.5 11H.5Z" />,
  verifying: <path d="M10 6.2A4.1 4.1 0 1 1 8.6 3M8.9.8v2.6H6.3" />,
  down: <path d="M6 1.8v8.4M2.5 6.7 6 10.2l3.5-3.5" />,
  incident: <circle className={styles.filled} cx="6" cy="6" r="5" />,
  unknown: <circle cx="6" cy="6" r="4.4" strokeDasharray="2.3 2.3" />,
  snoozed: <path className={styles.filled} d="M10.6 7.6A5 5 0 1 1 5 1.1a4 4 0 0 0 5.6 6.5Z" />,
  disabled: <path d="M2 6h8" />,
}

/** Decoration beside its word, hidden from screen readers. */
export function StatusGlyph({ status, size = 12 }: { readonly status: Look; readonly size?: number }) {
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
  readonly look: Look
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

/** The look of a monitor; of a snoozed one also until when. */
export function Status({ of }: { readonly of: Looking }) {
  const look = lookOf(of)
  return (
    <Mark look={look} title={lookMeanings[look]}>
      {statusWords[look]}
      {of.snoozed_until != null && <SnoozedUntil at={of.snoozed_until} />}
    </Mark>
  )
}

function SnoozedUntil({ at }: { readonly at: string }) {
  const nowMs = useNowMs()
  return (
    <time dateTime={at} title={at} className={styles.until}>
      {' '}
      until {formatUntil(Date.parse(at), nowMs)}
    </time>
  )
}
