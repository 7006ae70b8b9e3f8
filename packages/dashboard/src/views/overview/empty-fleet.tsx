// views/overview/empty-fleet.tsx: what is offered while nothing is monitored. A separate chunk, which a page
// with monitors never loads.
import { lazy, Suspense, useState } from 'react'
import { useOverview } from '../../data/overview.ts'
import { bodyOf } from '../../data/reading.ts'

const FirstUse = lazy(() => import('../manage/first-use.tsx'))

export function EmptyFleet() {
  const overview = bodyOf(useOverview())
  const [hasBegun, setHasBegun] = useState(false)
  if (overview?.total !== 0 && !hasBegun) return null
  return (
    <Suspense>
      <FirstUse onWatched={() => setHasBegun(true)} />
    </Suspense>
  )
}
