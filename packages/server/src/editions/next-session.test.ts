// Sessions of the edition next over HTTP: signing in and out, what a cookie opens and what it does not, and how each
// attempt to use the session of another principal ends.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import {
  csrfHeader,
  Problem,
  type Session,
  type SessionProblemCode,
  Session as SessionSchema,
  sessionProblems,
  v2,
} from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { exchange, expectV2Answer, expectV2Problem, mistakesIn } from '@pulseward/testing/api'
import {
  documentOf,
  type ServedNext,
  type ServeOptions,
  serveEdition,
  serveNext,
} from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { certificates } from '@pulseward/testing/targets'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPrincipal, revokePrincipal } from '../access/edit-principals.ts'
import { dataDirectory } from '../store/data-directory.ts'

const token = 'a-token-of-v1-that-nobody-else-has'
const monitors = [http('a', { every: '1h' })]

async function serving(options: ServeOptions = {}) {
  const world = await TestService.start({ monitors })
  return { world, next: await serveNext(world, { api: { token }, ...options }) }
}

const json = { 'content-type': 'application/json' }

const signIn = (url: string, right: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/session`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ token: right }),
  })

interface SignedIn extends Session {
  /** As a browser sends it. */
  readonly cookie: string
  readonly setCookie: string
}

async function signedIn(url: string, right: string, headers: Record<string, string> = {}): Promise<SignedIn> {
  const response = await signIn(url, right, headers)
  expect(response.status).toBe(200)
  const setCookie = response.headers.get('set-cookie') ?? ''
  const body = (await response.json()) as Session
  expect(mistakesIn(SessionSchema, body)).toEqual([])
  return { ...body, setCookie, cookie: setCookie.split(';', 1)[0] ?? '' }
}

async function expectProblem(response: Response, code: SessionProblemCode): Promise<Problem> {
  const problem = (await response.json()) as Problem
  expect(mistakesIn(Problem, problem)).toEqual([])
  expect(problem).toMatchObject({ code, ...sessionProblems[code] })
  expect(response.status).toBe(sessionProblems[code].status)
  expect(response.headers.get('cache-control')).toBe('no-store')
  if (response.status === 401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="pulseward"')
  return problem
}

let next: ServedNext
beforeAll(async () => {
  next = (await serving()).next
})
afterAll(() => next[Symbol.asyncDispose]())

const whoAmI = (cookie: string, url = next.url) => fetch(`${url}/session`, { headers: { cookie } })
const overview = (headers: Record<string, string>, url = next.url) =>
  fetch(`${url}/api/v1/overview`, { headers })
const listMonitors = (headers: Record<string, string>, url = next.url) =>
  fetch(`${url}/api/v2/monitors`, { headers })
let made = 0
const createMonitor = (headers: Record<string, string>, url = next.url) =>
  fetch(`${url}/api/v2/monitors`, {
    method: 'POST',
    headers: { ...json, 'if-none-match': '*', ...headers },
    body: JSON.stringify(documentOf('Monitor', `made-by-a-page-${made++}`)),
  })
const byPage = ({ cookie, csrf }: SignedIn, origin = next.url) => ({ cookie, [csrfHeader]: csrf, origin })

describe('signing in', () => {
  it.each(['reader', 'operator'] as const)('gives a %s a session with its name and role', async (role) => {
    const { name, role: told, cookie, setCookie, csrf } = await signedIn(next.url, next.tokens[role])
    expect({ name, role: told }).toEqual({ name: `the-${role}`, role })
    expect(setCookie).toBe(`${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200`)
    expect(cookie).toMatch(new RegExp(`^pulseward_session_${next.port}=[A-Za-z0-9_-]{43}$`))
    expect(await (await whoAmI(cookie)).json()).toEqual({ name, role, csrf })
  })

  const wrongTokens: readonly [string, () => string, SessionProblemCode][] = [
    ['a token that was made up', () => `pw_${'A'.repeat(43)}000000`, 'unauthorized'],
    ['no token', () => '', 'unauthorized'],
    ['the token of v1', () => token, 'unauthorized'],
    ['an expired token', () => next.endedTokens.expired, 'unauthorized'],
    ['a revoked token', () => next.endedTokens.revoked, 'unauthorized'],
    ['the token of a worker', () => next.tokens.worker, 'forbidden'],
    ['the token of a probe', () => next.tokens.probe ?? '', 'forbidden'],
  ]
  it.each(wrongTokens)('with %s gives none', async (_, wrong, code) => {
    const response = await signIn(next.url, wrong())
    const { detail } = await expectProblem(response, code)
    expect(response.headers.get('set-cookie')).toBeNull()
    if (wrong() !== '') expect(detail).not.toContain(wrong())
  })

  it.each([
    ['text/plain', '{"token":"x"}', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'token=x', 'unsupported_media_type'],
    ['application/json', '', 'invalid_request'],
    ['application/json', '{"token":"pw_secret-part', 'invalid_request'],
    ['application/json', '["pw_secret-part"]', 'invalid_request'],
    ['application/json', '{"token":1}', 'invalid_request'],
    ['application/json', '{"token":"a","token":"b"}', 'invalid_request'],
    ['application/json', '{"token":"a","remember":true}', 'invalid_request'],
    ['application/json', JSON.stringify({ token: 'x'.repeat(1024) }), 'payload_too_large'],
  ] as const)('with %s %s is refused', async (type, body, code) => {
    const response = await fetch(`${next.url}/session`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    const { detail } = await expectProblem(response, code)
    expect(detail).not.toContain('secret-part')
  })

  it('with an encoded body is refused by the name of its encoding, and with identity it is not', async () => {
    const response = await signIn(next.url, next.tokens.reader, { 'content-encoding': 'gzip' })
    const { detail } = await expectProblem(response, 'unsupported_media_type')
    expect(detail).toContain('encoded as gzip')
    expect((await signIn(next.url, next.tokens.reader, { 'content-encoding': 'identity' })).status).toBe(200)
  })

  it('is for pages of the service: one of another origin signs nobody in', async () => {
    const port = next.port === 65_535 ? 65_534 : next.port + 1
    for (const origin of [
      'https://elsewhere.example',
      `http://127.0.0.1:${port}`,
      `https://127.0.0.1:${next.port}`,
      'null',
    ]) {
      const response = await signIn(next.url, next.tokens.operator, { origin })
      await expectProblem(response, 'origin_not_allowed')
      expect(response.headers.get('set-cookie')).toBeNull()
    }
    await signedIn(next.url, next.tokens.operator, { origin: next.url })
  })

  it('is refused where somebody could listen', async () => {
    const response = await signIn(next.url, next.tokens.operator, { 'x-forwarded-for': '192.0.2.7' })
    await expectProblem(response, 'insecure_transport')
  })

  it('is answered late from the tenth wrong token in a minute, and a right one never', async () => {
    await using served = (await serving()).next
    for (let guess = 0; guess < 12; guess++) await signIn(served.url, 'wrong')
    const begun = performance.now()
    const late = await signIn(served.url, 'wrong')
    await expectProblem(late, 'unauthorized')
    expect(performance.now() - begun).toBeGreaterThan(350)
    expect(late.headers.get('connection')).toBe('close')
    // The two ways to guess share one count.
    const other = await overview({ authorization: 'Bearer wrong' }, served.url)
    expect(other.headers.get('connection')).toBe('close')
    const right = await signIn(served.url, served.tokens.reader)
    expect([right.status, right.headers.get('connection')]).toEqual([200, 'keep-alive'])
  })

  it('never continues under an id that the browser brought', async () => {
    const planted = `pulseward_session_${next.port}=${'A'.repeat(43)}`
    const { cookie } = await signedIn(next.url, next.tokens.operator, { cookie: planted })
    expect(cookie).not.toBe(planted)
    await expectProblem(await whoAmI(planted), 'session_ended')
    const again = await signedIn(next.url, next.tokens.operator, { cookie })
    expect(again.cookie).not.toBe(cookie)
    await expectProblem(await whoAmI(cookie), 'session_ended')
    expect((await whoAmI(again.cookie)).status).toBe(200)
  })

  it('with a wrong token leaves the session that there is', async () => {
    const { cookie } = await signedIn(next.url, next.tokens.operator)
    await expectProblem(await signIn(next.url, 'wrong', { cookie }), 'unauthorized')
    expect((await whoAmI(cookie)).status).toBe(200)
  })
})

