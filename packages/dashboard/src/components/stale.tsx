// components/stale.tsx: stands over data that could not be read again: how old it is, and why.
import type { ReadFailure } from '../data/failure.ts'
import styles from './looks.module.css'
import { Age } from './time.tsx'

export function Stale({ readAtMs, failure }: { readonly readAtMs: number; readonly failure: ReadFailure }) {
  return (
    <p className={styles.stale} role="status" title={failure.code ?? undefined}>
      <span className={styles.tag}>Old</span>
      <span>
        Read <Age sinceMs={readAtMs} byBrowserClock /> ago. {failure.message}
      </span>
    </p>
  )
}
