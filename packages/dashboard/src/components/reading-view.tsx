// components/reading-view.tsx: shows a reading in the look that fits it. What only some editions serve is left away, or
// replaced by `absent`, where it is not served.
import type { ReactNode } from 'react'
import type { Reading } from '../data/reading.ts'
import { Loading } from './loading.tsx'
import { Stale } from './stale.tsx'
import { Unavailable } from './unavailable.tsx'

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