describe('the cookie of a session', () => {
  it.each(['reader', 'operator'] as const)('of a %s reads v1', async (role) => {
    const { cookie } = await signedIn(next.url, next.tokens[role])
    expect((await overview({ cookie })).status).toBe(200)
    expect((await overview({ cookie: `theme=dark; ${cookie}; other=1` })).status).toBe(200)
    // As a browser sends a login that is right no longer.
    expect((await overview({ cookie, authorization: `Basic ${btoa('svc:of-yesterday')}` })).status).toBe(200)
  })

  it.each([
    ['made up', (_: string) => `pulseward_session_${next.port}=${'B'.repeat(43)}`],
    ['cut short', (cookie: string) => cookie.slice(0, -1)],
    ['of another port', (cookie: string) => cookie.replace(/_\d+=/, '_1=')],
    ['empty', (cookie: string) => cookie.replace(/=.*/, '=')],
    ['sent twice', (cookie: string) => `${cookie}; ${cookie.replace(/=.*/, `=${'B'.repeat(43)}`)}`],
    ['of megabytes', (cookie: string) => `${cookie}${'x'.repeat(8_000)}`],
  ])('that is %s opens nothing', async (_, spoil) => {
    const session = await signedIn(next.url, next.tokens.operator)
    const cookie = spoil(session.cookie)
    const refused = await overview({ cookie })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="pulseward"',
    ])
    await expectV2Problem('ListMonitors', await listMonitors({ ...byPage(session), cookie }), 'unauthorized')
    expect((await whoAmI(cookie)).status).toBe(401)
  })

  it('opens nothing where somebody could listen', async () => {
    const { cookie } = await signedIn(next.url, next.tokens.operator)
    expect((await overview({ cookie, 'x-forwarded-for': '192.0.2.7' })).status).toBe(401)
  })

  it('is forgotten by the browser once the session has ended', async () => {
    const { cookie } = await signedIn(next.url, next.tokens.operator)
    const name = cookie.split('=', 1)[0]
    const left = await fetch(`${next.url}/session`, { method: 'DELETE', headers: { cookie } })
    const forget = `${name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`
    expect([left.status, left.headers.get('set-cookie')]).toEqual([204, forget])
    const after = await whoAmI(cookie)
    expect(after.headers.get('set-cookie')).toBe(forget)
    await expectProblem(after, 'session_ended')
    expect((await overview({ cookie })).status).toBe(401)
    const nobody = await whoAmI('')
    expect(nobody.headers.get('set-cookie')).toBeNull()
    expect((await expectProblem(nobody, 'unauthorized')).detail).toBe('Nobody is signed in.')
  })
})

