// Trials over HTTP, against real targets on loopback: what they say, what they refuse and end, and that nothing of them
// stays.
import { readFileSync } from 'node:fs'
import type { v2 } from '@pulseward/contract'
import { temporaryFolder, until } from '@pulseward/testing'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import {
  documentOf,
  type ServedNext,
  serveNext,
  type V2Call,
  withExternalJobs,
} from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { serveInProcess } from '@pulseward/testing/process'
import {
  answers,
  answersBy,
  certificates,
  HttpTarget,
  hangs,
  readRequest,
  TcpTarget,
} from '@pulseward/testing/targets'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const secret = 'bearer-secret-that-nobody-may-see'

let world: TestService
let next: ServedNext
let target: HttpTarget
let refusing: TcpTarget
beforeAll(async () => {
  world = await TestService.start({ monitors: [http('watched', { every: '1h' })] })
  next = await serveNext(world, {
    settings: { ...withExternalJobs.settings, 'network.allow_loopback_notify': true },
  })
  target = await HttpTarget.start()
  refusing = await TcpTarget.start()
  await refusing.refuses()
  await create('Credential', 'token', { value: secret })
  await create('JobType', 'queue-depth', jobType('check'))
  await create('JobType', 'pager', jobType('notification'))
})
afterAll(async () => {
  await next[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
  await refusing[Symbol.asyncDispose]()
})
beforeEach(() => {
  target.behave(answers({ body: 'hello' }))
  // Longer than a principal has to wait between two trials.
  next.clock.advance(1_000)
})

const jobType = (kind: 'check' | 'notification') => ({
  version: '1',
  kind,
  handler: 'work',
  protocolVersion: '1',
  parameterSchema: { type: 'object' },
  resultSchema: { type: 'object' },
})

async function create(kind: v2.ResourceKind, id: string, spec: object): Promise<void> {
  const call = { body: documentOf(kind, id, spec), headers: { 'if-none-match': '*' } }
  expect((await next.call(`Create${kind}`, call)).status).toBe(201)
}

const httpCheck = (config: object, more: object = {}) => ({
  driver: { type: 'http', config: { url: target.url(), ...config }, ...more },
})

/** What was tried, and what the answer says of it. */
async function tryCheck(body: object): Promise<v2.CheckTrial> {
  const answer = await expectV2Answer('TryCheck', await next.call('TryCheck', { body }))
  return answer as v2.CheckTrial
}

async function send(body: object): Promise<v2.NotificationTrial> {
  const answer = await expectV2Answer('TryNotification', await next.call('TryNotification', { body }))
  return answer as v2.NotificationTrial
}

async function refused(name: 'TryCheck' | 'TryNotification', body: object, more: Omit<V2Call, 'body'> = {}) {
  const response = await next.call(name, { ...more, body })
  const { errors = [] } = await expectV2Problem(name, response, 'invalidResource')
  return errors.map(({ field, message }) => `${field} ${message}`)
}

describe('a check that is tried', () => {
  it('says how far it came, and what it saw on the way', async () => {
    const seen = await tryCheck(httpCheck({ expect: { body: { contains: 'hell' } } }))
    expect(seen).toEqual({
      outcome: 'success',
      latencyMs: expect.any(Number),
      phases: [
        { phase: 'connect', atMs: expect.any(Number) },
        { phase: 'first_byte', atMs: expect.any(Number) },
      ],
      observations: [
        { name: 'address', seen: `127.0.0.1:${target.port}` },
        { name: 'status', seen: '200', expected: '200-299', met: true },
        { name: 'body', seen: '"hello"' },
        { name: 'body contains', seen: 'found', expected: '"hell"', met: true },
      ],
    })
  })

  it('says why it fails, and which assertions were not met', async () => {
    target.behave(answers({ status: 503, body: 'later' }))
    const { outcome, reason, observations } = await tryCheck(httpCheck({}))
    expect([outcome, reason]).toEqual(['failure', 'status 503, expected 200-299'])
    expect(observations).toContainEqual({ name: 'status', seen: '503', expected: '200-299', met: false })
  })

  it('shows a certificate, also one that is refused', async () => {
    await using secure = await HttpTarget.start({ tls: { identity: certificates.expired } })
    const config = { url: secure.url('/', 'localhost'), tls: { ca: certificates.authority } }
    const { outcome, reason, phases, observations } = await tryCheck({ driver: { type: 'http', config } })
    expect([outcome, reason]).toEqual(['failure', 'the certificate expired on 2026-01-02'])
    expect(phases.map(({ phase }) => phase)).toEqual(['resolve', 'connect', 'tls'])
    const named = Object.fromEntries(observations.map(({ name, seen }) => [name, seen]))
    expect(named).toMatchObject({
      'certificate subject': expect.stringContaining('shop.test'),
      'certificate issuer': expect.any(String),
      'certificate expires': '2026-01-02T00:00:00.000Z',
    })
  })

  it('ends at its own timeout', async () => {
    target.behave(hangs())
    const { outcome, reason } = await tryCheck({ ...httpCheck({}), timeout: '100ms' })
    expect([outcome, reason]).toEqual(['timeout', 'no response within 100 ms; connected, request sent'])
    await target.idle()
  })

  it('goes where checks may go, and nowhere else', async () => {
    const { outcome, reason } = await tryCheck(httpCheck({ url: 'http://169.254.169.254/latest' }))
    expect(outcome).toBe('failure')
    expect(reason).toMatch(
      /^169\.254\.169\.254 is a .* address, which checks may not reach unless network\.allow_link_local/,
    )
  })

  it('uses a credential and never shows it', async () => {
    target.behave(
      answersBy((request) => ({ body: `you sent ${readRequest(request).headers.get('authorization')}` })),
    )
    const draft = httpCheck(
      { expect: { body: { contains: 'nothing' } } },
      { credentialRefs: { 'auth.bearer': 'token' } },
    )
    const { outcome, ...shown } = await tryCheck(draft)
    expect(outcome).toBe('failure')
    expect(readRequest(target.requests.at(-1)!).headers.get('authorization')).toBe(`Bearer ${secret}`)
    expect(JSON.stringify(shown)).toContain('[redacted]')
    expect(JSON.stringify(shown)).not.toContain('bearer-secret')
  })

  it('is refused with the mistakes that a write would have', async () => {
    const before = target.acceptedSockets
    expect(await refused('TryCheck', { driver: { type: 'http', config: { ulr: 'x' } } })).toEqual([
      expect.stringMatching(/^\/driver\/config\/ulr is unknown; .* Did you mean "url"\?$/),
      expect.stringMatching(/^\/driver\/config\/url is missing/),
    ])
    expect(await refused('TryCheck', { driver: { type: 'htpp', config: {} } })).toEqual([
      expect.stringMatching(/^\/driver\/type there is no check of type "htpp".* Did you mean "http"\?$/),
    ])
    expect(await refused('TryCheck', httpCheck({}, { credentialRefs: { 'auth.bearer': 'gone' } }))).toEqual([
      '/driver/credentialRefs/auth.bearer there is no credential of this name',
    ])
    expect(await refused('TryCheck', httpCheck({ auth: { bearer: 'plain' } }))).toEqual([
      expect.stringMatching(/^\/driver\/config\/auth\/bearer is a secret/),
    ])
    expect(await refused('TryCheck', { ...httpCheck({}), timeout: '301s' })).toEqual([
      '/timeout must be at most 300s for a check that is tried',
    ])
    expect(target.acceptedSockets).toBe(before)
    const response = await next.call('TryCheck', { body: { ...httpCheck({}), retries: 3 } })
    await expectV2Problem('TryCheck', response, 'invalidBody')
  })

  it('may not act on this machine, nor be a job of a worker', async () => {
    expect(await refused('TryCheck', { driver: { type: 'docker', config: { container: 'shop' } } })).toEqual([
      expect.stringMatching(/^\/driver\/type acts on the machine of the service/),
    ])
    expect(await refused('TryCheck', { driver: { type: 'queue-depth', config: {} } })).toEqual([
      '/driver/type is a job type, which only workers outside the service run; save it to have them run it',
    ])
  })

  it('leaves no trace but its own count', async () => {
    const before = await everythingKept()
    await tryCheck(httpCheck({}))
    expect(await everythingKept()).toEqual(before)
    expect(await metric('pulseward_trials_total{kind="check",outcome="success"}')).toBeGreaterThan(0)
    expect(await metric('pulseward_trials_total{kind="notification",outcome="not_reached"}')).toEqual(
      expect.any(Number),
    )
  })
})

/** What readers could see of a trial, if it left a trace. */
async function everythingKept(): Promise<unknown[]> {
  const bodies = await Promise.all(
    (['GetHistory', 'ListMonitors', 'ListIncidents', 'ListActions', 'ListOperations'] as const).map(
      async (name) => ((await (await next.call(name)).json()) as { items: unknown[] }).items,
    ),
  )
  const metrics = await (await next.get('/metrics')).text()
  const counted = metrics.match(/^pulseward_(checks|notifications|pool_completed|queue_enqueued)_total.*$/gm)
  expect(counted?.length).toBeGreaterThan(0)
  return [...bodies, counted]
}

async function metric(name: string): Promise<number | null> {
  const text = await (await next.get('/metrics')).text()
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? null : Number(line.slice(name.length))
}

describe('a notification that is tried', () => {
  const webhook = (config: object = {}, more: object = {}) => ({
    type: 'webhook',
    config: { url: target.url('/hook'), ...config },
    ...more,
  })

  it('sends one message that is marked as a test', async () => {
    const before = target.requests.length
    expect(await send(webhook())).toEqual({ outcome: 'delivered' })
    expect(target.requests).toHaveLength(before + 1)
    expect(JSON.parse(readRequest(target.requests.at(-1)!).body)).toMatchObject({
      monitor_id: 'pulseward-test',
      color: 'gray',
      summary: expect.stringMatching(/^Test: /),
    })
  })

  it('says why it was not delivered, without what it was sent with', async () => {
    target.behave(answers({ status: 403, body: secret }))
    const draft = webhook({}, { credentialRefs: { 'headers.X-Key': 'token' } })
    expect(await send(draft)).toEqual({ outcome: 'rejected', reason: 'the provider answered 403' })
    expect(readRequest(target.requests.at(-1)!).headers.get('x-key')).toBe(secret)
  })

  it('tells a provider that was never reached from one that refused', async () => {
    const config = { url: `http://127.0.0.1:${refusing.port}/` }
    expect(await send(webhook(config))).toEqual({
      outcome: 'notReached',
      reason: expect.stringMatching(/^connection refused by/),
    })
    next.clock.advance(1_000)
    const { outcome, reason } = await send(webhook({ url: 'http://169.254.169.254/' }))
    expect(outcome).toBe('notReached')
    expect(reason).toMatch(
      /which notifications and recoveries may not reach unless network\.allow_link_local/,
    )
  })

  it('is refused with the mistakes that a write would have', async () => {
    expect(await refused('TryNotification', { type: 'webhook', config: {} })).toEqual([
      expect.stringMatching(/^\/config\/url is missing/),
    ])
    expect(await refused('TryNotification', { type: 'pager', config: {} })).toEqual([
      expect.stringMatching(/^\/type is a job type, which only workers/),
    ])
  })
})

describe('trials', () => {
  const hanging = () => {
    target.behave(hangs())
    return { ...httpCheck({}), timeout: '60s' }
  }
  const start = (body: object, signal?: AbortSignal) =>
    fetch(`${next.url}/api/v2/trials/checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${next.tokens.operator}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })

  it('are for operators', async () => {
    const response = await next.call('TryCheck', { role: 'reader', body: httpCheck({}) })
    await expectV2Problem('TryCheck', response, 'forbidden')
  })

  it('begin once per second and principal, and a draft that is refused does not count', async () => {
    await refused('TryCheck', { driver: { type: 'http', config: {} } })
    await tryCheck(httpCheck({}))
    const response = await next.call('TryNotification', { body: { type: 'log', config: {} } })
    const { detail } = await expectV2Problem('TryNotification', response, 'rateLimited')
    expect(detail).toBe('the-operator may begin 1 trial per second; try again in a moment.')
    expect(response.headers.get('retry-after')).toBe('1')
    next.clock.advance(1_000)
    expect(await send({ type: 'log', config: {} })).toEqual({ outcome: 'delivered' })
  })

  it('run two at a time, and end when their client is gone', async () => {
    const clients = [new AbortController(), new AbortController()]
    const body = hanging()
    const before = target.requests.length
    const trials: Promise<unknown>[] = []
    for (const { signal } of clients) {
      trials.push(start(body, signal))
      await until(() => target.requests.length === before + trials.length)
      next.clock.advance(1_000)
    }
    const response = await start(body)
    const { detail } = await expectV2Problem('TryCheck', response, 'tooBusy')
    expect(detail).toBe('2 trials run already; try again when one of them has ended.')
    expect(response.headers.get('retry-after')).toBe('1')
    for (const client of clients) client.abort()
    await Promise.allSettled(trials)
    await target.idle()
    target.behave(answers())
    // The place is free once the service has noticed.
    await until(async () => {
      next.clock.advance(1_000)
      return (await start(httpCheck({}))).status === 200
    })
  })

  it('are broken off when the service stops', async () => {
    using folder = temporaryFolder()
    const data = folder.path('data')
    const service = await serveInProcess(['--edition', 'next', '--data', data, '--allow-empty'])
    const token = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
    const body = hanging()
    const before = target.requests.length
    const trial = fetch(`${service.url}/api/v2/trials/checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await until(() => target.requests.length > before)
    await service[Symbol.asyncDispose]()
    const { detail } = await expectV2Problem('TryCheck', await trial, 'unavailable')
    expect(detail).toMatch(/^The service is stopping/)
    await target.idle()
  })
})
