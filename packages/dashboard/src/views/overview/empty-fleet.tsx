// views/overview/empty-fleet.tsx: what is offered while nothing is monitored, and until the first steps are finished. A
// separate chunk, which a page with monitors never loads.
import { lazy, Suspense } from 'react'
import { useMay } from '../../data/may.ts'
import { useOverview } from '../../data/overview.ts'
import { bodyOf } from '../../data/reading.ts'
import { useProgress } from '../manage/first-use/progress.ts'

const FirstUse = lazy(() => import('../manage/first-use/index.tsx'))

export function EmptyFleet() {
  const overview = bodyOf(useOverview())
  const { hasBegun } = useProgress()
  const mayGoOn = useMay('CreateMonitor') && hasBegun
  if (overview?.total !== 0 && !mayGoOn) return null
  return (
    <Suspense>
      <FirstUse />
    </Suspense>
  )
}
