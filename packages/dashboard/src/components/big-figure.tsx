// components/big-figure.tsx: the main number of a panel, and what it means.
import type { ReactNode } from 'react'
import styles from './big-figure.module.css'

export function BigFigure({ children, means }: { readonly children: ReactNode; readonly means: ReactNode }) {
  return (
    <p className={styles.figure}>
      {children} <span className={styles.means}>{means}</span>
    </p>
  )
}

export function Note({ children, title }: { readonly children: ReactNode; readonly title?: string }) {
  return (
    <p className={styles.note} title={title}>
      {children}
    </p>
  )
}
