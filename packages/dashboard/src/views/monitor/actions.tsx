// views/monitor/actions.tsx: the recoveries and notifications of one monitor, first those that are waiting or
// have an unknown outcome. Absent in the edition that keeps nothing.
import type { ActionEntry, v2 } from '@pulseward/contract'
import { describeAction } from '@pulseward/contract/v1/words'
import { ask } from '../../acting/ask.ts'
import { isConcluded } from '../../acting/standing.ts'
import { ReviewFacts } from '../../acting/subject-facts.tsx'
import { useVerbKeys } from '../../acting/use-verb-keys.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Reason } from '../../components/reason.tsx'
import { Age, Until } from '../../components/time.tsx'
import { useMay } from '../../data/may.ts'
import { useServiceState } from '../../data/state.ts'
import { useV2Actions } from '../../data/v2-reading.ts'
import { Why } from '../../explaining/why.tsx'
import { formatCount } from '../../format/count.ts'
import { ActionGlyph } from './action-glyph.tsx'
import styles from './monitor.module.css'

export function Actions({ monitorId }: { readonly monitorId: string }) {
  const reading = useServiceState(monitorId)
  if (!reading.available && reading.reason === 'absent') return null
  const revision = reading.available ? reading.body.revision : undefined
  return (
    <Panel title="Actions" aside={revision === undefined ? undefined : `revision ${revision}`}>
      <ReadingView reading={reading} what="The list of actions">
        {({ actions = [] }) => <ActionLists actions={actions} monitorId={monitorId} />}
      </ReadingView>
    </Panel>
  )
}

const settledStates: ReadonlySet<ActionEntry['state']> = new Set(['succeeded', 'failed', 'cancelled'])

/** Settled actions are collapsed, since they are also in the history. */
function ActionLists(props: { readonly actions: readonly ActionEntry[]; readonly monitorId: string }) {
  const { actions, monitorId } = props
  const hasUnknown = actions.some(({ state }) => state === 'unknown')
  const detailed = useV2Actions(monitorId, hasUnknown)
  const isSettled = ({ id, state }: ActionEntry) =>
    settledStates.has(state) || isConcluded(detailed.get(id)?.review)
  const open = actions.filter((action) => !isSettled(action))
  const settled = actions.filter(isSettled)
  const lists = { monitorId, detailed }
  const unknown = open.find(({ state }) => state === 'unknown')
  useVerbKeys({
    offered: unknown === undefined ? [] : ['review'],
    what: 'the action whose answer was lost',
    find: () => (unknown === undefined ? null : { monitorId, actionId: unknown.id }),
  })
  return (
    <>
      {open.length === 0 ? (
        <Empty>Nothing is waiting, in flight or held for review.</Empty>
      ) : (
        <ActionList actions={open} {...lists} />
      )}
      {settled.length > 0 && (
        <details className={styles.settled}>
          <summary>{formatCount(settled.length)} settled</summary>
          <ActionList actions={settled} {...lists} />
        </details>
      )}
    </>
  )
}

interface ActionListProps {
  readonly actions: readonly ActionEntry[]
  readonly monitorId: string
  /** What only v2 has: their reviews. */
  readonly detailed: ReadonlyMap<string, v2.Action>
}

function ActionList({ actions, monitorId, detailed }: ActionListProps) {
  return (
    <ul className={styles.actions}>
      {actions.map((action) => (
        <Action
          key={action.id}
          action={action}
          monitorId={monitorId}
          review={detailed.get(action.id)?.review}
        />
      ))}
    </ul>
  )
}

interface ActionProps {
  readonly action: ActionEntry
  readonly monitorId: string
  readonly review: v2.Action['review'] | undefined
}

function Action({ action, monitorId, review }: ActionProps) {
  const { id, state, attempt, outcome, reason, waiting_for } = action
  const mayReview = useMay('ReviewAction') && state === 'unknown' && !isConcluded(review)
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
        <Why kind="actions" id={id} of={describeAction(action)} />
        {review !== undefined && <ReviewFacts review={review} />}
        {mayReview && (
          <Button aria-haspopup="dialog" onClick={() => ask({ verb: 'review', monitorId, actionId: id })}>
            Review
          </Button>
        )}
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
