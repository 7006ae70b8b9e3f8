// shell/ended-banner.tsx: says that a session has ended where the fleet can be read without one, so that nobody takes the
// missing buttons for a fault.
import { useSession } from '../data/session.ts'
import styles from './shell.module.css'

export function EndedBanner() {
  const state = useSession()
  return (
    <div role="status">
      {state.kind === 'signed-out' && state.hasEnded && (
        <p className={styles.stale}>Your session has ended. Sign in again to act.</p>
      )}
    </div>
  )
}
