// worker-peer/service-peer.ts: a service that implements only the protocol of workers: it offers, grants
// once, returns stable receipts, and records all of it for the test. It can lose answers, be slow, refuse,
// run with a wrong clock, be killed and restart with what it had committed.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { v2 } from '@pulseward/contract'

export interface PeerExecution {
  readonly offer: Omit<v2.Assignment, 'leaseID' | 'deadline' | 'serverID'>
  readonly timeoutMs: number
  leaseID: string
  leaseEndsAt: number
  grantID: string
  /** How often a start was answered with granted. */
  grants: number
  deadlineMs: number
  heartbeats: number
  /** The text of the first accepted result. */
  result: string
  receiptID: string
  disposition: v2.Receipt['disposition']
  /** How often a receipt was sent. */
  receipts: number
}

export interface PeerJob {
  readonly jobTypeID?: string
  readonly version?: string
  readonly kind?: v2.Assignment['kind']
  readonly parameters?: unknown
  readonly credentialProfile?: string
  readonly timeoutMs?: number
}

interface Body {
  readonly executionID: string
  readonly leaseID: string
}

type Verb = 'poll' | 'start' | 'heartbeat' | 'result'

/** What a call gets instead of its answer. */
export type Fault =
  | { readonly lose: 'request' | 'answer' }
  | { readonly delayMs: number }
  | { readonly instead: object }
  | {
      readonly status: number
      readonly code?: string
      readonly headers?: Record<string, string>
      readonly detail?: string
    }

const leaseMs = 5_000

interface Waiting {
  readonly body: v2.PollRequest
  readonly answer: (body: object) => void
}

export class ServicePeer implements AsyncDisposable {
  readonly token = 'worker-token-0123456789abcdef0123456789'
  serverID = 'store-one'
  /** How far its clock is ahead of this machine's. */
  clockOffsetMs = 0
  /** Grants an execution again when it is started again, as a service restored from a backup does. */
  grantsAgain = false
  /** Whether a repeated start names the grant that exists. */
  namesGrant = false
  acceptsHeartbeats = true
  fault: (verb: Verb, body: Record<string, unknown>) => Fault | null = () => null
  readonly executions = new Map<string, PeerExecution>()
  readonly polls: v2.PollRequest[] = []
  readonly tokens = new Set<string>()
  #server: Server | null = null
  #port = 0
  #count = 0
  #waiting: Waiting[] = []
  readonly #host: string

  private constructor(host: string) {
    this.#host = host
  }

  /** On loopback unless a host is given. */
  static async start(host = '127.0.0.1'): Promise<ServicePeer> {
    const peer = new ServicePeer(host)
    await peer.listen()
    return peer
  }

  get url(): string {
    return `http://${this.#host}:${this.#port}`
  }

  get heldPolls(): number {
    return this.#waiting.length
  }

  /** Listens on the same port as before. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(this.#port, this.#host, resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** Stops answering, and leaves calls in flight without an answer. */
  async kill(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.#waiting = []
    server?.closeAllConnections()
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }

  /** Creates a job; returns the id of its execution. */
  submit(job: PeerJob = {}): string {
    const executionID = `exe-${++this.#count}`
    const { jobTypeID = 'echo', version = '1', kind = 'check', parameters = {}, credentialProfile = '' } = job
    this.executions.set(executionID, {
      offer: {
        executionID,
        executionRevision: '1',
        monitorID: 'edge',
        incarnationUID: 'uid-1',
        jobTypeID,
        jobTypeVersion: version,
        kind,
        parameters,
        credentialProfile,
      },
      timeoutMs: job.timeoutMs ?? 30_000,
      leaseID: '',
      leaseEndsAt: 0,
      grantID: '',
      grants: 0,
      deadlineMs: 0,
      heartbeats: 0,
      result: '',
      receiptID: '',
      disposition: 'accepted',
      receipts: 0,
    })
    this.#handOut()
    return executionID
  }

  execution(executionID: string): PeerExecution {
    const execution = this.executions.get(executionID)
    if (execution === undefined) throw new Error(`there is no execution ${executionID}`)
    return execution
  }

