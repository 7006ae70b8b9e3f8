// views/status-pages/save-incident.ts: publishes what was written, once, over the version that the person saw. A refusal, a change
// that somebody made meanwhile and a lost answer are sentences; nothing is repeated.
import type { v2 } from '@pulseward/contract'
import type { V2Requests } from '../../data/v2-request.ts'
import type { Json } from '../manage/json.ts'
import { wordsOf } from '../manage/kinds.ts'
import { writablePart } from '../manage/resource-document.ts'
import { saveDocument } from '../manage/save-document.ts'
import { type Draft, idFrom, specOf } from './incident-draft.ts'

export interface Published {
  readonly isSaved: boolean
  readonly sentence: string
}

export async function saveIncident(
  requests: V2Requests,
  page: v2.StatusPage,
  before: v2.StatusIncident | null,
  draft: Draft,
  nowMs: number,
): Promise<Published> {
  const spec = specOf(draft, page.metadata.id, before?.spec ?? null, nowMs)
  const random = [...crypto.getRandomValues(new Uint8Array(3))].map((byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  const metadata = before?.metadata ?? { id: idFrom(draft.title, random.join('')) }
  const document = { apiVersion: 'pulseward/v2', kind: 'StatusIncident', metadata, spec }
  const base = before === null ? null : { id: metadata.id, version: before.metadata.resourceVersion ?? '' }
  const { outcome, saved } = await saveDocument(
    { words: wordsOf('StatusIncident'), requests, base },
    writablePart(document as unknown as Json),
  )
  if (outcome.kind === 'conflict') {
    const sentence =
      outcome.now === null
        ? 'This incident was deleted meanwhile. Nothing was published.'
        : 'This incident was changed meanwhile, so nothing was published. Close this, and look at it again.'
    return { isSaved: false, sentence }
  }
  if (outcome.kind === 'refused') {
    const details = outcome.errors.map(({ field, message }) => `${field} ${message}`)
    return { isSaved: false, sentence: [`Nothing was published. ${outcome.sentence}`, ...details].join(' ') }
  }
  if (!outcome.isTrouble) return { isSaved: true, sentence: 'It is on the page.' }
  return saved === null
    ? { isSaved: false, sentence: outcome.sentence }
    : { isSaved: true, sentence: 'The answer was lost, but it is on the page.' }
}
