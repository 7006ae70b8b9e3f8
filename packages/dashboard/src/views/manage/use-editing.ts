// views/manage/use-editing.ts: the state of a document in the editor: what is typed, what the service says
// about it, the state of saving, and which version it replaces. Renders nothing.
import { useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { V2Requests } from '../../data/v2-request.ts'
import type { VersionedResource } from '../../data/v2-resource.ts'
import { type Leaving, useUnsaved } from '../../shell/leaving.ts'
import { type Draft, draftOf } from './draft.ts'
import { type Json, withValue } from './json.ts'
import { editAddress, type KindWords } from './kinds.ts'
import { type Mark, marksOf } from './marks.ts'
import { writablePartOf } from './resource-document.ts'
import { justCreated, type Saving, useSaving } from './use-saving.ts'
import { useShownMarks } from './use-shown-marks.ts'
import { useValidation } from './use-validation.ts'
import type { Validation } from './validation.ts'

export interface EditingOptions {
  readonly words: KindWords
  readonly requests: V2Requests
  /** The initial document of a new resource, or the stored one. */
  readonly start: { readonly document: Json } | VersionedResource
}

export interface Editing {
  /** The version to replace; null for a new resource. */
  readonly base: VersionedResource | null
  readonly draft: Draft
  /** The value of a credential: never in the text or in the URL. */
  readonly hidden: string
  readonly isChanged: boolean
  readonly validation: Validation
  readonly saving: Saving
  /** In a new resource, only the mistakes of fields that were left, until saving is tried or the text is edited. */
  readonly marks: readonly Mark[]
  /** All mistakes, shown or not. */
  readonly mistakes: readonly Mark[]
  readonly leaving: Leaving
  readonly change: (draft: Draft) => void
  /** The user has left the field at this pointer. */
  readonly leaveField: (pointer: string) => void
  readonly showAllMarks: () => void
  readonly setHidden: (value: string) => void
  /** Does nothing while the text cannot be parsed. */
  readonly save: () => void
  readonly showConflict: (id: string) => Promise<void>
  readonly takeTheirs: (now: VersionedResource) => void
  readonly keepMine: (now: VersionedResource) => void
}

export function useEditing({ words, requests, start }: EditingOptions): Editing {
  const [, navigate] = useLocation()
  const [base, setBase] = useState('resource' in start ? start : null)
  const [draft, setDraft] = useState(() =>
    draftOf('resource' in start ? writablePartOf(start) : start.document),
  )
  const [hidden, setHidden] = useState('')
  /** The initial document of a new resource does not count as unsaved. */
  const [savedText, setSavedText] = useState(draft.text)
  const isChanged = hidden !== '' || draft.text !== savedText
  const leaving = useUnsaved(isChanged)

  const complete = useCallback(
    (document: Json) => (hidden === '' ? document : withValue(document, ['spec', 'value'], hidden)),
    [hidden],
  )
  const take = (taken: VersionedResource) => {
    const next = draftOf(writablePartOf(taken))
    setBase(taken)
    setDraft(next)
    setSavedText(next.text)
    setHidden('')
  }
  const { saving, save, showConflict, settle } = useSaving({
    words,
    requests,
    base: base === null ? null : { id: base.resource.metadata.id, version: base.version },
    onSaved(saved) {
      take(saved)
      leaving.release()
      if (base === null)
        navigate(editAddress(words, saved.resource.metadata.id), { replace: true, state: justCreated })
    },
  })
  const validation = useValidation(draft, { requests, complete, isNew: base === null })
  const all = useMemo(() => marksOf(draft, errorsOf(validation, saving)), [draft, validation, saving])
  const shown = useShownMarks(all, base === null)

  return {
    base,
    draft,
    hidden,
    isChanged,
    validation,
    saving,
    marks: shown.marks,
    mistakes: all.filter(({ level }) => level === 'mistake'),
    leaving,
    leaveField: shown.leaveField,
    showAllMarks: shown.showAll,
    setHidden,
    showConflict,
    change(next) {
      setDraft(next)
      if (saving.kind !== 'sending' && saving.kind !== 'conflict') settle()
    },
    save() {
      if (draft.read.isRead) void save(complete(draft.read.value))
    },
    takeTheirs(now) {
      take(now)
      settle()
    },
    keepMine(now) {
      setBase(now)
      setSavedText(draftOf(writablePartOf(now)).text)
      settle()
    },
  }
}

/** The reasons of a refused write stay until something changes. */
function errorsOf(validation: Validation, saving: Saving) {
  if (saving.kind === 'refused' && saving.errors.length > 0) return saving.errors
  return validation.kind === 'invalid' ? validation.errors : []
}
