// views/manage/use-validation.ts: what the service says of a document before it is written: its own validation, without
// writing, a moment after the last change. When it cannot say, that is told and holds nothing up: a write is validated
// again.
import type { v2 } from '@pulseward/contract'
import { useEffect, useState } from 'react'
import { useResting } from '../../data/use-resting.ts'
import type { V2Requests, WriteOutcome } from '../../data/v2-request.ts'
import type { Draft } from './draft.ts'
import type { Json } from './json.ts'

export type Validation =
  | { readonly kind: 'none' | 'asking' }
  | { readonly kind: 'valid'; readonly outcome: string }
  | { readonly kind: 'invalid'; readonly errors: readonly v2.FieldError[] }
  | { readonly kind: 'unavailable'; readonly sentence: string }

const restMs = 350
const prefix = '/items/0/resource'
const none: Validation = { kind: 'none' }
const asking: Validation = { kind: 'asking' }

export interface ValidationOptions {
  readonly requests: V2Requests
  /** What would be sent, with what the text does not show. */
  readonly complete: (document: Json) => Json
  readonly isNew: boolean
}

export function useValidation(draft: Draft, { requests, complete, isNew }: ValidationOptions): Validation {
  const resting = useResting(draft, restMs)
  const [answer, setAnswer] = useState<{ readonly to: Draft; readonly validation: Validation } | null>(null)
  useEffect(() => {
    if (!resting.read.isRead) return
    const leaving = new AbortController()
    const item = {
      id: 'draft',
      contentDigest: 'draft',
      source: 'dashboard',
      resource: complete(resting.read.value),
    }
    const call = { method: 'POST', path: '/api/v2/collections/preflight', body: { items: [item] } } as const
    void requests
      .write<v2.Preflight>(call, leaving.signal)
      .then((outcome) => setAnswer({ to: resting, validation: validationOf(outcome, isNew) }))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) throw error
      })
    return () => leaving.abort()
  }, [resting, requests, complete, isNew])
  if (!draft.read.isRead) return none
  return answer?.to === draft ? answer.validation : asking
}

function validationOf(outcome: WriteOutcome<v2.Preflight>, isNew: boolean): Validation {
  if (outcome.kind === 'unknown') return { kind: 'unavailable', sentence: 'Pulseward does not answer.' }
  if (outcome.kind === 'refused')
    return outcome.errors.length > 0
      ? { kind: 'invalid', errors: inDocument(outcome.errors) }
      : { kind: 'unavailable', sentence: outcome.sentence }
  const { valid, errors = [], items = [] } = outcome.body
  if (!valid) return { kind: 'invalid', errors: inDocument(errors) }
  const foreseen = items[0]?.outcome ?? ''
  if (isNew && foreseen !== 'created') return { kind: 'invalid', errors: [taken] }
  return { kind: 'valid', outcome: foreseen }
}

const taken: v2.FieldError = { field: '/metadata/id', message: 'is taken already; choose another one' }

/** The service names places in the request, of which the document is a part. */
function inDocument(errors: readonly v2.FieldError[]): readonly v2.FieldError[] {
  return errors.map((error) =>
    error.field.startsWith(prefix) ? { ...error, field: error.field.slice(prefix.length) } : error,
  )
}