describe('v2 by a session', () => {
  it('reads for a reader, and writes for an operator', async () => {
    const reader = await signedIn(next.url, next.tokens.reader)
    const { cookie, csrf } = reader
    await expectV2Answer('ListMonitors', await listMonitors({ cookie, [csrfHeader]: csrf }))
    await expectV2Problem('CreateMonitor', await createMonitor(byPage(reader)), 'forbidden')
    const operator = await signedIn(next.url, next.tokens.operator)
    await expectV2Answer('CreateMonitor', await createMonitor(byPage(operator)))
  })

  it('tells who did it', async () => {
    const operator = await signedIn(next.url, next.tokens.operator)
    await expectV2Answer('CreateMonitor', await createMonitor(byPage(operator)))
    const history = await next.call('GetHistory', { query: '?limit=500' })
    const { items } = (await history.json()) as { items: v2.Event[] }
    expect(items.filter(({ kind }) => kind === 'resource_created').map(({ actor }) => actor)).toContain(
      'the-operator',
    )
  })

  it.each(v2.operationNames)('%s needs the CSRF token of that session', async (name) => {
    const { method, path }: v2.V2Operation = v2.operations[name]
    const [mine, other] = [
      await signedIn(next.url, next.tokens.operator),
      await signedIn(next.url, next.tokens.operator),
    ]
    const call = (headers: Record<string, string>) =>
      fetch(next.url + path.replace('{id}', 'a'), {
        method,
        headers: { cookie: mine.cookie, origin: next.url, ...headers },
      })
    for (const headers of [
      {},
      { [csrfHeader]: '' },
      { [csrfHeader]: other.csrf },
      { [csrfHeader]: `${mine.csrf}x` },
    ])
      await expectV2Problem(name, await call(headers), 'csrfMismatch')
  })

  it('is asked for it where there is nothing, too', async () => {
    const { cookie } = await signedIn(next.url, next.tokens.operator)
    const response = await fetch(`${next.url}/api/v2/nothing`, { headers: { cookie } })
    expect(((await response.json()) as v2.Problem).code).toBe('csrfMismatch')
  })

  it.each([
    ['no origin', null],
    ['another site', 'https://elsewhere.example'],
    ['another port of this host', 'http://127.0.0.1:1'],
    ['another scheme', 'https:'],
    ['a page without an origin', 'null'],
  ])('writes nothing for %s', async (_, origin) => {
    const session = await signedIn(next.url, next.tokens.operator)
    const { origin: own, ...others } = byPage(session)
    const sent = origin === 'https:' ? own.replace('http:', origin) : origin
    const response = await createMonitor(sent === null ? others : { ...others, origin: sent })
    await expectV2Problem('CreateMonitor', response, 'originNotAllowed')
  })

  it('writes for pages under the public address, and a token needs no origin', async () => {
    const publicUrl = 'https://status.example/'
    await using served = (await serving({ settings: { public_url: publicUrl }, api: { token, publicUrl } }))
      .next
    const session = await signedIn(served.url, served.tokens.operator, { origin: 'https://status.example' })
    const right = await createMonitor(byPage(session, 'https://status.example'), served.url)
    await expectV2Answer('CreateMonitor', right)
    const wrong = await createMonitor(byPage(session, 'http://status.example'), served.url)
    await expectV2Problem('CreateMonitor', wrong, 'originNotAllowed')
    const bearer = { authorization: `Bearer ${served.tokens.operator}` }
    await expectV2Answer('CreateMonitor', await createMonitor(bearer, served.url))
  })

  it('is beaten by Bearer, and a login beside it is ignored', async () => {
    const session = await signedIn(next.url, next.tokens.operator)
    const asReader = { ...byPage(session), authorization: `Bearer ${next.tokens.reader}` }
    const { detail } = await expectV2Problem('CreateMonitor', await createMonitor(asReader), 'forbidden')
    expect(detail).toContain('the-reader')
    const wrong = { ...byPage(session), authorization: 'Bearer wrong' }
    await expectV2Problem('CreateMonitor', await createMonitor(wrong), 'unauthorized')
    for (const login of [token, next.tokens.reader, 'wrong']) {
      const headers = { ...byPage(session), authorization: `Basic ${btoa(`svc:${login}`)}` }
      await expectV2Answer('CreateMonitor', await createMonitor(headers))
    }
    const basicAlone = { authorization: `Basic ${btoa(`svc:${next.tokens.operator}`)}` }
    await expectV2Problem('ListMonitors', await listMonitors(basicAlone), 'unauthorized')
  })
})

