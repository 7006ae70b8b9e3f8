// components/reading-view.tsx: shows a reading in the look that fits it. If this edition does not serve the
// resource, it is left out or replaced by `absent`.
import type { ReactNode } from 'react'
import type { ReadFailure } from '../data/failure.ts'
import type { Reading } from '../data/reading.ts'
import { Loading } from './loading.tsx'
import styles from './looks.module.css'
import { Age } from './time.tsx'

export interface ReadingViewProps<Body> {
  readonly reading: Reading<Body>
  /** Starts a sentence: "The list". */
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

/** Shown above data that could not be refreshed: how old it is, and why. */
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

/** The resource could not be read, so nothing is known. Looks like neither empty nor healthy. */
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
