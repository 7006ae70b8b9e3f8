// components/panel.tsx: a bordered section with a heading and, opposite it, the period of its figures. If its
// content fails to render, the heading stays.
import { type ReactNode, useId } from 'react'
import { BrokenPart } from './broken-part.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import styles from './panel.module.css'

export interface PanelProps {
  readonly title: ReactNode
  readonly aside?: ReactNode
  readonly children: ReactNode
  /** No padding around the content: for tables that reach the border. */
  readonly flush?: boolean
  readonly className?: string | undefined
}

export function Panel({ title, aside, children, flush = false, className }: PanelProps) {
  const id = useId()
  const names = [styles.panel, flush && styles.flush, className].filter(Boolean).join(' ')
  return (
    <section className={names} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </div>
      <ErrorBoundary fallback={<BrokenPart />}>{children}</ErrorBoundary>
    </section>
  )
}
