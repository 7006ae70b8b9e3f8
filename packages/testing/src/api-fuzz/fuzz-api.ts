// api-fuzz/fuzz-api.ts: sends hostile requests to a listener over several keep-alive connections at once. It checks every
// answer for what must never happen: an undocumented 5xx, a leaked secret, bytes that are not HTTP, or no answer at all.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../random.ts'
import { AnswerReader, type Bodies, type ReadAnswer } from './answer-reader.ts'
import { type HostileRequest, HostileRequests } from './hostile-request.ts'
import { HostileV2Requests, type V2Tokens } from './hostile-v2-request.ts'

export interface FuzzOptions {
  readonly port: number
  readonly token: string
  readonly seed: number
  readonly requests: number
  readonly connections?: number
  /** With these tokens, most requests are v2 calls by these principals. */
  readonly v2?: V2Tokens
}

export interface FuzzResult {
  readonly sent: number
  readonly answered: number
  readonly statuses: Readonly<Record<number, number>>
  /** Sentences, each with the request that caused it; at most a hundred. */
  readonly findings: readonly string[]
}

/** A required answer must arrive within this time, even on a slow machine. */
const answerWithinMs = 20_000
/** How long to wait for an answer that the service need not give. */
const momentMs = 100
const slowPauseMs = 5
const mostFindings = 100
/** The rest goes to the other paths of the listener. */
const shareOfV2 = 0.85

export async function fuzzApi(options: FuzzOptions): Promise<FuzzResult> {
  const run = new FuzzRun(options)
  const { seed, requests, connections = 24 } = options
  // Every connection sends the same number, so the requests depend on the seed and not on which connection is fast.
  const share = Math.ceil(requests / connections)
  const lanes = Array.from({ length: connections }, (_, lane) => run.lane(seed * 1_000 + lane, share))
  await Promise.all(lanes)
  return run.result
}

class FuzzRun {
  readonly #options: FuzzOptions
  readonly #statuses: Record<number, number> = {}
  readonly #findings: string[] = []
  #sent = 0
  #answered = 0

  constructor(options: FuzzOptions) {
    this.#options = options
  }

  get result(): FuzzResult {
    return { sent: this.#sent, answered: this.#answered, statuses: this.#statuses, findings: this.#findings }
  }

  /** Sends requests one after the other, over as few connections as the service allows. */
  async lane(seed: number, requests: number): Promise<void> {
    const { port } = this.#options
    const source = this.#sourceOf(new Random(seed))
    let line: Line | null = null as Line | null
    for (let sent = 0; sent < requests && this.#findings.length < mostFindings; sent++) {
      this.#sent++
      const request = source()
      const open: Line = line?.isOpen === true ? line : await Line.open(port)
      line = open
      try {
        const answers = await open.send(request)
        for (const answer of answers) this.#judge(answer, request)
        if (answers.length < request.answers) this.#find('no answer came', request)
        request.heard?.(answers)
      } catch (error) {
        this.#find((error as Error).message, request)
      }
      // Those bytes may be half a request; the service would read the next request as its other half.
      if (request.answers === 0) open.close()
    }
    line?.close()
  }

  #sourceOf(random: Random): () => HostileRequest {
    const { token, v2 } = this.#options
    const anything = new HostileRequests(random, token)
    if (v2 === undefined) return () => anything.next()
    const calls = new HostileV2Requests(random, v2)
    return () => (random.chance(shareOfV2) ? calls : anything).next()
  }

  #judge(answer: ReadAnswer, request: HostileRequest): void {
    const { status, headers, body } = answer
    this.#answered++
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    const text = body.toString('latin1')
    const head = [...headers].join('\n')
    if (status >= 500 && !isDocumented(status, text))
      this.#find(`answered ${status}: ${text.slice(0, 300)}`, request)
    const { token, v2 } = this.#options
    for (const secret of [token, ...(v2 === undefined ? [] : Object.values(v2))])
      if (text.includes(secret) || head.includes(secret)) this.#find('shows a secret', request)
    if (status >= 200 && !headers.has('x-request-id'))
      this.#find(`answered ${status} without a request id`, request)
  }

  #find(words: string, { parts }: HostileRequest): void {
    this.#findings.push(
      `${words} ← ${JSON.stringify(
        Buffer.concat([...parts])
          .toString('latin1')
          .slice(0, 500),
      )}`,
    )
  }
}

const documented503 = /"code":"(unavailable|overloaded|history_unavailable)"|"status":"not_ready"/
const documented501 = /"code":"featureUnavailable"/

function isDocumented(status: number, body: string): boolean {
  if (status === 501) return documented501.test(body)
  return status === 503 && (body === '' || documented503.test(body))
}

class Line {
  readonly #socket: Socket
  readonly #reader = new AnswerReader()
  #bodies: Bodies = 'always'
  #answers: ReadAnswer[] = []
  #broken: Error | null = null
  #wake = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#hear(chunk))
    socket.on('error', () => {})
    socket.on('close', () => this.#wake())
  }

  static open(port: number): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Line(socket)))
      socket.once('error', reject)
    })
  }

  get isOpen(): boolean {
    const isLast = this.#answers.at(-1)?.headers.get('connection') === 'close'
    return this.#socket.writable && this.#reader.isBetween && !isLast
  }

  /** Returns all required answers, or the optional ones that arrived in a moment. */
  async send({ parts, answers, hopedFor, bodies }: HostileRequest): Promise<ReadAnswer[]> {
    this.#answers = []
    this.#bodies = bodies
    for (const [index, part] of parts.entries()) {
      if (index > 0) await pause(slowPauseMs)
      this.#socket.write(part)
    }
    const deadline = performance.now() + (answers > 0 ? answerWithinMs : momentMs)
    while (this.#isWaiting(hopedFor) && performance.now() < deadline)
      await this.#heard(deadline - performance.now())
    if (this.#broken !== null) throw this.#broken
    return this.#answers
  }

  close(): void {
    this.#socket.destroy()
  }

  #isWaiting(hopedFor: number): boolean {
    return !this.#socket.destroyed && this.#broken === null && this.#answers.length < hopedFor
  }

  #hear(chunk: Buffer): void {
    try {
      this.#answers.push(...this.#reader.take(chunk, this.#bodies))
    } catch (error) {
      this.#broken = error as Error
    }
    // An event stream does not end; its head is enough.
    if (this.#answers.at(-1)?.headers.get('content-type')?.startsWith('text/event-stream')) this.close()
    this.#wake()
  }

  #heard(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, withinMs))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
