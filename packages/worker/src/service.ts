// service.ts: the four calls that a worker makes to the service. The serverID of every answer is compared with the
// journal's before the answer is used, and its Date goes to the clock. An answer that makes no sense counts as no answer.
import type { v2 } from '@pulseward/client'
import { type Answered, type HttpCaller, isObject, type Refused } from './http-caller.ts'
import type { ServiceClock } from './service-clock.ts'

export type Call<Body> = { readonly ok: true; readonly body: Body; readonly isRepeated: boolean } | Refused

export interface ServiceParts {
  readonly caller: HttpCaller
  readonly clock: ServiceClock
  /** Whether this answer came from the service that the journal belongs to. */
  readonly isOurs: (serverID: string, sentAt: number) => boolean
}

const usualTimeoutMs = 10_000
const root = '/api/v2/external-workers/'

type TextMembers<Body> = { readonly [Name in keyof Body]?: 'string' | 'boolean' | 'list' }

export class Service {
  readonly #parts: ServiceParts

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  poll(body: v2.PollRequest, signal: AbortSignal): Promise<Call<v2.Assignments>> {
    const timeoutMs = usualTimeoutMs + body.waitSeconds * 1000
    return this.#call<v2.Assignments>('poll', JSON.stringify(body), { items: 'list' }, { timeoutMs, signal })
  }

  start(body: v2.StartRequest): Promise<Call<v2.StartResponse>> {
    const members = { disposition: 'string', grantID: 'string', deadline: 'string' } as const
    // After the lease the answer could only be no.
    return this.#call<v2.StartResponse>('start', JSON.stringify(body), members, { timeoutMs: 5_000 })
  }

  heartbeat(body: v2.HeartbeatRequest): Promise<Call<v2.HeartbeatResponse>> {
    return this.#call<v2.HeartbeatResponse>('heartbeat', JSON.stringify(body), { accepted: 'boolean' })
  }

  /** The text of an outcome must be the same every time it is sent. */
  result(outcome: string, signal: AbortSignal): Promise<Call<v2.Receipt>> {
    const members = { receiptID: 'string', disposition: 'string' } as const
    return this.#call<v2.Receipt>('result', outcome, members, { timeoutMs: usualTimeoutMs, signal })
  }

  close(): void {
    this.#parts.caller.close()
  }

  async #call<Body>(
    verb: string,
    text: string,
    members: TextMembers<Body>,
    call: { timeoutMs: number; signal?: AbortSignal } = { timeoutMs: usualTimeoutMs },
  ): Promise<Call<Body>> {
    const { caller, clock, isOurs } = this.#parts
    const answer = await caller.post(root + verb, text, call)
    if (!answer.ok) return answer
    const { body } = answer
    if (!isObject(body) || typeof body['serverID'] !== 'string' || !hasMembers(body, members))
      return senseless
    if (!isOurs(body['serverID'], answer.sentAt)) return ofAnother
    observe(clock, answer)
    return { ok: true, body: body as Body, isRepeated: answer.isRepeated }
  }
}

function observe(clock: ServiceClock, { dateMs, sentAt, receivedAt }: Answered): void {
  if (dateMs !== null) clock.observe(dateMs, sentAt, receivedAt)
}

function hasMembers(body: Record<string, unknown>, members: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every(([name, type]) =>
    type === 'list' ? Array.isArray(body[name]) : typeof body[name] === type,
  )
}

const without = { ok: false, status: 0, code: '', retryAfterMs: null } as const
const senseless: Refused = {
  ...without,
  message: 'it answered with something that this version of the library does not understand',
}
const ofAnother: Refused = { ...without, message: 'another service answered' }
