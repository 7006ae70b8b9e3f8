import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { Problem, problemMediaType } from '@pulseward/contract'
import { v1Api } from '@pulseward/contract/v1/api'
import { expectV1Answer, expectV1Problem } from '@pulseward/testing/api'
import { Compile } from 'typebox/compile'
import { describe, expect, it, onTestFinished } from 'vitest'
import { available, unavailable } from '../platform/available.ts'
import { systemClock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import { ApiError } from '../requests/problem.ts'
import { silentLog } from '../telemetry/log.ts'
import { SystemMeters } from '../telemetry/system-meter.ts'
import { type Route, route } from './route.ts'
import { healthz } from './routes/healthz.ts'
import { overviewRoute } from './routes/overview.ts'
import { readyz } from './routes/readyz.ts'
import { type ApiServer, startApi } from './server.ts'

const problemContract = Compile(Problem)
const token = 's3cret'
const local = { host: '127.0.0.1', port: 0 }
const meter = new SystemMeters(0).add('api')

async function listening(options: { token?: string; routes?: readonly Route[] } = {}): Promise<ApiServer> {
  const api = await startApi({
    listen: local,
    token: options.token ?? null,
    clock: systemClock,
    log: silentLog,
    meter,
    routes: [healthz, ...(options.routes ?? [])],
  })
  onTestFinished(() => api[Symbol.asyncDispose]())
  return api
}

/** The answer as a problem that keeps to the contract. */
async function problemOf(answer: Response): Promise<Problem> {
  expect(answer.headers.get('content-type')).toBe(problemMediaType)
  const problem = (await answer.json()) as Problem
  expect(problemContract.Errors(problem)).toEqual([])
  expect(problem.status).toBe(answer.status)
  expect(problem.type).toBe(`urn:pulseward:problem:${problem.code}`)
  expect(problem.request_id).toBe(answer.headers.get('x-request-id'))
  return problem
}

describe('the listener', () => {
  it('answers a route as JSON that nobody keeps', async () => {
    const { url } = await listening()
    const answer = await fetch(`${url}/api/v1/healthz?unknown=parameter`)
    expect(await expectV1Answer('GetLive', 'candidate', answer)).toEqual({ status: 'ok' })
  })

  it.each(['/api/v1/healthz', '/metrics', '/api/v1/none', '/none', '/api/v1/%zz'])(
    'sends its headers with every answer (%s)',
    async (path) => {
      const { url } = await listening()
      const { headers } = await fetch(`${url}${path}`)
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(/^default-src 'none'/),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      })
      expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
      expect(headers.get('server')).toBeNull()
    },
  )

  it('keeps a proper request id and makes another for any other', async () => {
    const { url } = await listening()
    const idFor = async (id: string) =>
      (await fetch(`${url}/api/v1/healthz`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) expect(await idFor(id)).toBe(id)
    for (const id of ['', 'a b', 'x'.repeat(129), 'a/b', '<b>', 'é'])
      expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('answers HEAD as GET without a body', async () => {
    const { url } = await listening()
    const get = await fetch(`${url}/api/v1/healthz`)
    const head = await fetch(`${url}/api/v1/healthz`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect(await head.text()).toBe('')
    expect((await fetch(`${url}/api/v1/none`, { method: 'HEAD' })).status).toBe(404)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'refuses %s on a route, whatever it carries',
    async (method) => {
      const { url } = await listening()
      for (const body of [null, '{"broken', 'x'.repeat(100_000)]) {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(`${url}/api/v1/healthz`, { method, body, headers })
        const problem = await expectV1Problem('GetLive', 'candidate', answer)
        expect(problem.code).toBe('method_not_allowed')
      }
    },
  )

  it.each([
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/none',
    '/api/v1/healthz/',
    '/API/v1/healthz',
    '/none',
    '/favicon.ico',
  ])('has nothing at %s', async (path) => {
    const { url } = await listening()
    for (const method of ['GET', 'POST'])
      expect(await problemOf(await fetch(`${url}${path}`, { method }))).toMatchObject({
        status: 404,
        code: 'not_found',
      })
  })

  it.each(['/api/v2', '/api/v2/monitors', '/api/v2/'])('serves no second version (%s)', async (path) => {
    const { url } = await listening()
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await problemOf(await fetch(`${url}${path}`, { method }))).toMatchObject({
        status: 404,
        code: 'api_version_not_served',
      })
  })

  it('shows a page without scripts at /', async () => {
    const { url } = await listening()
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await answer.text()).not.toMatch(/<script|<style|https?:/)
  })
})

describe('a route that fails', () => {
  it('answers the problem that it threw', async () => {
    const answer = () => {
      throw new ApiError('invalid_parameter', 'page must be 1 or more.', [
        { field: 'page', message: 'below 1' },
      ])
    }
    const { url } = await listening({ routes: [route('ListIncidents', answer)] })
    expect(await problemOf(await fetch(`${url}/api/v1/incidents`))).toMatchObject({
      status: 400,
      detail: 'page must be 1 or more.',
      errors: [{ field: 'page', message: 'below 1' }],
    })
  })

  it('keeps the words of an unforeseen error to the log', async () => {
    const answer = () => {
      throw Object.assign(new Error('password hunter2'), { statusCode: 503 })
    }
    const { url } = await listening({ routes: [route('ListIncidents', answer)] })
    const problem = await problemOf(await fetch(`${url}/api/v1/incidents`))
    expect(problem).toMatchObject({ status: 500, code: 'internal_error' })
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })

  it.each([
    ['before its first byte', () => {}],
    ['after it', (response: ServerResponse) => void response.writeHead(200).write('x')],
  ])('ends the connection of a stream that fails %s', async (_, begin) => {
    const stream = (_request: unknown, response: ServerResponse) => {
      begin(response)
      throw new Error('no more')
    }
    const { url } = await listening({ routes: [route('StreamEvents', () => ({ stream }))] })
    const text = fetch(`${url}/api/v1/events`).then((answer) => answer.text())
    await expect(text).rejects.toThrow()
    expect((await fetch(`${url}/api/v1/healthz`)).status).toBe(200)
  })

  it('answers 503 while there is no data, never zeros', async () => {
    const { url } = await listening({
      routes: [overviewRoute({ overview: () => unavailable('no snapshot yet') })],
    })
    const answer = await fetch(`${url}/api/v1/overview`)
    expect(await expectV1Problem('GetOverview', 'main', answer)).toMatchObject({
      status: 503,
      code: 'unavailable',
      detail: 'The overview is not available: no snapshot yet.',
    })
  })

  it('answers the data when there is some', async () => {
    const overview = v1Api.examples.Overview
    const { url } = await listening({ routes: [overviewRoute({ overview: () => available(overview) })] })
    const answer = await fetch(`${url}/api/v1/overview`)
    expect(await expectV1Answer('GetOverview', 'main', answer)).toEqual(overview)
  })

  it('answers plain JSON when readiness says no', async () => {
    const details = { snapshot_at: null, snapshot_age_seconds: null }
    const { url } = await listening({ routes: [readyz(() => ({ reasons: ['no_snapshot'], details }))] })
    const answer = await fetch(`${url}/api/v1/readyz`)
    expect(answer.status).toBe(503)
    expect(await expectV1Answer('GetReady', 'main', answer)).toEqual({
      status: 'not_ready',
      reasons: ['no_snapshot'],
      ...details,
    })
  })
})

describe('with a token', () => {
  const bearer = { authorization: `Bearer ${token}` }

  it.each(['/api/v1/healthz', '/api/v1/none', '/api/v2/monitors', '/metrics', '/api/v1/%zz'])(
    'everything for machines is protected (%s)',
    async (path) => {
      const { url } = await listening({ token })
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${url}${path}`, { method })
        expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="pulseward"')
        expect(await problemOf(answer)).toMatchObject({ status: 401, code: 'unauthorized' })
      }
    },
  )

  it.each(['/', '/assets/app.js', '/monitors'])('everything for browsers is protected (%s)', async (path) => {
    const { url } = await listening({ token })
    const answer = await fetch(`${url}${path}`)
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="pulseward", charset="UTF-8"')
    expect(await problemOf(answer)).toMatchObject({ status: 401 })
  })

  it('the token opens, as Bearer and as password of svc', async () => {
    const { url } = await listening({ token })
    const login = `Basic ${Buffer.from(`svc:${token}`).toString('base64')}`
    for (const authorization of [bearer.authorization, login])
      expect((await fetch(`${url}/api/v1/healthz`, { headers: { authorization } })).status).toBe(200)
    expect((await fetch(`${url}/api/v1/none`, { headers: bearer })).status).toBe(404)
    expect((await fetch(`${url}/api/v1/healthz`, { headers: bearer, method: 'POST' })).status).toBe(405)
  })

  it('guesses wait from the tenth, and a right token overtakes them', async () => {
    const { url } = await listening({ token })
    const ask = async (authorization: string) =>
      (await fetch(`${url}/api/v1/healthz`, { headers: { authorization } })).status
    for (let guess = 0; guess < 9; guess++) expect(await ask('Bearer wrong')).toBe(401)
    const late = Array.from({ length: 20 }, () => ask('Bearer wrong'))
    expect(await Promise.race([late.at(-1), ask(bearer.authorization)])).toBe(200)
    expect(new Set(await Promise.all(late))).toEqual(new Set([401]))
  })
})

describe('starting to listen', () => {
  it('says where it is, also for IPv6', async () => {
    const { url, address } = await listening()
    expect(url).toBe(`http://127.0.0.1:${address.port}`)
    const six = await startApi({
      listen: { host: '::1', port: 0 },
      token: null,
      routes: [healthz],
      clock: systemClock,
      log: silentLog,
      meter,
    })
    await using _closed = six
    expect(six.url).toBe(`http://[::1]:${six.address.port}`)
    expect((await fetch(`${six.url}/api/v1/healthz`)).status).toBe(200)
  })

  it('says in one sentence why it cannot', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    const refusal = async (host: string, port: number) => {
      const start = startApi({
        listen: { host, port },
        token: null,
        routes: [],
        clock: systemClock,
        log: silentLog,
        meter,
      })
      const error = await start.then(
        () => null,
        (error: unknown) => error,
      )
      expect(error).toBeInstanceOf(UsageError)
      return (error as Error).message
    }
    expect(await refusal('127.0.0.1', port)).toBe(
      `Something else is listening on 127.0.0.1:${port} already; stop it or choose another with --listen.`,
    )
    expect(await refusal('192.0.2.1', 8060)).toBe('192.0.2.1:8060 is not an address of this machine.')
  })

  it('ends with open connections', async () => {
    const api = await listening()
    await fetch(`${api.url}/api/v1/healthz`, { keepalive: true })
    await api[Symbol.asyncDispose]()
    await expect(fetch(`${api.url}/api/v1/healthz`)).rejects.toThrow()
  })
})
