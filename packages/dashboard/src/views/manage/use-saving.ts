// views/manage/use-saving.ts: the state of saving a document, for the page that shows it.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { VersionedResource } from '../../data/v2-resource.ts'
import type { Json } from './json.ts'
import { conflictOver, type SaveOutcome, type SavePlace, saveDocument } from './save-document.ts'

export type Saving = { readonly kind: 'resting' | 'sending' } | SaveOutcome

export interface SavingOptions extends SavePlace {
  readonly onSaved: (saved: VersionedResource) => void
}

const resting: Saving = { kind: 'resting' }
const created: Saving = { kind: 'said', sentence: 'Created.', isTrouble: false }

/** The state of the history with which the page of a new resource is opened. */
export const justCreated = 'created'

/** A new resource gets a page of its own, which says once that it was created. */
function initialSaving(): Saving {
  return history.state === justCreated ? created : resting
}

export function useSaving({ onSaved, ...place }: SavingOptions) {
  const client = useQueryClient()
  const [saving, setSaving] = useState(initialSaving)
  useEffect(() => {
    if (history.state === justCreated) history.replaceState(null, '')
  }, [])
  const save = async (sent: Json) => {
    if (saving.kind === 'sending') return
    setSaving({ kind: 'sending' })
    const { outcome, saved } = await saveDocument(place, sent)
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'v2-resource' })
    setSaving(outcome)
    if (saved !== null) onSaved(saved)
  }
  const showConflict = async (id: string) => setSaving(await conflictOver(place, id))
  return { saving, save, showConflict, settle: () => setSaving(resting) }
}
