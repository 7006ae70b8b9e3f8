// views/monitor/actions.tsx: the recoveries and notifications of one monitor: first what waits or has lost its answer.
// Absent in the edition that keeps nothing.
import type { ActionEntry } from '@pulseward/contract'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Reason } from '../../components/reason.tsx'
import { Age, Until } from '../../components/time.tsx'
import { useServiceState } from '../../data/state.ts'
import { formatCount } from '../../format/count.ts'
import { describeAction } from '../../words/action-words.ts'
import { ActionGlyph } from './action-glyph.tsx'
import styles from './monitor.module.css'

export function Actions({ monitorId }: { readonly monitorId: string }) {
  const reading = useServiceState(monitorId)
  if (!reading.available && reading.reason === 'absent') return null
  const revision = reading.available ? reading.body.revision : undefined
  return (
    <Panel title="Actions" aside={revision === undefined ? undefined : `revision ${revision}`}>
      <ReadingView reading={reading} what="The list of actions">
        {({ actions = [] }) => <ActionLists actions={actions} />}
      </ReadingView>
    </Panel>
  )
}

const settledStates: ReadonlySet<ActionEntry['state']> = new Set(['succeeded', 'failed', 'cancelled'])

/** What is settled is also in the history: it stays folded. */
function ActionLists({ actions }: { readonly actions: readonly ActionEntry[] }) {
  const open = actions.filter(({ state }) => !settledStates.has(state))
  const settled = actions.filter(({ state }) => settledStates.has(state))
  return (
    <>
      {open.length === 0 ? (
        <Empty>Nothing waits, and no answer is missing.</Empty>
      ) : (
        <ActionList actions={open} />
      )}
      {settled.length > 0 && (
        <details className={styles.settled}>
          <summary>{formatCount(settled.length)} settled</summary>
          <ActionList actions={settled} />
        </details>
      )}
    </>
  )
}

function ActionList({ actions }: { readonly actions: readonly ActionEntry[] }) {
  return (
    <ul className={styles.actions}>
      {actions.map((action) => (
        <Action key={action.id} action={action} />
      ))}
    </ul>
  )
}

function Action({ action }: { readonly action: ActionEntry }) {
  const { state, attempt, outcome, reason, waiting_for } = action
  const term = outcome ?? waiting_for
  return (
    <li title={term === null ? state : `${state}, ${term}`}>
      <ActionGlyph state={state} />
      <div>
        <p className={styles.sentence}>{describeAction(action)}</p>
        {reason !== null && <Reason text={reason} />}
        <p className={styles.when}>
          <When action={action} />
          {attempt > 1 && ` · attempt ${attempt}`}
        </p>
      </div>
    </li>
  )
}

function When({ action: { finished_at, started_at, not_before } }: { readonly action: ActionEntry }) {
  const since = finished_at ?? started_at
  if (since !== null)
    return (
      <>
        <Age since={since} /> ago
      </>
    )
  return (
    <>
      due <Until at={not_before} />
    </>
  )
}