describe('a session ends', () => {
  const isOver = async (session: SignedIn, url: string) => {
    expect((await whoAmI(session.cookie, url)).status).toBe(401)
    expect((await overview({ cookie: session.cookie }, url)).status).toBe(401)
    await expectV2Problem('ListMonitors', await listMonitors(byPage(session, url), url), 'unauthorized')
  }

  it('after twelve hours', async () => {
    const served = await serving()
    await using own = served.next
    const session = await signedIn(own.url, own.tokens.operator)
    served.world.clock.advance(12 * 3_600_000 - 1)
    expect((await whoAmI(session.cookie, own.url)).status).toBe(200)
    served.world.clock.advance(1)
    await isOver(session, own.url)
  })

  it('with its token, and the event streams that it opened end with it', async () => {
    await using own = (await serving()).next
    const files = dataDirectory(own.data)
    const { token: hers } = createPrincipal(files, {
      name: 'ada',
      role: 'operator',
      expiresMs: null,
      jobTypes: [],
    })
    const session = await eventually(() => signedIn(own.url, hers))
    const other = await signedIn(own.url, own.tokens.reader)
    const streams = await Promise.all([session, other].map(({ cookie }) => openStream(own.url, cookie)))
    revokePrincipal(files, 'ada')
    await eventually(() => expect(streams.map(({ hasEnded }) => hasEnded)).toEqual([true, false]))
    await isOver(session, own.url)
    expect((await whoAmI(other.cookie, own.url)).status).toBe(200)
  })

  it('when somebody signs out, with its event streams', async () => {
    const session = await signedIn(next.url, next.tokens.operator)
    const stream = await openStream(next.url, session.cookie)
    const foreign = await fetch(`${next.url}/session`, {
      method: 'DELETE',
      headers: { cookie: session.cookie, origin: 'https://elsewhere.example' },
    })
    await expectProblem(foreign, 'origin_not_allowed')
    expect((await whoAmI(session.cookie)).status).toBe(200)
    const { cookie } = session
    const left = await fetch(`${next.url}/session`, {
      method: 'DELETE',
      headers: { cookie, origin: next.url },
    })
    expect(left.status).toBe(204)
    await eventually(() => expect(stream.hasEnded).toBe(true))
    await isOver(session, next.url)
    const again = await fetch(`${next.url}/session`, { method: 'DELETE', headers: { cookie } })
    expect(again.status).toBe(204)
  })

  it('when its principal signs in for the eleventh time', async () => {
    await using own = (await serving()).next
    const sessions: SignedIn[] = []
    for (let count = 0; count < 11; count++) sessions.push(await signedIn(own.url, own.tokens.operator))
    const [first, second] = sessions
    await isOver(first!, own.url)
    expect((await whoAmI(second!.cookie, own.url)).status).toBe(200)
  })
})

