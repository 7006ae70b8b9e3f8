// http-caller.ts: sends one POST of JSON and reads its answer, over keep-alive connections. Failures of the network or
// the service are returned as values. Does not use the client library: fetch costs several times the CPU of node:http for
// a small request, and a worker makes two per job. Redirects are not followed: they would send the token elsewhere.
import { Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as TlsAgent } from 'node:https'

export interface Answered {
  readonly ok: true
  readonly body: unknown
  /** From the Date header; null without one. */
  readonly dateMs: number | null
  /** Monotonic times. */
  readonly sentAt: number
  readonly receivedAt: number
  /** Whether the request was sent twice. The first one may have arrived too. */
  readonly isRepeated: boolean
}

export interface Refused {
  readonly ok: false
  /** 0 if there was no answer. */
  readonly status: number
  /** The code of the problem; empty without one. */
  readonly code: string
  /** A sentence for the log and the diagnostic, made from the service's answer. */
  readonly message: string
  readonly retryAfterMs: number | null
}

export interface CallerOptions {
  readonly baseUrl: URL
  readonly token: () => string
  readonly ca: string | Buffer | undefined
}

interface Call {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

const mostAnswerBytes = 64 * 1024 * 1024
const mostSentenceCharacters = 2_000

export class HttpCaller {
  readonly #agent: Agent
  readonly #options: RequestOptions
  readonly #request: typeof requestHttp
  readonly #basePath: string
  readonly #token: () => string

  constructor({ baseUrl, token, ca }: CallerOptions) {
    const isTls = baseUrl.protocol === 'https:'
    const kept = { keepAlive: true, scheduling: 'lifo', noDelay: true } as const
    this.#agent = isTls ? new TlsAgent(ca === undefined ? kept : { ...kept, ca }) : new Agent(kept)
    this.#request = isTls ? requestHttps : requestHttp
    this.#options = {
      agent: this.#agent,
      method: 'POST',
      hostname: baseUrl.hostname.replace(/^\[|\]$/g, ''),
      port: baseUrl.port || (isTls ? 443 : 80),
    }
    this.#basePath = baseUrl.pathname.replace(/\/+$/, '')
    this.#token = token
  }

  /** Every call may be repeated: a repeated start grants nothing new, and a repeated result gets the same receipt. */
  async post(path: string, body: string, call: Call): Promise<Answered | Refused> {
    try {
      const first = await this.#once(path, body, call)
      // The server had closed the kept connection; most likely it did not read the request.
      if (first !== 'stale') return first
      const second = await this.#once(path, body, call, true)
      return second.ok ? { ...second, isRepeated: true } : second
    } catch (error) {
      // The token function threw, so nothing was sent.
      return noAnswer(error as Error)
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #once(path: string, body: string, call: Call, isFresh: true): Promise<Answered | Refused>
  #once(path: string, body: string, call: Call): Promise<Answered | Refused | 'stale'>
  #once(path: string, body: string, { timeoutMs, signal }: Call, isFresh = false) {
    const { promise, resolve } = Promise.withResolvers<Answered | Refused | 'stale'>()
    const sentAt = performance.now()
    const request = this.#request({
      ...this.#options,
      // The second attempt opens a new connection: another kept one may be as stale as the first.
      ...(isFresh ? { agent: false } : {}),
      path: this.#basePath + path,
      headers: {
        Authorization: `Bearer ${this.#token()}`,
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    })
    const end = (answer: Answered | Refused | 'stale') => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      resolve(answer)
    }
    const timer = setTimeout(() => request.destroy(new Error('there was no answer in time')), timeoutMs)
    const cancel = () => request.destroy(new Error('it was cancelled'))
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel)
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = !isFresh && request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')
      end(isStale ? 'stale' : noAnswer(error))
    })
    request.on('response', (response) => read(response, sentAt).then(end, (error) => end(noAnswer(error))))
    request.end(body)
    return promise
  }
}

function read(response: IncomingMessage, sentAt: number): Promise<Answered | Refused> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered | Refused>()
  const chunks: Buffer[] = []
  let byteCount = 0
  response.on('data', (chunk: Buffer) => {
    byteCount += chunk.length
    chunks.push(chunk)
    if (byteCount > mostAnswerBytes) response.destroy(new Error('the answer is too large'))
  })
  response.on('error', reject)
  response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString(), sentAt)))
  return promise
}

function answerOf(response: IncomingMessage, text: string, sentAt: number): Answered | Refused {
  const { statusCode: status = 0, headers } = response
  const body = parsed(text)
  if (status === 200 && isObject(body)) {
    const dateMs = Date.parse(headers.date ?? '')
    return {
      ok: true,
      body,
      dateMs: Number.isNaN(dateMs) ? null : dateMs,
      sentAt,
      receivedAt: performance.now(),
      isRepeated: false,
    }
  }
  const problem = isObject(body) ? body : {}
  const { code } = problem
  return {
    ok: false,
    status,
    code: typeof code === 'string' ? code.slice(0, 64) : '',
    message: sentenceOf(status, problem),
    retryAfterMs: retryAfterMsOf(headers['retry-after']),
  }
}

/** The service's own sentences repeat no value that was sent. */
function sentenceOf(status: number, problem: Record<string, unknown>): string {
  const { title, detail, errors } = problem
  const said = [title, detail].filter((text) => typeof text === 'string' && text !== '')
  const places = (Array.isArray(errors) ? errors : [])
    .filter(isObject)
    .map((error) => `${String(error['field'])}: ${String(error['message'])}`)
  const sentence = [said.join(': '), ...places].filter(Boolean).join('; ')
  return `it answered ${status}${sentence && ` (${sentence})`}`.slice(0, mostSentenceCharacters)
}

function noAnswer(error: NodeJS.ErrnoException): Refused {
  // An error about several addresses has its reasons inside.
  const [inner] = error instanceof AggregateError ? error.errors : []
  const message = error.message || (inner instanceof Error ? inner.message : '') || 'the connection failed'
  return { ok: false, status: 0, code: '', message, retryAfterMs: null }
}

/** Seconds or a date. A date counts as ten seconds, because the clocks may differ. */
function retryAfterMsOf(value: string | undefined): number | null {
  if (value === undefined) return null
  const seconds = Number(value)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : 10_000
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
