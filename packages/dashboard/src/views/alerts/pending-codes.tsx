// views/alerts/pending-codes.tsx: how many monitors have a notification of each color queued or in flight.
import { Link } from 'wouter'
import { CodeMark } from '../../components/code-mark.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import type { Overview } from '../../data/overview.ts'
import type { Reading } from '../../data/reading.ts'
import { formatCount } from '../../format/count.ts'
import { codeOrder } from '../../words/codes.ts'
import styles from './alerts.module.css'

export function PendingCodes({ overview }: { readonly overview: Reading<Overview> }) {
  return (
    <Panel title="Notifications in flight" aside="monitors, by the most important color">
      <ReadingView reading={overview} what="The count of notifications">
        {({ by_code }) => (
          <ul className={styles.codes}>
            {codeOrder.every((code) => countOf(by_code, code) === 0) && (
              <li className={styles.words}>No notification is waiting or in flight.</li>
            )}
            {codeOrder
              .filter((code) => countOf(by_code, code) > 0)
              .map((code) => (
                <li key={code}>
                  <Link href={`/monitors?code=${code}`} className={styles.codeLink}>
                    <CodeMark code={code} />
                    <b>{formatCount(countOf(by_code, code))}</b>
                  </Link>
                </li>
              ))}
          </ul>
        )}
      </ReadingView>
    </Panel>
  )
}

function countOf(counts: Overview['by_code'], code: keyof Overview['by_code']): number {
  return counts[code] ?? 0
}
