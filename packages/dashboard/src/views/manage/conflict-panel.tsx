// views/manage/conflict-panel.tsx: shown when another person saved first: what they changed, who it was, and
// what to do next. Nothing is overwritten or lost until the user has chosen.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { ChangeList } from '../../components/change-list.tsx'
import { readResourceEvents } from '../../data/resource-events.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import type { VersionedResource } from '../../data/v2-resource.ts'
import { differences, type Json } from './json.ts'
import type { KindWords } from './kinds.ts'
import styles from './manage.module.css'
import { writablePartOf } from './resource-document.ts'

export interface ConflictPanelProps {
  readonly words: KindWords
  /** The resource that this page started from. */
  readonly before: VersionedResource
  /** Null if it was deleted. */
  readonly now: VersionedResource | null
  readonly requests: V2Requests
  readonly onTakeTheirs: (now: VersionedResource) => void
  readonly onKeepMine: (now: VersionedResource) => void
}

export function ConflictPanel(props: ConflictPanelProps) {
  const { words, before, now, requests, onTakeTheirs, onKeepMine } = props
  const { id } = before.resource.metadata
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  const { data: actor } = useQuery({
    queryKey: ['v2-last-actor', words.kind, id, now?.version],
    queryFn: async ({ signal }) => {
      const { events } = await readResourceEvents(requests, words.kind, id, signal)
      return events[0]?.actor ?? null
    },
  })
  const who = actor ?? 'another person'
  return (
    <section ref={panel} className={styles.conflict} tabIndex={-1} aria-labelledby="conflict-title">
      <h2 id="conflict-title" className={styles.conflictTitle}>
        {now === null
          ? `This ${words.one} was deleted meanwhile by ${who}. Your changes were not saved.`
          : `This ${words.one} was changed meanwhile by ${who}. Your changes were not saved.`}
      </h2>
      {now !== null && (
        <>
          <p>What they changed:</p>
          <ChangeList changes={shownDifferences(writablePartOf(before), writablePartOf(now))} />
          <div className={styles.buttons}>
            <Button weight="strong" onClick={() => onTakeTheirs(now)}>
              Discard mine and take theirs
            </Button>
            <Button onClick={() => onKeepMine(now)}>Keep mine and replace theirs on save</Button>
          </div>
        </>
      )}
    </section>
  )
}

function shownDifferences(before: Json, after: Json) {
  return differences(before, after).map((one) => ({
    field: one.field,
    before: textOf(one.before),
    after: textOf(one.after),
  }))
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}
