// shell/destination-banner.tsx: says above every view that notifications are not delivered, and where to see why.
import { Link } from 'wouter'
import { StatusGlyph } from '../components/status.tsx'
import { useQueues } from '../data/queues.ts'
import { bodyOf } from '../data/reading.ts'
import { destinationTrouble } from '../words/destination-words.ts'
import styles from './shell.module.css'

export function DestinationBanner() {
  const trouble = destinationTrouble(bodyOf(useQueues())?.destinations ?? [])
  return (
    <div role="status">
      {trouble !== null && (
        <p className={styles.unheard}>
          <StatusGlyph status="down" />
          <span>
            {trouble}{' '}
            <Link href="/system" className={styles.link}>
              See why
            </Link>
          </span>
        </p>
      )}
    </div>
  )
}
