// client/describing/action.ts: one recovery or notification for people: what became of it, why, and what happens next.
import type { v1, v2 } from '@pulseward/client'
import { describeAction } from '@pulseward/contract/v1/words'
import { actionWord, spaced } from '../subjects/words.ts'
import type { Phrase } from '../table/block.ts'
import { moment } from '../table/values.ts'
import { type Describe, ifReadable, known, next } from './description.ts'
import { reviewHint } from './monitor.ts'

type Entry = v1.ActionEntry | v1.NextActionEntry

export const describeActionOf: Describe<v2.Action> = async (action, { client, options }) => {
  const entry = await entryOf(action)
  return [
    known([
      ['Action', action.id],
      ['What', entry === null ? null : describeAction(entry)],
      ['Kind', actionWord(action.kind)],
      ['State', action.state],
      ['Outcome', spaced(action.outcome)],
      ['Reason', action.reason],
      ['Color', entry?.color],
      ['Endpoint', entry?.endpoint],
      ['Monitor', action.monitorID],
      ['Incident', action.incidentID],
      ['Attempt', entry?.attempt],
      ['Queued', moment(action.createdAt)],
      ['Started', moment(entry?.started_at)],
      ['Ended', moment(entry?.finished_at)],
      ['Updated', entry === null ? moment(action.updatedAt) : null],
      ['Holds back recovery', action.held],
      ...reviewFacts(action.review),
    ]),
    ...next(nextOf(action, entry)),
  ]

  /** v1 knows the color and the destination, and what it waits for. */
  async function entryOf({ id, monitorID }: v2.Action): Promise<Entry | null> {
    if (monitorID === undefined) return null
    const state = await ifReadable(client.v1.getState({ monitor_id: monitorID }, options))
    const entries: readonly Entry[] = state?.data.actions ?? []
    return entries.find((one) => one.id === id) ?? null
  }
}

function nextOf({ id, review }: v2.Action, entry: Entry | null): (string | Phrase)[] {
  if (entry?.state === 'unknown' && review === undefined) return [reviewHint(id)]
  if (entry?.state === 'started') return ['No answer has come yet.']
  if (entry?.state !== 'queued' || entry.not_before === null) return []
  return [['It does not start before ', moment(entry.not_before), '.']]
}

function reviewFacts(review: v2.Action['review']) {
  return [
    ['Reviewed as', review?.resolution],
    ['Reviewed by', review?.actor],
    ['Reviewed', moment(review?.reviewedAt)],
    ['Review', review?.reason],
    ['Conflict', review?.conflict],
  ] as const
}
