// views/manage/use-saving.ts: writes a document once. What became of it is always one of: saved, refused with its mistakes,
// in conflict with somebody else's change, or unknown; an unknown one is looked at, never repeated.
import type { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ReadFailure } from '../../data/failure.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import { readResource, type VersionedResource } from '../../data/v2-resource.ts'
import { differences, type Json, withValue } from './json.ts'
import { type KindWords, resourcePath } from './kinds.ts'
import { idOf, writablePart } from './resource-document.ts'

export type Saving =
  | { readonly kind: 'resting' | 'sending' }
  | { readonly kind: 'said'; readonly sentence: string; readonly isTrouble: boolean }
  | { readonly kind: 'refused'; readonly sentence: string; readonly errors: readonly v2.FieldError[] }
  | { readonly kind: 'conflict'; readonly now: VersionedResource | null }

export interface SavingOptions {
  readonly words: KindWords
  readonly requests: V2Requests
  /** Null: it is created. */
  readonly base: { readonly id: string; readonly version: string } | null
  readonly onSaved: (saved: VersionedResource) => void
}

const resting: Saving = { kind: 'resting' }

export function useSaving({ words, requests, base, onSaved }: SavingOptions) {
  const client = useQueryClient()
  const [saving, setSaving] = useState<Saving>(resting)

  const lookAgain = async (id: string): Promise<VersionedResource | null> => {
    try {
      return await readResource(requests, resourcePath(words, id))
    } catch (error) {
      if (error instanceof ReadFailure && error.kind === 'absent') return null
      throw error
    }
  }
  const showConflict = async (id: string) => {
    try {
      setSaving({ kind: 'conflict', now: await lookAgain(id) })
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error
      setSaving(trouble(`It was changed meanwhile; what it is now cannot be read. ${error.message}`))
    }
  }
  const lookWhether = async (sent: Json) => {
    try {
      const now = await lookAgain(base?.id ?? idOf(sent))
      // A value of a credential is never told, so it cannot be compared.
      const told = withValue(writablePart(sent), ['spec', 'value'], undefined)
      const isSaved =
        now !== null && differences(told, writablePart(now.resource as unknown as Json)).length === 0
      if (isSaved && now.version !== base?.version) onSaved(now)
      setSaving(
        isSaved
          ? trouble('The answer was lost. It was looked at: what is stored now is what you see here.')
          : trouble(
              'The answer was lost. It was looked at: your change is not stored. Save again if you want it.',
            ),
      )
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error
      setSaving(trouble(`It is unknown whether this was saved: look again in a moment. ${error.message}`))
    }
  }
  const save = async (sent: Json) => {
    if (saving.kind === 'sending') return
    setSaving({ kind: 'sending' })
    const outcome = await requests.write<v2.Resource>(
      base === null
        ? { method: 'POST', path: words.path, body: sent, isCreate: true }
        : { method: 'PUT', path: resourcePath(words, base.id), body: sent, ifMatch: base.version },
    )
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'v2-resource' })
    if (outcome.kind === 'unknown') return lookWhether(sent)
    if (outcome.kind === 'done') {
      const isSame = outcome.version === base?.version
      setSaving({ kind: 'said', sentence: isSame ? 'Nothing had changed.' : 'Saved.', isTrouble: false })
      if (outcome.version !== null) onSaved({ resource: outcome.body, version: outcome.version })
      return
    }
    const { status, sentence, errors } = outcome
    if (status === 412 && base !== null) return showConflict(base.id)
    if (status === 412)
      return setSaving({
        kind: 'refused',
        sentence: `There is a ${words.one} with this id already.`,
        errors: [],
      })
    setSaving({ kind: 'refused', sentence, errors })
  }
  return { saving, save, showConflict, settle: () => setSaving(resting) }
}

function trouble(sentence: string): Saving {
  return { kind: 'said', sentence, isTrouble: true }
}
