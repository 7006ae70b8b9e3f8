// acting/many-outcomes.tsx: the outcome of each monitor of an operation, with its reason; first
// those that need attention.
import type { v2 } from '@pulseward/contract'
import { useEffect, useRef } from 'react'
import { DialogButtons } from '../components/dialog.tsx'
import { formatCount, plural } from '../format/count.ts'
import styles from './act.module.css'
import type { Names } from './choose-many.ts'
import { CloseButton } from './close-button.tsx'

type Outcome = v2.ApplyResult['outcome']

const words: Readonly<Record<Outcome, string>> = {
  failed: 'refused',
  conflict: 'skipped: somebody else changed it in the meantime',
  dependencyBlocked: 'blocked by another item',
  notAttempted: 'not attempted',
  updated: 'done',
  created: 'created',
  unchanged: 'no change needed',
}

const quiet: ReadonlySet<Outcome> = new Set(['updated', 'created', 'unchanged'])
const mostShown = 200

export function ManyOutcomes(props: {
  readonly operation: v2.Operation
  readonly outcomes: readonly v2.ApplyResult[]
  readonly names: Names
}) {
  const { operation, outcomes, names } = props
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => sentence.current?.focus(), [])
  const groups = Map.groupBy(outcomes, ({ outcome }) => outcome)
  const order = Object.keys(words) as Outcome[]
  return (
    <div className={styles.content}>
      <p ref={sentence} tabIndex={-1} className={styles.step} role="status">
        {formatCount(operation.committed ?? 0)} of {plural(operation.itemCount ?? 0, 'monitor')} done.
        {operation.reason !== undefined && ` ${operation.reason}`}
      </p>
      {order.map((outcome) => {
        const items = groups.get(outcome) ?? []
        return (
          items.length > 0 && (
            <details key={outcome} className={styles.group} open={!quiet.has(outcome)}>
              <summary title={outcome}>
                {formatCount(items.length)} {words[outcome]}
              </summary>
              <ul>
                {items.slice(0, mostShown).map(({ id, message }) => (
                  <li key={id}>
                    <bdi>{names.get(id) ?? id}</bdi>
                    {message !== undefined && <span className={styles.note}>: {message}</span>}
                  </li>
                ))}
              </ul>
              {items.length > mostShown && (
                <p className={styles.note}>and {formatCount(items.length - mostShown)} more</p>
              )}
            </details>
          )
        )
      })}
      <DialogButtons>
        <CloseButton isAlone />
      </DialogButtons>
    </div>
  )
}
