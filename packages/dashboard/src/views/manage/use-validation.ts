// views/manage/use-validation.ts: has the service validate a document shortly after its last change. If it
// cannot, the page says so and blocks nothing: a write is validated again.
import type { v2 } from '@pulseward/contract'
import { useEffect, useState } from 'react'
import { useResting } from '../../data/use-resting.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import type { Draft } from './draft.ts'
import type { Json } from './json.ts'
import { preflightOf, type Validation, validationOf } from './validation.ts'

const restMs = 350
const none: Validation = { kind: 'none' }
const asking: Validation = { kind: 'asking' }

export interface ValidationOptions {
  readonly requests: V2Requests
  /** The document that would be sent, including what the text does not show. */
  readonly complete: (document: Json) => Json
  readonly isNew: boolean
}

export function useValidation(draft: Draft, { requests, complete, isNew }: ValidationOptions): Validation {
  const resting = useResting(draft, restMs)
  const [answer, setAnswer] = useState<{ readonly to: Draft; readonly validation: Validation } | null>(null)
  useEffect(() => {
    if (!resting.read.isRead) return
    const leaving = new AbortController()
    void requests
      .write<v2.Preflight>(preflightOf(complete(resting.read.value)), leaving.signal)
      .then((outcome) => setAnswer({ to: resting, validation: validationOf(outcome, isNew) }))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) throw error
      })
    return () => leaving.abort()
  }, [resting, requests, complete, isNew])
  if (!draft.read.isRead) return none
  return answer?.to === draft ? answer.validation : asking
}
