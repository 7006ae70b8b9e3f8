// shell/ended-banner.tsx: says that a session has ended, if the fleet can be read without one, so that the
// missing buttons are not taken for a fault.
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
