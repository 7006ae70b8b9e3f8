// acting/use-many.ts: the stages of one operation over many monitors: collected, opened and counted, confirmed, running,
// reported item by item. Every write is sent once; if an answer is lost, the operation itself is read.
import type { v2 } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { ReadFailure } from '../data/failure.ts'
import { serviceNowMs } from '../data/service-clock.ts'
import type { V2Requests } from '../data/v2-request.ts'
import type { AskedOfMany } from './ask.ts'
import { type Names, namesOf } from './choose-many.ts'
import type { Said } from './control-request.ts'
import { type LeftOut, openOperation, operationPath, readOperation, readOutcomes } from './many-operation.ts'
import { pageMembers } from './page-members.ts'

export type ManyStage =
  | { readonly kind: 'collecting'; readonly found: number }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'failed'; readonly sentence: string }
  | { readonly kind: 'asking'; readonly problem: string | null }
  | { readonly kind: 'opening' }
  | { readonly kind: 'none-left'; readonly leftOut: readonly LeftOut[] }
  | {
      readonly kind: 'confirming'
      readonly operation: v2.Operation
      readonly leftOut: readonly LeftOut[]
      readonly problem: string | null
    }
  /** `trouble`: why it cannot be followed at the moment. */
  | { readonly kind: 'running'; readonly operation: v2.Operation; readonly trouble: string | null }
  | {
      readonly kind: 'ended'
      readonly operation: v2.Operation
      readonly outcomes: readonly v2.ApplyResult[]
    }

const lookEveryMs = 1_000
const notBegun = 'The answer was lost, but nothing has started.'
const ended: ReadonlySet<v2.OperationState> = new Set([
  ...(['rejected', 'completed', 'partial', 'failed', 'cancelled', 'expired'] as const),
])

export function useMany(asked: AskedOfMany, requests: V2Requests) {
  const [stage, setStage] = useState<ManyStage>({ kind: 'collecting', found: 0 })
  const names = useCollectedNames(asked, setStage, requests)
  const activate = useActivation(stage, setStage, requests)
  const open = async (said: Said) => {
    setStage({ kind: 'opening' })
    const opened = await openOperation(requests, asked, names, said, serviceNowMs())
    if (opened.kind === 'failed') setStage({ kind: 'asking', problem: opened.sentence })
    else if (opened.kind === 'none-left') setStage(opened)
    else if (opened.operation.itemCount === 0) setStage({ kind: 'none-left', leftOut: opened.leftOut })
    else setStage({ ...opened, kind: 'confirming', problem: null })
  }
  const cancel = (operation: v2.Operation) =>
    requests.write<v2.Operation>({ method: 'POST', path: `${operationPath(operation)}/cancel` })
  return { names, stage, open, activate, cancel }
}

type SetStage = Dispatch<SetStateAction<ManyStage>>

/** Starts at once; empty until all are known. */
function useCollectedNames(asked: AskedOfMany, setStage: SetStage, requests: V2Requests): Names {
  const [names, setNames] = useState<Names>(new Map())
  useEffect(() => {
    const leaving = new AbortController()
    const { chosen } = asked
    const onProgress = (found: number) => setStage({ kind: 'collecting', found })
    const collected =
      chosen.kind === 'page'
        ? pageMembers(chosen.page, requests, leaving.signal, onProgress)
        : namesOf(chosen, leaving.signal, onProgress)
    collected.then(
      (found) => {
        if (leaving.signal.aborted) return
        setNames(found ?? new Map())
        setStage(found === null ? { kind: 'too-many' } : { kind: 'asking', problem: null })
      },
      (error) => {
        if (!leaving.signal.aborted) setStage({ kind: 'failed', sentence: sentenceOf(error) })
      },
    )
    return () => leaving.abort()
  }, [asked, setStage, requests])
  return names
}

/** Returns the function that activates an operation. It is then followed to its end. */
function useActivation(stage: ManyStage, setStage: SetStage, requests: V2Requests) {
  const client = useQueryClient()
  const isAnswerLost = useRef(false)
  const running = stage.kind === 'running' ? stage.operation.id : null
  useEffect(() => {
    if (running === null) return
    return repeatedly(async (signal) => {
      try {
        const operation = await readOperation(requests, { id: running }, signal)
        if (operation.state === 'validated' && isAnswerLost.current)
          return setStage({ kind: 'confirming', operation, leftOut: [], problem: notBegun })
        if (!ended.has(operation.state)) return setStage({ kind: 'running', operation, trouble: null })
        const outcomes = await readOutcomes(requests, operation, signal)
        setStage({ kind: 'ended', operation, outcomes })
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'v2-resource' })
      } catch (error) {
        if (signal.aborted) return
        const trouble = sentenceOf(error)
        setStage((now) => (now.kind === 'running' ? { ...now, trouble } : now))
      }
    })
  }, [running, setStage, requests, client])

  return async (operation: v2.Operation) => {
    isAnswerLost.current = false
    setStage({ kind: 'running', operation, trouble: null })
    const outcome = await requests.write<v2.Operation>({
      method: 'POST',
      path: `${operationPath(operation)}/activate`,
    })
    // Followed in any case: the operation itself shows its progress.
    isAnswerLost.current = outcome.kind === 'unknown'
    if (outcome.kind === 'refused') setStage({ kind: 'failed', sentence: outcome.sentence })
  }
}

/** Runs `look` at once, and again some time after each run has ended. Returns the function that stops it. */
function repeatedly(look: (signal: AbortSignal) => Promise<void>): () => void {
  const leaving = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const follow = async () => {
    await look(leaving.signal)
    if (!leaving.signal.aborted) timer = setTimeout(follow, lookEveryMs)
  }
  void follow()
  return () => {
    leaving.abort()
    clearTimeout(timer)
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ReadFailure)) throw error
  return error.message
}
