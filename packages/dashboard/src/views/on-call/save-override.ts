// views/on-call/save-override.ts: writes the overrides of a schedule once, over the version that the person saw. A refusal, a
// change that another user made meanwhile and a lost answer are sentences; nothing is repeated.
import type { V2Requests } from '../../data/v2-request.ts'
import type { VersionedResource } from '../../data/v2-resource.ts'
import { wordsOf } from '../manage/kinds.ts'
import { writablePartOf } from '../manage/resource-document.ts'
import { saveDocument } from '../manage/save-document.ts'
import { type Override, withOverrides } from './override-draft.ts'

export type SavedOverride =
  | { readonly kind: 'saved'; readonly sentence: string }
  | { readonly kind: 'not-saved'; readonly sentence: string }
  /** Null if it was deleted. */
  | { readonly kind: 'conflict'; readonly sentence: string; readonly now: VersionedResource | null }

export async function saveOverrides(
  requests: V2Requests,
  base: VersionedResource,
  overrides: readonly Override[],
): Promise<SavedOverride> {
  const { id } = base.resource.metadata
  const { outcome, saved } = await saveDocument(
    { words: wordsOf('Schedule'), requests, base: { id, version: base.version } },
    withOverrides(writablePartOf(base), overrides),
  )
  if (outcome.kind === 'conflict')
    return outcome.now === null
      ? { kind: 'conflict', sentence: 'This schedule was deleted meanwhile. Nothing was saved.', now: null }
      : {
          kind: 'conflict',
          sentence:
            'This schedule was changed meanwhile, so nothing was saved. Save again to change it as it is now.',
          now: outcome.now,
        }
  if (outcome.kind === 'refused') {
    const details = outcome.errors.map(({ field, message }) => `${field} ${message}`)
    return { kind: 'not-saved', sentence: [`Nothing was saved. ${outcome.sentence}`, ...details].join(' ') }
  }
  if (!outcome.isTrouble) return { kind: 'saved', sentence: 'The overrides were saved.' }
  return saved === null
    ? { kind: 'not-saved', sentence: outcome.sentence }
    : { kind: 'saved', sentence: 'The answer was lost, but the overrides are stored.' }
}
