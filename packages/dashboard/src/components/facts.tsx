// components/facts.tsx: terms and their values, in aligned columns. `Fact` explains its figure on hover.
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
