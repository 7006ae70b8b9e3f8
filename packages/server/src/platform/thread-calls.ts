// platform/thread-calls.ts: calls between two threads over one channel, in both directions, each answered
// once and in any order. A synchronous result is sent in the turn of its message, without a promise. When a
// thread ends, its pending calls are rejected. Errors lose their class on the way, so an ErrorForm converts
// them to data; without one, an error ends the thread.
import type { Transferable } from 'node:worker_threads'

export interface Channel {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** A Worker, or a substitute for one. */
export interface Thread extends Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: () => void): unknown
}

export interface ErrorForm {
  pack(error: unknown): unknown
  unpack(packed: unknown): Error
}

export interface CallOptions {
  /** Answers calls from the other side. */
  readonly answer?: Answer
  readonly errors?: ErrorForm
}

/** An answer of which these parts are transferred instead of copied; the sending thread loses them. */
export class Moved {
  readonly value: unknown
  readonly transfer: readonly Transferable[]
  constructor(value: unknown, transfer: readonly Transferable[]) {
    this.value = value
    this.transfer = transfer
  }
}

type Message =
  | { readonly call: number; readonly method: string; readonly given: readonly unknown[] }
  | { readonly answer: number; readonly value: unknown }
  | { readonly answer: number; readonly error: unknown }

export type Answer = (method: string, given: readonly unknown[]) => unknown

/** Answers with the methods of an object. */
export function answeredBy(object: object): Answer {
  const methods = object as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>
  return (method, given) => methods[method]!(...given)
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class ThreadCalls {
  readonly #channel: Channel
  readonly #answerCall: Answer
  readonly #errors: ErrorForm | null
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  #ended: Error | null = null

  constructor(channel: Channel, { answer = answeredBy({}), errors }: CallOptions = {}) {
    this.#channel = channel
    this.#answerCall = answer
    this.#errors = errors ?? null
    channel.on('message', (message) => this.#receive(message as Message))
  }

  /** The number of calls not answered yet. */
  get pending(): number {
    return this.#waiting.size
  }

  /** Why calls are no longer answered; null while the other side is there. */
  get ended(): Error | null {
    return this.#ended
  }

  call(method: string, given: readonly unknown[], transfer?: readonly Transferable[]): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    const call = ++this.#last
    return new Promise((resolve, reject) => {
      this.#channel.postMessage({ call, method, given } satisfies Message, transfer)
      this.#waiting.set(call, { resolve, reject })
    })
  }

  /** The other side is gone: calls are no longer answered, in either direction. */
  end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }

  #receive(message: Message): void {
    if (this.#ended !== null) return
    if ('call' in message) return this.#answer(message.call, message.method, message.given)
    const waiting = this.#waiting.get(message.answer)
    this.#waiting.delete(message.answer)
    if ('error' in message) waiting?.reject(this.#errors!.unpack(message.error))
    else waiting?.resolve(message.value)
  }

  #answer(call: number, method: string, given: readonly unknown[]): void {
    try {
      const value = this.#answerCall(method, given)
      if (!(value instanceof Promise)) return this.#reply(call, value)
      value.then((later) => this.#reply(call, later)).catch((error) => this.#refuse(call, error))
    } catch (error) {
      this.#refuse(call, error)
    }
  }

  #reply(call: number, value: unknown): void {
    if (value instanceof Moved)
      this.#channel.postMessage({ answer: call, value: value.value }, value.transfer)
    else this.#channel.postMessage({ answer: call, value } satisfies Message)
  }

  #refuse(call: number, error: unknown): void {
    if (this.#errors === null) throw error
    this.#channel.postMessage({ answer: call, error: this.#errors.pack(error) } satisfies Message)
  }
}

/** Calls to a thread, which end with it. lost: makes the error for pending calls, from the crash or null. */
export function callsTo(
  thread: Thread,
  lost: (crash: Error | null) => Error,
  options?: CallOptions,
): ThreadCalls {
  const calls = new ThreadCalls(thread, options)
  thread.on('error', (error) => calls.end(lost(error)))
  thread.on('exit', () => calls.end(lost(null)))
  return calls
}

/** An object whose methods are calls to the other side. */
export function remote<Methods extends object>(
  calls: () => ThreadCalls,
  names: readonly (keyof Methods & string)[],
): Methods {
  const methods = names.map((name) => [name, (...given: readonly unknown[]) => calls().call(name, given)])
  return Object.fromEntries(methods) as Methods
}
