// Who reads v1 in the edition next, for how long, and that the login of v1 opens nothing of v2.
import { rmSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { type Operation, type V1OperationName, v1Operations, v2 } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { type ServedNext, type ServeOptions, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPrincipal, revokePrincipal } from '../access/edit-principals.ts'
import { parseListenAddress } from '../config/settings/listen-address.ts'
import { dataDirectory } from '../store/data-directory.ts'

const token = 'a-token-of-v1-that-nobody-else-has'
const names = (Object.keys(v1Operations) as V1OperationName[]).filter((name) =>
  (v1Operations[name] as Operation).editions.includes('next'),
)
const pathOf = (name: V1OperationName) => v1Operations[name].path.replace('{id}', '1')
const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
const basic = (value: string, user = 'svc') => ({
  authorization: `Basic ${Buffer.from(`${user}:${value}`).toString('base64')}`,
})

const startService = () => TestService.start({ monitors: [http('a', { every: '1h' })] })

async function serving(options: ServeOptions = {}, service?: TestService): Promise<ServedNext> {
  return serveNext(service ?? (await startService()), { api: { token }, ...options })
}

/** The status alone: a stream would go on. */
async function statusOf(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const left = new AbortController()
  const response = await fetch(url, { method, headers, signal: left.signal })
  left.abort()
  return response.status
}

/** Of all reads at once: those that guess are answered late. */
const statusesOf = (url: string, headers: Record<string, string>) =>
  Promise.all(names.map((name) => statusOf(url + pathOf(name), headers)))

describe('with a token of v1', () => {
  let service: TestService
  let next: ServedNext
  beforeAll(async () => {
    service = await startService()
    next = await serving({}, service)
  })
  afterAll(() => next[Symbol.asyncDispose]())

  it.each(names)('%s is read with the token of v1, of a reader and of an operator', async (name) => {
    const { reader, operator } = next.tokens
    const asked = (headers: Record<string, string>) => statusOf(next.url + pathOf(name), headers)
    for (const right of [token, reader, operator]) {
      expect(await asked(bearer(right))).toBe(200)
      expect(await asked(basic(right))).toBe(200)
    }
    expect(await asked({})).toBe(401)
  })

  it.each([
    ['the token of a worker', () => bearer(next.tokens.worker)],
    ['the token of a probe', () => bearer(next.tokens.probe ?? '')],
    ['a login with the token of a worker', () => basic(next.tokens.worker)],
    ['a login under the name of a principal', () => basic(next.tokens.reader, 'the-reader')],
  ])('%s reads nothing', async (_, login) => {
    expect(await statusesOf(next.url, login())).toEqual(names.map(() => 401))
  })

  it.each(v2.operationNames)('%s is not opened by the login of v1', async (name) => {
    const { method, path }: v2.V2Operation = v2.operations[name]
    const url = next.url + path.replace('{id}', 'a')
    // From the tenth guess in a minute on, answers are late.
    service.clock.advance(30_000)
    for (const login of [{}, bearer(token), basic(token), basic(next.tokens.operator)])
      expect(await statusOf(url, login, method)).toBe(401)
  })
})

it('asks for a principal on every route beyond this machine, where v1 has no token', async () => {
  await using next = await serving({ api: { token: null, listen: parseListenAddress('0.0.0.0:0') } })
  const url = `http://127.0.0.1:${next.port}`
  expect(await statusesOf(url, {})).toEqual(names.map(() => 401))
  expect(await statusesOf(url, bearer(next.tokens.worker))).toEqual(names.map(() => 401))
  expect(await statusesOf(url, basic(next.tokens.reader))).toEqual(names.map(() => 200))
})

/** An open stream, and whether it has ended. */
async function openStream(next: ServedNext, login: Record<string, string>) {
  const response = await next.get('events', { headers: login })
  const stream = { status: response.status, hasEnded: false }
  const reading = (async () => {
    for await (const _ of response.body ?? []) if (stream.hasEnded) break
  })()
  void reading.catch(() => {}).finally(() => Object.assign(stream, { hasEnded: true }))
  return stream
}

describe('an open event stream', () => {
  it('ends when its principal is revoked, and no other does', async () => {
    await using next = await serving()
    const { reader, operator } = next.tokens
    const ofReader = [await openStream(next, bearer(reader)), await openStream(next, basic(reader))]
    const others = [await openStream(next, bearer(operator)), await openStream(next, bearer(token))]
    expect([...ofReader, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const revokedAt = performance.now()
    revokePrincipal(dataDirectory(next.data), 'the-reader')
    await eventually(() => expect(ofReader.map(({ hasEnded }) => hasEnded)).toEqual([true, true]))
    expect(performance.now() - revokedAt).toBeLessThan(1_000)
    expect(others.map(({ hasEnded }) => hasEnded)).toEqual([false, false])
    expect((await openStream(next, bearer(reader))).status).toBe(401)
  })

  it('ends when the token that opened it expires', async () => {
    const service = await TestService.start({ monitors: [http('a', { every: '1h' })] })
    await using next = await serveNext(service, { api: { token } })
    const expiresMs = service.clock.wallMs() + 60_000
    const wanted = { name: 'for-a-minute', role: 'reader', expiresMs, jobTypes: [] } as const
    const { token: short } = createPrincipal(dataDirectory(next.data), wanted)
    const stream = await eventually(async () => {
      const opened = await openStream(next, bearer(short))
      expect(opened.status).toBe(200)
      return opened
    })
    service.clock.advance(60_000)
    await eventually(() => expect(stream.hasEnded).toBe(true))
    expect((await openStream(next, bearer(short))).status).toBe(401)
  })

  it('stays when the principals file is lost or broken', async () => {
    await using next = await serving()
    const stream = await openStream(next, bearer(next.tokens.reader))
    rmSync(dataDirectory(next.data).principals)
    // Long enough for the service to have looked at it twice.
    await after(700)
    expect(stream.hasEnded).toBe(false)
    expect((await openStream(next, bearer(next.tokens.reader))).status).toBe(200)
  })
})
