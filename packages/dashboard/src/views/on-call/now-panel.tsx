// views/on-call/now-panel.tsx: each schedule with the person who is on call by it, until when, and who is next. One of them is chosen:
// its calendar is below.
import type { v2 } from '@pulseward/contract'
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { Mark } from '../../components/status.tsx'
import { Until } from '../../components/time.tsx'
import { useNowMs } from '../../data/service-clock.ts'
import { formatUntil } from '../../format/time.ts'
import styles from './on-call.module.css'
import { nameOfSchedule } from './sentence.ts'

export interface NowPanelProps {
  readonly schedules: readonly v2.Schedule[]
  readonly isCut: boolean
  readonly chosen: v2.Schedule | undefined
  readonly onChoose: (id: string) => void
}

export function NowPanel({ schedules, isCut, chosen, onChoose }: NowPanelProps) {
  if (schedules.length === 0)
    return (
      <Panel title="On call now">
        <Empty>
          No schedule says who is on call. Create <Link href="/manage/people">people</Link> and a{' '}
          <Link href="/manage/schedules">schedule</Link> first, or name them in a fleet file.
        </Empty>
      </Panel>
    )
  return (
    <Panel title="On call now" aside="times of this browser">
      <ul className={styles.schedules}>
        {schedules.map((schedule) => {
          const isChosen = schedule === chosen
          return (
            <li key={schedule.metadata.id} className={isChosen ? styles.chosen : undefined}>
              <button
                type="button"
                className={styles.schedule}
                aria-pressed={isChosen}
                onClick={() => onChoose(schedule.metadata.id)}
              >
                <bdi>{nameOfSchedule(schedule)}</bdi>
              </button>
              <Duty onCall={schedule.status?.onCall ?? {}} />
            </li>
          )
        })}
      </ul>
      {isCut && <p className={styles.note}>There are more schedules than are shown here.</p>}
    </Panel>
  )
}

function Duty({ onCall }: { readonly onCall: v2.OnCallNow }) {
  const { personRef, name, until, nextPersonRef, nextName } = onCall
  const nowMs = useNowMs()
  return (
    <>
      <span className={styles.who}>
        {personRef === undefined ? (
          <Mark look="degraded" title="The schedule has a gap: a policy reaches no person by it now.">
            Gap
          </Mark>
        ) : (
          <b>
            <bdi>{name ?? personRef}</bdi>
          </b>
        )}
      </span>
      <span className={styles.until}>
        {until === undefined ? (
          'for more than a year'
        ) : (
          <>
            until{' '}
            <time dateTime={until} title={until}>
              {formatUntil(Date.parse(until), nowMs)}
            </time>{' '}
            <span className={styles.quiet}>
              (<Until at={until} />)
            </span>
          </>
        )}
      </span>
      <span className={styles.next}>
        {until !== undefined && (
          <>
            then <bdi>{nextName ?? nextPersonRef ?? 'a gap'}</bdi>
          </>
        )}
      </span>
    </>
  )
}
