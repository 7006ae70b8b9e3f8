// views/manage/history-panel.tsx: who changed what, as a readable difference.
import type { v2 } from '@pulseward/contract'
import { useQuery } from '@tanstack/react-query'
import { ChangeList } from '../../components/change-list.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Time } from '../../components/time.tsx'
import { readingOf } from '../../data/reading.ts'
import { type ResourceEvents, readResourceEvents } from '../../data/resource-events.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import type { KindWords } from './kinds.ts'
import styles from './manage.module.css'

const mostShown = 50

export interface HistoryPanelProps {
  readonly words: KindWords
  readonly id: string
  /** The history is read again for every version. */
  readonly version: string
  readonly requests: V2Requests
}

export function HistoryPanel({ words, id, version, requests }: HistoryPanelProps) {
  const reading = readingOf(
    useQuery<ResourceEvents>({
      queryKey: ['v2-resource-events', words.kind, id, version],
      queryFn: ({ signal }) => readResourceEvents(requests, words.kind, id, signal),
      refetchOnWindowFocus: false,
    }),
  )
  return (
    <Panel title="Who changed what" aside="newest first">
      <ReadingView reading={reading} what="The history">
        {({ events, isCut }) => (
          <>
            {isCut && <p className={styles.note}>The history is long; its newest part is not shown.</p>}
            {events.length === 0 ? (
              <Empty>No changes are known: they are older than the history that is kept.</Empty>
            ) : (
              <ol className={styles.history}>
                {events.slice(0, mostShown).map((event) => (
                  <ChangeEvent key={event.id} event={event} />
                ))}
              </ol>
            )}
          </>
        )}
      </ReadingView>
    </Panel>
  )
}

const verbs: Partial<Readonly<Record<v2.Event['kind'], string>>> = {
  resource_created: 'Created',
  resource_updated: 'Changed',
  resource_deleted: 'Deleted',
}

function ChangeEvent({ event }: { readonly event: v2.Event }) {
  const { kind, actor, time, changes = [] } = event
  return (
    <li title={kind}>
      <p className={styles.happened}>
        <span>
          {verbs[kind] ?? kind} by <strong>{actor ?? 'the service'}</strong>
        </span>
        <Time at={time} />
      </p>
      {changes.length > 0 && (
        <ChangeList changes={changes.map(({ field, before, after }) => ({ field, before, after }))} />
      )}
    </li>
  )
}
