// components/destination-list.tsx: where notifications go, and which destinations cannot be reached: those in
// trouble first and marked, with since when, why and until when. Many healthy ones are collapsed.
import type { Destination } from '@pulseward/contract'
import { formatCount, plural } from '../format/count.ts'
import {
  destinationLooks,
  destinationMeanings,
  destinationWords,
  isInTrouble,
  worstFirst,
} from '../words/destination-words.ts'
import styles from './destination-list.module.css'
import { Empty } from './empty.tsx'
import { Reason } from './reason.tsx'
import { Mark } from './status.tsx'
import { Age, Time, Until } from './time.tsx'

/** If more than this many are healthy, they are not shown one by one. */
const shownWhenWell = 6

export function DestinationList({ destinations }: { readonly destinations: readonly Destination[] }) {
  if (destinations.length === 0)
    return <Empty>No destination is configured: no notifications are sent.</Empty>
  const sorted = worstFirst(destinations)
  const well = sorted.filter(({ state }) => state === 'ok')
  if (well.length <= shownWhenWell) return <Rows destinations={sorted} />
  return (
    <>
      <Rows destinations={sorted.filter(({ state }) => state !== 'ok')} />
      <details className={styles.well}>
        <summary>{plural(well.length, 'destination accepts', 'destinations accept')} notifications</summary>
        <Rows destinations={well} />
      </details>
    </>
  )
}

function Rows({ destinations }: { readonly destinations: readonly Destination[] }) {
  return (
    <ul>
      {destinations.map((destination) => (
        <Row key={destination.name} destination={destination} />
      ))}
    </ul>
  )
}

function Row({ destination }: { readonly destination: Destination }) {
  const { name, driver, state, since, reason, queued } = destination
  return (
    <li className={`${styles.row} ${isInTrouble(destination) ? styles.trouble : ''} ${styles[state] ?? ''}`}>
      <div className={styles.head}>
        <strong>{name}</strong> <span className={styles.quiet}>{driver}</span>
      </div>
      <span className={styles.quiet} title={`${plural(queued, 'notification')} for it`}>
        {queued > 0 && `${formatCount(queued)} waiting`}
      </span>
      <div className={styles.how}>
        <Mark look={destinationLooks[state]} title={`${state}: ${destinationMeanings[state]}`}>
          {destinationWords[state]}
        </Mark>
        {since !== null && (
          <span>
            since <Time at={since} />, for <Age since={since} />
          </span>
        )}
        <Next destination={destination} />
      </div>
      {reason !== null && (
        <div className={styles.why}>
          <Reason text={reason} />
        </div>
      )}
    </li>
  )
}

function Next({ destination: { state, until } }: { readonly destination: Destination }) {
  if (state === 'ok') return null
  if (state === 'dead') return <span>nothing is sent until its configuration changes</span>
  return <span>tried again {until === null ? 'with the next notification' : <Until at={until} />}</span>
}
