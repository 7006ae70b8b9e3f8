// components/reading-view.tsx: shows a reading in the look that fits it. What only some editions serve is left out, or
// replaced by `absent`, where it is not served.
import type { ReactNode } from 'react'
import type { ReadFailure } from '../data/failure.ts'
import type { Reading } from '../data/reading.ts'
import { Loading } from './loading.tsx'
import styles from './looks.module.css'
import { Age } from './time.tsx'

export interface ReadingViewProps<Body> {
  readonly reading: Reading<Body>
  /** Begins a sentence: "The list". */
  readonly what: string
  readonly absent?: ReactNode
  readonly children: (body: Body) => ReactNode
}

export function ReadingView<Body>({ reading, what, absent = null, children }: ReadingViewProps<Body>) {
  if (reading.available)
    return (
      <>
        {reading.stale !== null && <Stale readAtMs={reading.readAtMs} failure={reading.stale} />}
        {children(reading.body)}
      </>
    )
  if (reading.reason === 'loading') return <Loading what={what} />
  if (reading.reason === 'absent') return absent
  return <Unavailable what={what} failure={reading.failure} />
}

/** Stands over data that could not be read again: how old it is, and why. */
function Stale({ readAtMs, failure }: { readonly readAtMs: number; readonly failure: ReadFailure }) {
  return (
    <p className={styles.stale} role="status" title={failure.code ?? undefined}>
      <span className={styles.tag}>Old</span>
      <span>
        Read <Age sinceMs={readAtMs} byBrowserClock /> ago. {failure.message}
      </span>
    </p>
  )
}

/** It could not be read, so nothing is known. Looks like neither empty nor healthy. */
function Unavailable({ what, failure }: { readonly what: string; readonly failure: ReadFailure }) {
  return (
    <div className={styles.unavailable} role="status">
      <p>
        <strong>{what} is not available.</strong> {failure.message}
      </p>
      {failure.requestId !== null && (
        <p className={styles.code}>
          <code>{failure.code}</code> · request <code>{failure.requestId}</code>
        </p>
      )}
    </div>
  )
}
