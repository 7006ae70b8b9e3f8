// shell/stale-banner.tsx: says above every view that the service answers with old data, since when and why.
// It disappears when the data is fresh again.

import { staleWords } from '@pulseward/contract/v1/words'
import { Time } from '../components/time.tsx'
import { useOverview } from '../data/overview.ts'
import { bodyOf } from '../data/reading.ts'
import styles from './shell.module.css'

export function StaleBanner() {
  const stale = bodyOf(useOverview())?.stale ?? null
  return (
    <div role="status">
      {stale !== null && (
        <p className={styles.stale} title={stale.reason}>
          <strong>Stale</strong>
          <span>
            This page shows the fleet as it was at <Time at={stale.since} />. {staleWords[stale.reason]}
          </span>
        </p>
      )}
    </div>
  )
}
