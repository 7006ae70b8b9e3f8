// acting/use-acting.ts: one request: reads its subject, sends once for the revision that was read, and ends as exactly
// one of: done, refused, changed meanwhile by another person, or unknown. An unknown outcome is looked up, never retried.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ReadFailure } from '../data/failure.ts'
import type { V2Requests, V2Write } from '../data/v2-request.ts'
import { type Asked, announcement } from './ask.ts'
import { type Happening, readHappenings } from './happenings.ts'
import { readSubject, type Subject } from './subject.ts'
import { verbWords } from './verb-words.ts'

export type Looked =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly subject: Subject }
  | { readonly kind: 'failed'; readonly sentence: string }

/** What happened since the dialog was opened; null if it cannot be read. */
export type Since = readonly Happening[] | null

export type Stage =
  | { readonly kind: 'asking' | 'sending' | 'looking' | 'done' }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'conflict'; readonly since: Since }
  /** `hasChanged`: null if it could not be looked up. */
  | { readonly kind: 'unknown'; readonly hasChanged: boolean | null; readonly since: Since }

const asking: Stage = { kind: 'asking' }

export function useActing(asked: Asked, requests: V2Requests) {
  const client = useQueryClient()
  const [looked, setLooked] = useState<Looked>({ kind: 'reading' })
  const [stage, setStage] = useState<Stage>(asking)
  const isSending = useRef(false)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])

  const look = useCallback(
    async (signal?: AbortSignal) => {
      setLooked({ kind: 'reading' })
      setStage(asking)
      try {
        setLooked({ kind: 'read', subject: await readSubject(asked, requests, signal) })
      } catch (error) {
        if (signal?.aborted === true) return
        setLooked({ kind: 'failed', sentence: failureSentence(error) })
      }
    },
    [asked, requests],
  )
  useEffect(() => {
    const leaving = new AbortController()
    void look(leaving.signal)
    return () => leaving.abort()
  }, [look])

  /** Called after an answer was lost. */
  const lookWhether = async (before: Subject) => {
    setStage({ kind: 'looking' })
    const since = await sinceOpened(asked, before, requests)
    try {
      const now = await readSubject(asked, requests)
      setStage({ kind: 'unknown', hasChanged: now.revision !== before.revision, since })
    } catch (error) {
      failureSentence(error)
      setStage({ kind: 'unknown', hasChanged: null, since })
    }
  }
  const send = async (write: V2Write, subject: Subject) => {
    if (isSending.current) return
    isSending.current = true
    setStage({ kind: 'sending' })
    const outcome = await requests.write<unknown>(write)
    isSending.current = false
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'v2-resource' })
    const tell = (words: string) => announcement.set(`${subject.name}: ${words}`)
    if (outcome.kind === 'done') {
      tell(verbWords[asked.verb].done)
      return setStage({ kind: 'done' })
    }
    // Reported even if the dialog was closed meanwhile.
    if (outcome.kind === 'unknown') {
      if (!isShown.current) return tell('the outcome is unknown: look at the monitor.')
      return lookWhether(subject)
    }
    if (!isShown.current) return tell(`nothing was done. ${outcome.sentence}`)
    if (outcome.status !== 412) return setStage({ kind: 'refused', sentence: refusalSentence(outcome) })
    setStage({ kind: 'looking' })
    setStage({ kind: 'conflict', since: await sinceOpened(asked, subject, requests) })
  }
  return { looked, stage, look, lookWhether, send }
}

async function sinceOpened(asked: Asked, { marks }: Subject, requests: V2Requests): Promise<Since> {
  try {
    return await readHappenings(asked, marks, requests)
  } catch (error) {
    failureSentence(error)
    return null
  }
}

/** Only for failures of a read; anything else is a bug and is rethrown. */
function failureSentence(error: unknown): string {
  if (!(error instanceof ReadFailure)) throw error
  return error.message
}

function refusalSentence(refused: {
  readonly sentence: string
  readonly errors: readonly { readonly field: string; readonly message: string }[]
}): string {
  const { sentence, errors } = refused
  return [sentence, ...errors.map(({ field, message }) => `${field.replace(/^\//, '')} ${message}.`)].join(
    ' ',
  )
}
