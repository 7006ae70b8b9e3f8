// shell/lost-banner.tsx: says that the service does not answer, and disappears when it does again.
import { Time } from '../components/time.tsx'
import { useConnection } from '../data/connection.ts'
import { usePaused } from '../data/refresh.ts'
import { serviceNowMs } from '../data/service-clock.ts'
import styles from './shell.module.css'

export function LostBanner() {
  const connection = useConnection()
  const isPaused = usePaused()
  return (
    <div role="status">
      {connection.state === 'lost' && (
        <p className={styles.lost}>
          The state of the fleet is not known since{' '}
          <Time at={new Date(serviceNowMs(connection.sinceMs)).toISOString()} />: Pulseward does not answer.
          The data is from then;{' '}
          {isPaused ? 'refreshing is paused.' : 'the page tries again every five seconds.'}
        </p>
      )}
    </div>
  )
}
