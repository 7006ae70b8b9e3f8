// views/overview/answer.tsx: the sentence at the top. A component of its own, since it changes every second.
import { PageTitle } from '../../components/page-title.tsx'
import { useOverview } from '../../data/overview.ts'
import { bodyOf } from '../../data/reading.ts'
import { useNowMs } from '../../data/service-clock.ts'
import styles from './overview.module.css'
import { sentenceOf } from './sentence.ts'
import { useUnknownDue } from './unknown-due.ts'

export function Answer() {
  const reading = useOverview()
  const due = useUnknownDue(bodyOf(reading)?.by_status.unknown ?? 0)
  const { lead, trouble, notes } = sentenceOf(reading, due, useNowMs())
  return (
    <PageTitle tab="Overview" note={notes.join(' ')}>
      {lead} {trouble !== null && <em className={styles.trouble}>{trouble}</em>}
    </PageTitle>
  )
}