async function openStream(url: string, cookie: string) {
  const response = await fetch(`${url}/api/v1/events`, { headers: { cookie } })
  expect(response.status).toBe(200)
  const stream = { hasEnded: false }
  const reading = (async () => {
    for await (const _ of response.body ?? []) if (stream.hasEnded) break
  })()
  void reading.catch(() => {}).finally(() => Object.assign(stream, { hasEnded: true }))
  return stream
}

describe('behind a proxy that speaks https', () => {
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' }
  const proxies = ['127.0.0.1']
  it('the cookie is for https alone, and the origin is that of the browser', async () => {
    await using served = (await serving({ settings: { proxies }, api: { token, proxies } })).next
    const origin = served.url.replace('http:', 'https:')
    const session = await signedIn(served.url, served.tokens.operator, { ...proxied, origin })
    expect(session.setCookie).toMatch(/; Secure$/)
    const headers = { ...byPage(session, origin), ...proxied }
    await expectV2Answer('CreateMonitor', await createMonitor(headers, served.url))
    const plain = await createMonitor({ ...headers, origin: served.url }, served.url)
    await expectV2Problem('CreateMonitor', plain, 'originNotAllowed')
    const unencrypted = await signIn(served.url, served.tokens.operator, {
      ...proxied,
      'x-forwarded-proto': 'http',
    })
    await expectProblem(unencrypted, 'insecure_transport')
  })
})

it('over TLS of the service itself the cookie is for https alone', async () => {
  await using served = (await serving({ api: { token, identity: certificates.good } })).next
  const setCookie = await new Promise<string | undefined>((resolve, reject) => {
    const options = { method: 'POST', headers: { ...json, origin: served.url }, ca: certificates.authority }
    const asked = httpsRequest(`${served.url}/session`, { ...options, agent: false })
    asked.on('response', (response) => resolve(response.resume().headers['set-cookie']?.[0]))
    asked.on('error', reject)
    asked.end(JSON.stringify({ token: served.tokens.reader }))
  })
  expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/)
})