  /** The reported outcome; null until there is one. */
  outcome(executionID: string): v2.Outcome | null {
    const { result } = this.execution(executionID)
    return result === '' ? null : JSON.parse(result)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const verb = request.url?.split('/').at(-1) as Verb
    const text = await textOf(request)
    if (text === null) return
    const body = JSON.parse(text)
    const [, token = ''] = (request.headers.authorization ?? '').split(' ')
    this.tokens.add(token)
    const fault = token === this.token ? this.fault(verb, body) : { status: 401, code: 'unauthorized' }
    if (fault !== null && 'status' in fault) {
      this.#problem(response, fault)
      return
    }
    if (fault !== null && 'lose' in fault && fault.lose === 'request') {
      request.socket.destroy()
      return
    }
    if (fault !== null && 'delayMs' in fault)
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs))
    const answer = (status: number, content: object) => {
      if (fault !== null && 'lose' in fault) request.socket.destroy()
      else if (fault !== null && 'instead' in fault) {
        this.#send(response, status, 'application/json', { ...content, ...fault.instead })
      } else this.#send(response, status, 'application/json', content)
    }
    if (verb === 'poll') this.#poll(body, response, (content) => answer(200, content))
    else this.#answer(verb, body, text, answer)
  }

  #answer(verb: Verb, body: Body, text: string, answer: (status: number, content: object) => void): void {
    const { executionID } = body
    const execution = this.executions.get(executionID)
    if (execution === undefined) {
      answer(404, { status: 404, code: 'notFound', title: 'There is no such thing' })
    } else if (verb === 'start') answer(200, this.#start(execution, body))
    else if (verb === 'heartbeat') {
      execution.heartbeats++
      answer(200, { serverID: this.serverID, accepted: this.acceptsHeartbeats })
    } else this.#result(execution, text, answer)
  }

  #poll(body: v2.PollRequest, response: ServerResponse, answer: (content: object) => void): void {
    this.polls.push(body)
    const waiting = { body, answer }
    this.#waiting.push(waiting)
    const leave = () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
    }
    const timer = setTimeout(() => {
      if (!this.#waiting.includes(waiting)) return
      leave()
      answer({ serverID: this.serverID, items: [] })
    }, body.waitSeconds * 1000)
    response.on('close', () => {
      clearTimeout(timer)
      leave()
    })
    this.#handOut()
  }

  /** Gives every waiting poll the jobs that fit it. */
  #handOut(): void {
    for (const waiting of [...this.#waiting]) {
      const items = this.#offersFor(waiting.body)
      if (items.length === 0) continue
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
      waiting.answer({ serverID: this.serverID, items })
    }
  }

  #offersFor({ capabilities, limit }: v2.PollRequest): v2.Assignment[] {
    const now = performance.now()
    const items: v2.Assignment[] = []
    for (const execution of this.executions.values()) {
      if (items.length >= limit) break
      const { offer, timeoutMs } = execution
      const isFree = execution.receiptID === '' && (execution.grants === 0 || this.grantsAgain)
      const fits = capabilities.some(
        ({ jobTypeID, version, kind }) =>
          jobTypeID === offer.jobTypeID && version === offer.jobTypeVersion && kind === offer.kind,
      )
      if (!isFree || !fits || execution.leaseEndsAt > now) continue
      execution.leaseID = `lease-${++this.#count}`
      execution.leaseEndsAt = now + leaseMs
      setTimeout(() => this.#handOut(), leaseMs + 10).unref()
      const deadline = this.#moment(timeoutMs)
      items.push({ ...offer, leaseID: execution.leaseID, serverID: this.serverID, deadline })
    }
    return items
  }

  #start(execution: PeerExecution, { leaseID }: { leaseID: string }): v2.StartResponse {
    const { serverID } = this
    const of = (disposition: v2.StartResponse['disposition'], grantID = '') => ({
      disposition,
      grantID,
      serverID,
      deadline: new Date(execution.deadlineMs).toISOString(),
      receiptID: execution.receiptID,
    })
    if (execution.receiptID !== '') return of('terminal')
    if (execution.grants > 0 && !this.grantsAgain)
      return of('started', this.namesGrant ? execution.grantID : '')
    if (execution.leaseID !== leaseID) return of('rejected')
    execution.grantID = execution.grantID || `grant-${++this.#count}`
    execution.grants++
    execution.deadlineMs = Date.parse(this.#moment(execution.timeoutMs))
    return of('granted', execution.grantID)
  }

  #result(execution: PeerExecution, text: string, answer: (status: number, content: object) => void): void {
    const { executionID } = execution.offer
    const { grantID } = JSON.parse(text)
    const isOther = execution.result !== '' && execution.result !== text
    if (isOther || grantID !== execution.grantID) {
      answer(409, {
        status: 409,
        code: 'evidenceConflict',
        title: 'This contradicts what was reported before',
      })
      return
    }
    if (execution.result === '') {
      execution.result = text
      execution.receiptID = `receipt-${++this.#count}`
      execution.disposition = Date.now() + this.clockOffsetMs > execution.deadlineMs ? 'unknown' : 'accepted'
    }
    execution.receipts++
    const { receiptID, disposition } = execution
    answer(200, { executionID, receiptID, disposition, serverID: this.serverID } satisfies v2.Receipt)
  }

  #moment(fromNowMs: number): string {
    return new Date(Date.now() + this.clockOffsetMs + fromNowMs).toISOString()
  }

  #problem(response: ServerResponse, fault: Extract<Fault, { status: number }>): void {
    const { status, code = '', headers = {}, detail } = fault
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    this.#send(response, status, 'application/problem+json', { status, code, detail })
  }

  #send(response: ServerResponse, status: number, type: string, content: object): void {
    if (response.destroyed) return
    response.sendDate = false
    const date = new Date(Date.now() + this.clockOffsetMs).toUTCString()
    response.writeHead(status, { 'Content-Type': type, Date: date }).end(JSON.stringify(content))
  }
}

/** Null if the connection was lost before the whole body arrived. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  } catch {
    return null
  }
}
