// bulk/calls.ts: calls in both directions over one channel between two threads, each answered once, in any order. Errors lose
// their class on the way, so what tells an error of the store from a mistake of ours travels as data.
import type { Transferable } from 'node:worker_threads'
import { StoreError, type StoreProblem } from '../store/store.ts'

/** Methods that the other side may call. */
export type Callable = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>

export interface Channel {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void
}

interface Call {
  readonly call: number
  readonly method: string
  readonly given: readonly unknown[]
}

type Message =
  | Call
  | { readonly answer: number; readonly value: unknown }
  | { readonly answer: number; readonly problem: StoreProblem | null; readonly message: string }

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class Calls {
  readonly #channel: Channel
  readonly #own: Callable
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  #ended: Error | null = null

  constructor(channel: Channel, own: object) {
    this.#channel = channel
    this.#own = own as Callable
  }

  /** How many calls are not answered yet. */
  get pending(): number {
    return this.#waiting.size
  }

  call(method: string, given: readonly unknown[], transfer: readonly Transferable[] = []): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    const call = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject })
      this.#channel.postMessage({ call, method, given } satisfies Message, transfer)
    })
  }

  receive(message: unknown): void {
    const received = message as Message
    if (this.#ended !== null) return
    if ('call' in received) void this.#answer(received)
    else {
      const waiting = this.#waiting.get(received.answer)
      this.#waiting.delete(received.answer)
      if ('message' in received) waiting?.reject(errorOf(received))
      else waiting?.resolve(received.value)
    }
  }

  /** The other side is gone: nothing is answered any more, in either direction. */
  end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  async #answer({ call, method, given }: Call): Promise<void> {
    try {
      const value = await (this.#own[method] as (...words: readonly unknown[]) => unknown).call(
        this.#own,
        ...given,
      )
      this.#channel.postMessage({ answer: call, value } satisfies Message)
    } catch (error) {
      const { message, stack } = error as Error
      const problem = error instanceof StoreError ? error.problem : null
      const words = problem === null ? (stack ?? message) : message
      this.#channel.postMessage({ answer: call, problem, message: words } satisfies Message)
    }
  }
}

function errorOf({ problem, message }: { problem: StoreProblem | null; message: string }): Error {
  return problem === null ? new Error(message) : new StoreError(problem, message)
}

/** An object whose methods are calls to the other side. */
export function remote<Methods extends object>(
  calls: () => Calls,
  names: readonly (keyof Methods & string)[],
): Methods {
  const methods = names.map(
    (name) => [name, (...given: readonly unknown[]) => calls().call(name, given)] as const,
  )
  return Object.fromEntries(methods) as Methods
}