describe('without a credential', () => {
  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(next.url + path, { headers, redirect: 'manual' })

  it.each(['/', '/index.html'])('%s is served, with a policy that runs nothing inline', async (path) => {
    const response = await open(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
  })

  it('every view is served to a browser, and nothing else is', async () => {
    expect((await open('/monitors/5?q=x', { accept: 'text/html' })).status).toBe(200)
    for (const path of [
      '/api/v1/overview',
      '/api/v1/healthz',
      '/api/openapi.json',
      '/metrics',
      '/api',
      '/api/none',
    ])
      expect((await open(path, { accept: 'text/html' })).status).toBe(401)
    for (const path of ['/none', '/assets/none.js']) expect((await open(path)).status).toBe(401)
    expect((await fetch(`${next.url}/`, { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(
      401,
    )
  })

  it.each(['/%61pi/v1/monitors', '/api/%76%31/monitors', '/%6Detrics', '/metrics#', '*api/v1/monitors'])(
    'data is not taken for a view by writing its path in another way (%s)',
    async (path) => {
      const lines = 'Host: localhost\r\nAccept: text/html\r\nConnection: close\r\n'
      const answer = await exchange(next.port, `GET ${path} HTTP/1.1\r\n${lines}\r\n`, { staysOpen: true })
      expect(answer).toMatch(/^HTTP\/1\.1 401 |\ncontent-type: text\/html/)
      expect(answer).not.toMatch(/"monitors":|pulseward_ready/)
    },
  )

  it('the session path asks a browser that opens it for its login, and leads back', async () => {
    const html = { accept: 'text/html' }
    const asked = await open('/session', html)
    expect(asked.status).toBe(401)
    expect(asked.headers.get('www-authenticate')).toBe('Basic realm="pulseward", charset="UTF-8"')
    const login = (password: string) => ({ ...html, authorization: `Basic ${btoa(`svc:${password}`)}` })
    expect((await open('/session', login('wrong'))).status).toBe(401)
    for (const right of [token, next.tokens.reader]) {
      const back = await open('/session?to=%2Fmonitors%3Fq%3Da%2520b', login(right))
      expect([back.status, back.headers.get('location')]).toEqual([303, '/monitors?q=a%20b'])
    }
  })

  it('a login of the browser that is right is never answered with 401, at which it would be forgotten', async () => {
    const login = (password: string) => ({ authorization: `Basic ${btoa(`svc:${password}`)}` })
    for (const right of [token, next.tokens.reader]) {
      await expectProblem(await open('/session', login(right)), 'no_session')
      const cookie = `pulseward_session_${next.port}=${'A'.repeat(43)}`
      await expectProblem(await open('/session', { ...login(right), cookie }), 'no_session')
      await expectProblem(await signIn(next.url, 'wrong', login(right)), 'forbidden')
    }
    await expectProblem(await open('/session', login('wrong')), 'unauthorized')
    await expectProblem(await signIn(next.url, 'wrong', login('wrong')), 'unauthorized')
  })

  it.each([
    '',
    '?to=',
    '?to=https://elsewhere.example/',
    '?to=//elsewhere.example',
    '?to=/%5Celsewhere.example',
    '?to=/.//elsewhere.example',
    '?to=%09//elsewhere.example',
    '?to=javascript:alert(1)',
    '?to=/session',
    '?to=%00',
  ])('the login leads nowhere else (%s)', async (query) => {
    const headers = { accept: 'text/html', authorization: `Basic ${btoa(`svc:${token}`)}` }
    const location = (await open(`/session${query}`, headers)).headers.get('location') ?? ''
    expect(new URL(location, next.url).origin).toBe(next.url)
    expect(location).not.toContain('session')
    expect(location).not.toMatch(/^\/[/\\]/)
  })
})

it('neither tokens nor the ids of sessions are logged, whatever goes wrong', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  await using served = (await serving({ api: { token, log } })).next
  log.info('the log is heard')
  const { cookie, csrf } = await signedIn(served.url, served.tokens.operator)
  await signIn(served.url, served.endedTokens.revoked)
  await whoAmI(cookie, served.url)
  await overview({ cookie, authorization: 'Bearer a-wrong-guess' }, served.url)
  await fetch(`${served.url}/session`, {
    method: 'POST',
    headers: json,
    body: `{"token":"${served.tokens.reader}`,
  })
  await fetch(`${served.url}/session`, { method: 'DELETE', headers: { cookie } })
  const id = cookie.split('=')[1] ?? ''
  const secrets = [
    id,
    csrf,
    served.tokens.operator,
    served.tokens.reader,
    served.endedTokens.revoked,
    'a-wrong-guess',
  ]
  expect(lines.join('')).toContain('the log is heard')
  expect(secrets.filter((secret) => lines.join('').includes(secret))).toEqual([])
})

it('other methods are refused on the session path with those that there are', async () => {
  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND']) {
    const response = await fetch(`${next.url}/session`, { method })
    await expectProblem(response, 'method_not_allowed')
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, DELETE')
  }
})

it('a page under a name that was made to point here gets no session', async () => {
  await using served = await serveNext(await TestService.start({ monitors }))
  const status = await new Promise<number | undefined>((resolve) => {
    const asked = httpRequest(`${served.url}/session`, {
      method: 'POST',
      headers: { ...json, host: 'evil.example' },
    })
    asked.on('response', (response) => resolve(response.resume().statusCode))
    asked.end(JSON.stringify({ token: served.tokens.operator }))
  })
  expect(status).toBe(421)
})

it.each(['main', 'candidate'] as const)(
  '%s has no sessions, and protects its pages as ever',
  async (edition) => {
    await using served = await serveEdition(edition, await TestService.start({ monitors }), {
      api: { token },
    })
    const authorization = `Bearer ${token}`
    for (const method of ['GET', 'DELETE', 'POST']) {
      const answer = await fetch(`${served.url}/session`, { method, headers: { authorization } })
      expect([answer.status, ((await answer.json()) as Problem).code]).toEqual([404, 'not_found'])
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    for (const path of ['/', '/session', '/monitors']) {
      const answer = await fetch(served.url + path, { headers: { accept: 'text/html' } })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="pulseward", charset="UTF-8"',
      ])
    }
  },
)
