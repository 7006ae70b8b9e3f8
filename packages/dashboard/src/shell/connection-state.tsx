// shell/connection-state.tsx: whether the page is current, and the switch that pauses it.
import { IconButton } from '../components/button.tsx'
import { Age } from '../components/time.tsx'
import { useConnection, useLastAnswerAtMs } from '../data/connection.ts'
import { useOverview } from '../data/overview.ts'
import { bodyOf } from '../data/reading.ts'
import { paused, usePaused } from '../data/refresh.ts'
import styles from './connection-state.module.css'
import { PauseIcon, ResumeIcon } from './icons.tsx'

const words = {
  connecting: 'Connecting',
  live: 'Live',
  late: 'Waiting',
  lost: 'No answer',
  'signed-out': 'Signed out',
  paused: 'Paused',
  stale: 'Stale',
} as const

export function ConnectionState() {
  const { state } = useConnection()
  const isPaused = usePaused()
  const lastAnswerAtMs = useLastAnswerAtMs()
  const isStale = (bodyOf(useOverview())?.stale ?? null) !== null
  const shown = state !== 'live' ? state : isPaused ? 'paused' : isStale ? 'stale' : 'live'
  return (
    <div className={styles.state}>
      <i className={`${styles.dot} ${styles[shown]}`} />
      <span className={styles.words}>
        {words[shown]}
        {lastAnswerAtMs !== null && shown !== 'connecting' && (
          <span className={styles.age}>
            <span>·</span> <Age sinceMs={lastAnswerAtMs} byBrowserClock /> ago
          </span>
        )}
      </span>
      <IconButton
        label={isPaused ? 'Resume refreshing' : 'Pause refreshing'}
        aria-pressed={isPaused}
        onClick={() => paused.set(!isPaused)}
      >
        {isPaused ? <ResumeIcon /> : <PauseIcon />}
      </IconButton>
    </div>
  )
}
