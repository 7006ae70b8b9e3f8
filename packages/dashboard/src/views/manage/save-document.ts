// views/manage/save-document.ts: writes a document once. The outcome is always one of: saved, refused with its mistakes,
// in conflict with another person's change, or unknown. An unknown outcome is looked up, never retried.
import type { v2 } from '@pulseward/contract'
import { ReadFailure } from '../../data/failure.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import { readResource, type VersionedResource } from '../../data/v2-resource.ts'
import { differences, type Json, withValue } from './json.ts'
import { type KindWords, resourcePath } from './kinds.ts'
import { idOf, writablePart, writablePartOf } from './resource-document.ts'

export type SaveOutcome =
  | { readonly kind: 'said'; readonly sentence: string; readonly isTrouble: boolean }
  | { readonly kind: 'refused'; readonly sentence: string; readonly errors: readonly v2.FieldError[] }
  | { readonly kind: 'conflict'; readonly now: VersionedResource | null }

export interface SavePlace {
  readonly words: KindWords
  readonly requests: V2Requests
  /** Null to create the resource. */
  readonly base: { readonly id: string; readonly version: string } | null
}

export interface Save {
  readonly outcome: SaveOutcome
  /** What is stored now, if that is what was sent. */
  readonly saved: VersionedResource | null
}

export async function saveDocument(place: SavePlace, sent: Json): Promise<Save> {
  const { words, requests, base } = place
  const answer = await requests.write<v2.Resource>(
    base === null
      ? { method: 'POST', path: words.path, body: sent, isCreate: true }
      : { method: 'PUT', path: resourcePath(words, base.id), body: sent, ifMatch: base.version },
  )
  if (answer.kind === 'unknown') return lookWhether(place, sent)
  if (answer.kind === 'done') {
    const { body, version } = answer
    const sentence = version === base?.version ? 'Nothing had changed.' : 'Saved.'
    const saved = version === null ? null : { resource: body, version }
    return { outcome: { kind: 'said', sentence, isTrouble: false }, saved }
  }
  const { status, sentence, errors } = answer
  if (status !== 412) return notSaved({ kind: 'refused', sentence, errors })
  if (base !== null) return notSaved(await conflictOver(place, base.id))
  return notSaved({
    kind: 'refused',
    sentence: `There is a ${words.one} with this id already.`,
    errors: [],
  })
}

export async function conflictOver(place: SavePlace, id: string): Promise<SaveOutcome> {
  try {
    return { kind: 'conflict', now: await lookAgain(place, id) }
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    return trouble(
      `Somebody changed it in the meantime, and the new version cannot be read. ${error.message}`,
    )
  }
}

async function lookWhether(place: SavePlace, sent: Json): Promise<Save> {
  const { base } = place
  try {
    const now = await lookAgain(place, base?.id ?? idOf(sent))
    // The service never returns the value of a credential, so it cannot be compared.
    const told = withValue(writablePart(sent), ['spec', 'value'], undefined)
    if (now === null || differences(told, writablePartOf(now)).length > 0)
      return notSaved(
        trouble('The answer was lost, but your change is not stored. Save again if you want it.'),
      )
    const outcome = trouble('The answer was lost, but what is stored now is what you see here.')
    return { outcome, saved: now.version === base?.version ? null : now }
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    return notSaved(trouble(`It is unknown whether this was saved: look again in a moment. ${error.message}`))
  }
}

async function lookAgain({ words, requests }: SavePlace, id: string): Promise<VersionedResource | null> {
  try {
    return await readResource(requests, resourcePath(words, id))
  } catch (error) {
    if (error instanceof ReadFailure && error.kind === 'absent') return null
    throw error
  }
}

function notSaved(outcome: SaveOutcome): Save {
  return { outcome, saved: null }
}

function trouble(sentence: string): SaveOutcome {
  return { kind: 'said', sentence, isTrouble: true }
}
