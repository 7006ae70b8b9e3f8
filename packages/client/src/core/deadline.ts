// core/deadline.ts: one signal for two causes: the caller's signal and a timeout. Tells which of them it was.
// Must be ended, or the caller's signal would keep a reference to it.

export class Deadline {
  readonly #controller = new AbortController()
  readonly #callerSignal: AbortSignal | undefined
  readonly #timeoutMs: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver: 'timeout' | 'cancelled' | null = null

  constructor(timeoutMs: number, callerSignal: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.#callerSignal = callerSignal
    if (callerSignal?.aborted) this.#cancel()
    else callerSignal?.addEventListener('abort', this.#cancel)
    this.restart()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** How it ended; null while it is running. */
  get isOver(): 'timeout' | 'cancelled' | null {
    return this.#isOver
  }

  /** Restarts the timeout. */
  restart(): void {
    this.pause()
    if (this.#isOver === null) this.#timer = setTimeout(() => this.#finish('timeout'), this.#timeoutMs)
  }

  /** From now on, only the caller's signal ends it. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** Releases the caller's signal and any open connection. */
  end(): void {
    this.pause()
    this.#callerSignal?.removeEventListener('abort', this.#cancel)
    this.#controller.abort()
  }

  readonly #cancel = (): void => this.#finish('cancelled')

  #finish(how: 'timeout' | 'cancelled'): void {
    this.#isOver ??= how
    this.pause()
    this.#controller.abort()
  }
}
