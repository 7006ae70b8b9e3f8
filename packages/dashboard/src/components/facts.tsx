// components/facts.tsx: terms and what they are, in columns that line up. `Fact` says what its figure means on hover.
import type { ReactNode } from 'react'
import styles from './facts.module.css'

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

export interface FactProps {
  readonly term: string
  readonly note?: string | undefined
  readonly children: ReactNode
}

export function Fact({ term, note, children }: FactProps) {
  return (
    <div className={styles.fact} title={note}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
