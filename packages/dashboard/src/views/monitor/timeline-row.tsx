// views/monitor/timeline-row.tsx: an incident with its actions, an action, an edit of the monitor, or another event.
import { ChangeList } from '../../components/change-list.tsx'
import { Reason } from '../../components/reason.tsx'
import { StatusGlyph } from '../../components/status.tsx'
import { StoryLink } from '../../components/story-link.tsx'
import { Age, Duration, Time } from '../../components/time.tsx'
import type { IncidentCause } from '../../words/incident-cause.ts'
import { ActionGlyph } from './action-glyph.tsx'
import styles from './timeline.module.css'
import type { EditLine, Entry, IncidentSpan, TimelineItem } from './timeline.ts'

export interface TimelineRowProps {
  readonly item: TimelineItem
  /** On an older page, an incident without an end was closed later. */
  readonly isNewestPage: boolean
}

export function TimelineRow({ item, isNewestPage }: TimelineRowProps) {
  if (item.kind === 'edit') return <EditRow edit={item} />
  if (item.kind !== 'incident') return <EntryRow entry={item} />
  const isOpen = item.closedAt === null && isNewestPage
  return (
    <li className={`${styles.incident} ${isOpen ? styles.open : ''}`}>
      <p className={styles.heading}>
        <StatusGlyph status={isOpen ? 'incident' : 'up'} />
        <span className={styles.sentence}>
          {spanSentence(item, isOpen)} <StoryLink id={item.id} />
        </span>
        <span className={styles.length}>
          <SpanLength span={item} isOpen={isOpen} />
        </span>
      </p>
      <p className={styles.bounds}>
        {item.openedAt === null ? 'opened earlier' : <Time at={item.openedAt} />}
        {' – '}
        {item.closedAt !== null ? <Time at={item.closedAt} /> : isOpen ? 'now' : 'later'}
      </p>
      {item.cause !== null && <CauseOf cause={item.cause} />}
      {item.entries.length > 0 && (
        <ol className={styles.entries}>
          {item.entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </li>
  )
}

function CauseOf({ cause: { text, failingSince, worker } }: { readonly cause: IncidentCause }) {
  return (
    <div className={styles.cause}>
      <Reason text={text} />
      {(failingSince !== null || worker !== null) && (
        <p>
          {failingSince !== null && (
            <>
              Failing since <Time at={failingSince} />
              {worker === null ? '.' : ', '}
            </>
          )}
          {worker !== null && `${failingSince === null ? 'Seen' : 'seen'} by worker ${worker}.`}
        </p>
      )}
    </div>
  )
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  return (
    <li className={styles.entry} title={termOf(entry)}>
      {entry.kind === 'action' ? <ActionGlyph state={entry.facts.state} /> : <i className={styles.dot} />}
      <span className={styles.sentence}>{entry.sentence}</span>
      <span className={styles.at}>
        <Time at={entry.at} />
      </span>
      {entry.reason !== null && (
        <div className={styles.why}>
          <Reason text={entry.reason} />
        </div>
      )}
    </li>
  )
}

function EditRow({ edit }: { readonly edit: EditLine }) {
  const { type, sentence, changes, at } = edit
  const line = (
    <>
      <span className={styles.sentence}>{sentence}</span>
      <span className={styles.at}>
        <Time at={at} />
      </span>
    </>
  )
  return (
    <li className={`${styles.entry} ${styles.edit}`} title={type}>
      <i className={styles.dot} />
      {changes.length === 0 ? (
        <div className={styles.line}>{line}</div>
      ) : (
        <details>
          <summary className={styles.line}>{line}</summary>
          <ChangeList changes={changes} />
        </details>
      )}
    </li>
  )
}

/** The API's word for it. */
function termOf(entry: Entry): string {
  if (entry.kind === 'event') return entry.type
  const { state, outcome } = entry.facts
  return outcome === null ? `action_${state}` : `action_${state}, ${outcome}`
}

const closings: Readonly<Record<string, string>> = {
  recovered: 'Incident, until it recovered',
  disabled: 'Incident, until the monitor was disabled',
  removed: 'Incident, until the monitor was removed',
}

function spanSentence({ outcome }: IncidentSpan, isOpen: boolean): string {
  return isOpen ? 'Incident, still open' : (closings[outcome ?? ''] ?? 'Incident')
}

function SpanLength({ span, isOpen }: { readonly span: IncidentSpan; readonly isOpen: boolean }) {
  if (span.openedAt === null) return null
  if (span.closedAt !== null) return <Duration ms={Date.parse(span.closedAt) - Date.parse(span.openedAt)} />
  return isOpen ? <Age since={span.openedAt} /> : null
}
