// components/page-title.tsx: the heading of a view and the title of the tab. It takes the focus when the view
// changes, so that a screen reader starts where the eye does.
import { type ReactNode, useEffect, useRef } from 'react'
import { takeFocusAfterNavigation } from '../shell/navigation-focus.ts'
import styles from './page-title.module.css'

export interface PageTitleProps {
  readonly children: ReactNode
  /** For the tab, if the heading is not plain text. */
  readonly tab?: string
  readonly note?: ReactNode
}

export function PageTitle({ children, tab, note }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const name = tab ?? (typeof children === 'string' ? children : null)
  useEffect(() => {
    document.title = name === null ? 'Pulseward' : `${name} · Pulseward`
  }, [name])
  useEffect(() => {
    if (takeFocusAfterNavigation()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className={styles.head}>
      <h1 className={styles.title} ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </header>
  )
}
