// views/overview/locations-away.tsx: which locations are connected, as a sentence that leads to them. Nothing where the service
// checks everything itself.
import { Link } from 'wouter'
import { bodyOf } from '../../data/reading.ts'
import { useSystems } from '../../data/systems.ts'
import { locationsSentence } from './locations-sentence.ts'
import styles from './overview.module.css'

export function LocationsAway() {
  const sentence = locationsSentence(bodyOf(useSystems())?.locations ?? [])
  if (sentence === null) return null
  return (
    <Link className={styles.link} href="/system">
      {sentence}
    </Link>
  )
}
