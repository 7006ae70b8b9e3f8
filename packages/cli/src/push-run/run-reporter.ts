// push-run/run-reporter.ts: reports one run of a job to its push monitor: that it started, then how it ended. It never
// throws: a service that cannot be reached is tried again for a while, and what cannot be reported is said once. No text
// of it contains the key, which is in every URL.
import { setTimeout as pause } from 'node:timers/promises'
import { waitInHeader } from '@pulseward/server'

export interface Patience {
  /** For how long a signal is tried again. */
  readonly totalMs: number
  /** How long one request may take. */
  readonly requestMs: number
  /** How long the end of the run waits for a start that is still being sent. */
  readonly startMs: number
  /** The pause after the first failure; it doubles with each. */
  readonly pauseMs: number
}

const usual: Patience = { totalMs: 60_000, requestMs: 10_000, startMs: 2_000, pauseMs: 1_000 }
const LONGEST_PAUSE_MS = 15_000

export interface Run {
  /** Of the service, with or without a path. */
  readonly server: string
  readonly key: string
  readonly id: string
}

type Attempt =
  | { readonly kind: 'told' }
  /** Trying again would change nothing. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'again'; readonly why: string; readonly waitMs: number | null }

export class RunReporter {
  readonly #run: Run
  readonly #say: (sentence: string) => void
  readonly #patience: Patience
  /** Aborted when the caller wants to wait no longer. */
  readonly #givenUp = new AbortController()
  readonly #startEnded = new AbortController()
  #start: Promise<unknown> = Promise.resolve()

  constructor(run: Run, say: (sentence: string) => void, patience: Patience = usual) {
    this.#run = run
    this.#say = say
    this.#patience = patience
  }

  /** Sent in the background of the job. */
  started(): void {
    const signal = AbortSignal.any([this.#givenUp.signal, this.#startEnded.signal])
    this.#start = this.#send('start', null, signal)
  }

  /** Resolves when the service knows it, or never will from here. */
  async ended(exitCode: number, output: Buffer): Promise<void> {
    // The end must not overtake the start; without its start it still says how the run ended.
    const startTooLate = setTimeout(() => this.#startEnded.abort(), this.#patience.startMs)
    await this.#start
    clearTimeout(startTooLate)
    const why = await this.#send(String(exitCode), output, this.#givenUp.signal)
    if (why !== null) this.#say(`the service was not told how the job ended: ${why}`)
  }

  giveUp(): void {
    this.#givenUp.abort()
  }

  /** Null if the service knows it, otherwise why not. */
  async #send(what: string, body: Buffer | null, signal: AbortSignal): Promise<string | null> {
    const endMs = performance.now() + this.#patience.totalMs
    let pauseMs = this.#patience.pauseMs
    for (;;) {
      const attempt = await this.#attempt(what, body, signal)
      if (attempt.kind === 'told') return null
      if (attempt.kind === 'refused' || signal.aborted) return attempt.why
      const waitMs = attempt.waitMs ?? pauseMs
      if (performance.now() + waitMs > endMs) return attempt.why
      await pause(waitMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return attempt.why
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    }
  }

  async #attempt(what: string, body: Buffer | null, signal: AbortSignal): Promise<Attempt> {
    const { server, key, id } = this.#run
    try {
      const answer = await fetch(`${server.replace(/\/+$/, '')}/push/${key}/${what}?rid=${id}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'pulseward' },
        body: body === null ? null : new Uint8Array(body),
        // The address of a redirect may be anyone's, and the key is in the URL.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#patience.requestMs)]),
      })
      // Not awaited: nothing of the body matters.
      answer.body?.cancel().catch(() => {})
      return judged(answer)
    } catch (error) {
      return { kind: 'again', why: inWords(error as Error), waitMs: null }
    }
  }
}

function judged({ status, headers }: Response): Attempt {
  if (status === 200) return { kind: 'told' }
  if (status === 404) return { kind: 'refused', why: 'it knows no push monitor with this key (status 404)' }
  if (status >= 300 && status < 400)
    return { kind: 'refused', why: `its address redirects (status ${status}); give the one it leads to` }
  const why = `it answered with status ${status}`
  if (status !== 408 && status !== 425 && status !== 429 && status < 500) return { kind: 'refused', why }
  return { kind: 'again', why, waitMs: waitInHeader(headers.get('retry-after') ?? undefined, Date.now()) }
}

/** Only codes: a message could repeat the URL. */
function inWords({ name, cause }: Error): string {
  if (name === 'TimeoutError') return 'it gave no answer in time'
  const code = (cause as { code?: unknown } | undefined)?.code
  if (code === 'ECONNREFUSED') return 'it refused the connection'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name was not found'
  return typeof code === 'string' ? `it could not be reached (${code})` : 'it could not be reached'
}
