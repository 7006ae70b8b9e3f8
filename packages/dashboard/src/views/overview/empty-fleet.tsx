// views/overview/empty-fleet.tsx: the first steps: for everybody while nothing is monitored, and for operators until they are
// finished, or while nobody at all would be told of a failure. A separate chunk, which other pages never load.
import { lazy, Suspense } from 'react'
import { useMay } from '../../data/may.ts'
import { useOverview } from '../../data/overview.ts'
import { useQueues } from '../../data/queues.ts'
import { bodyOf } from '../../data/reading.ts'
import { useProgress } from '../manage/first-use/progress.ts'

const FirstUse = lazy(() => import('../manage/first-use/index.tsx'))

export function EmptyFleet() {
  const overview = bodyOf(useOverview())
  const destinations = bodyOf(useQueues())?.destinations
  const { hasBegun, isLeft } = useProgress()
  const mayGoOn = useMay('CreateMonitor')
  const tellsNobody = destinations?.length === 0 && !isLeft
  if (overview?.total !== 0 && !(mayGoOn && (hasBegun || tellsNobody))) return null
  return (
    <Suspense>
      <FirstUse />
    </Suspense>
  )
}
