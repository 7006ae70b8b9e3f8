// views/manage/trial/use-trial.ts: the state of trying a draft. A trial that is stopped, or whose page is left, ends in the
// service too.
import type { v2 } from '@pulseward/contract'
import { useEffect, useRef, useState } from 'react'
import type { V2Requests } from '../../../data/v2-request.ts'
import type { Draft } from '../draft.ts'
import { type TrialWords, type Tried, triedOf } from './trial.ts'

export interface Trial {
  readonly words: TrialWords
  readonly isRunning: boolean
  /** Null before the first one has ended. */
  readonly tried: Tried | null
  /** The draft has changed since. */
  readonly isOld: boolean
  readonly start: () => void
  readonly stop: () => void
}

export function useTrial(words: TrialWords | null, draft: Draft, requests: V2Requests): Trial | null {
  const running = useRef<AbortController | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [last, setLast] = useState<{ readonly text: string; readonly tried: Tried } | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  if (words === null) return null
  const start = async () => {
    const { read, text } = draft
    if (running.current !== null || !read.isRead) return
    const leaving = new AbortController()
    running.current = leaving
    setRunning(true)
    try {
      const asked = words.request(read.value)
      const outcome = await requests.write<v2.CheckTrial | v2.NotificationTrial>(asked, leaving.signal)
      setLast({ text, tried: triedOf(outcome) })
    } catch (error) {
      if (!leaving.signal.aborted) throw error
      setLast({ text, tried: { kind: 'none', sentence: 'The test was stopped.' } })
    } finally {
      running.current = null
      setRunning(false)
    }
  }
  return {
    words,
    isRunning,
    tried: last?.tried ?? null,
    isOld: last !== null && last.text !== draft.text,
    start: () => void start(),
    stop: () => running.current?.abort(),
  }
}
