// acting/meanwhile.tsx: what other people did since the dialog was opened.
import { ChangeList } from '../components/change-list.tsx'
import { Reason } from '../components/reason.tsx'
import { Time } from '../components/time.tsx'
import styles from './act.module.css'
import type { Since } from './use-acting.ts'

export function Meanwhile({ since }: { readonly since: Since }) {
  if (since === null) return <p>The history cannot be read now.</p>
  if (since.length === 0) return <p>The history shows nothing new since you opened this.</p>
  return (
    <ol className={styles.since} aria-label="Since you opened this">
      {since.map(({ id, sentence, at, reason, changes }) => (
        <li key={id}>
          <p className={styles.happened}>
            <bdi>{sentence}</bdi> <Time at={at} />
          </p>
          {reason !== null && <Reason text={reason} />}
          {changes.length > 0 && <ChangeList changes={changes} />}
        </li>
      ))}
    </ol>
  )
}
