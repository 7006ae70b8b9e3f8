// store/sqlite/thread-protocol.ts: the messages between the engine's side and the store thread: one answer to each
// request, in order. Errors lose their class between threads, so their problem travels as data.
import type { StoreBounds } from '../retention.ts'
import { StoreError, type StoreProblem } from '../store.ts'
import type { StoreEngine } from './store-engine.ts'

export type Method = Exclude<keyof StoreEngine, symbol | 'identity'>
export type Arguments<Name extends Method> = Parameters<StoreEngine[Name]>
export type Answer<Name extends Method> = ReturnType<StoreEngine[Name]>

export type Request = { [Name in Method]: { method: Name; arguments: Arguments<Name> } }[Method]

/** The first reply says whether the store was opened, and which one it is. */
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: StoreProblem | null; readonly message: string }

/** Where the store lives, as the engine's side sees it. */
export interface StoreThread {
  postMessage(request: Request): void
  on(event: 'message', listener: (reply: Reply) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: () => void): unknown
}

export interface StoreThreadSetup {
  readonly directory: string
  readonly bounds: StoreBounds
  readonly servesResources: boolean
  readonly run: string
}

export function replyOf(work: () => unknown): Reply {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    const problem = error instanceof StoreError ? error.problem : null
    const { message, stack } = error as Error
    return { ok: false, problem, message: problem === null ? (stack ?? message) : message }
  }
}

/** A failure without a problem is a mistake of ours. */
export function errorOf({ problem, message }: Reply & { ok: false }): Error {
  return problem === null ? new Error(message) : new StoreError(problem, message)
}
