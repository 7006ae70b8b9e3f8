// One-time links to the page over HTTP: how they are made and used, and how each way to misuse one ends (decision 60).
import { get } from 'node:http'
import { type SessionProblemCode, SignInHelp, type v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem, mistakesIn } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataDirectory } from '../store/data-directory.ts'

const token = 'a-token-of-v1-that-nobody-else-has'
const json = { 'content-type': 'application/json' }

let world: TestService
let next: ServedNext
beforeAll(async () => {
  world = await TestService.start({ monitors: [http('a', { every: '1h' })] })
  next = await serveNext(world, { api: { token } })
})
afterAll(() => next[Symbol.asyncDispose]())

async function newLink(): Promise<v2.SignInLink> {
  return await expectV2Answer('CreateSignInLink', await next.call('CreateSignInLink'))
}

const use = (link: string, headers: Record<string, string> = {}) =>
  fetch(`${next.url}/session`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ link }),
  })

async function codeOf(response: Response): Promise<SessionProblemCode> {
  expect(response.headers.get('set-cookie')).toBeNull()
  return ((await response.json()) as { code: SessionProblemCode }).code
}

const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
const whoAmI = (cookie: string) => fetch(`${next.url}/session`, { headers: { cookie } })

describe('a link', () => {
  it('is exchanged for an ordinary session of the operator that asked for it', async () => {
    const { secret, expiresAt } = await newLink()
    expect(Date.parse(expiresAt)).toBe(world.clock.wallMs() + 600_000)
    const response = await use(secret)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ name: 'the-operator', role: 'operator' })
    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect((await whoAmI(cookieOf(response))).status).toBe(200)
  })

  it('works once', async () => {
    const { secret } = await newLink()
    await use(secret)
    const again = await use(secret)
    expect([again.status, await codeOf(again)]).toEqual([401, 'unauthorized'])
  })

  it('signs in one of two browsers that open it at once', async () => {
    const { secret } = await newLink()
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(secret)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
  })

  it('is not used up by programs that fetch addresses, whose requests do not carry the secret', async () => {
    const { secret } = await newLink()
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/', '/session', `/session?link=${secret}`, `/?sign-in=${secret}`]) {
        const answer = await fetch(`${next.url}${path}`, { method, headers: { accept: 'text/html' } })
        expect(answer.headers.get('set-cookie')).toBeNull()
      }
    expect((await use(secret)).status).toBe(200)
  })

  it.each([
    ['a page of another origin', { origin: 'https://elsewhere.example' }, 'origin_not_allowed'],
    ['a page without an origin', { origin: 'null' }, 'origin_not_allowed'],
    ['a form of another page', { 'content-type': 'text/plain' }, 'unsupported_media_type'],
    ['a connection that others can read', { 'x-forwarded-for': '192.0.2.7' }, 'insecure_transport'],
  ] as const)('is refused to %s, and works afterwards', async (_, headers, code) => {
    const { secret } = await newLink()
    expect(await codeOf(await use(secret, headers))).toBe(code)
    expect((await use(secret, { origin: next.url })).status).toBe(200)
  })

  it('never continues under an id that the browser brought, and ends the session that it had', async () => {
    const planted = `pulseward_session_${next.port}=${'A'.repeat(43)}`
    const first = cookieOf(await use((await newLink()).secret, { cookie: planted }))
    expect(first).not.toBe(planted)
    const second = cookieOf(await use((await newLink()).secret, { cookie: first }))
    expect([(await whoAmI(planted)).status, (await whoAmI(first)).status]).toEqual([401, 401])
    expect((await whoAmI(second)).status).toBe(200)
  })

  it('leads nowhere else: its answer has no address', async () => {
    const response = await use((await newLink()).secret)
    expect([response.status, response.redirected, response.headers.get('location')]).toEqual([
      200,
      false,
      null,
    ])
  })

  it('is guessed as slowly as a token', async () => {
    await using own = await serveNext(await TestService.start({ monitors: [] }), { api: { token } })
    const guess = () =>
      fetch(`${own.url}/session`, { method: 'POST', headers: json, body: '{"link":"guess"}' })
    for (let count = 0; count < 12; count++) await guess()
    expect((await guess()).headers.get('connection')).toBe('close')
  })

  it.each([['{"link":1}'], ['{"link":"a","token":"b"}'], ['{"link":"a","to":"/"}'], ['{}']])(
    'is alone in its request: %s is refused',
    async (body) => {
      const response = await fetch(`${next.url}/session`, { method: 'POST', headers: json, body })
      expect(await codeOf(response)).toBe('invalid_request')
    },
  )
})

describe('making a link', () => {
  it('is for operators', async () => {
    const response = await next.call('CreateSignInLink', { role: 'reader' })
    await expectV2Problem('CreateSignInLink', response, 'forbidden')
  })

  it('is not for sessions, which would otherwise last for ever', async () => {
    const signedIn = await use((await newLink()).secret)
    const { csrf } = (await signedIn.json()) as { csrf: string }
    const response = await fetch(`${next.url}/api/v2/sign-in-links`, {
      method: 'POST',
      headers: { cookie: cookieOf(signedIn), 'x-pulseward-csrf': csrf, origin: next.url },
    })
    const { detail } = await expectV2Problem('CreateSignInLink', response, 'forbidden')
    expect(detail).toContain('A session cannot make a link')
  })
})

describe('the place of the first token', () => {
  /** The fetch of Node.js does not let a caller choose the Host. */
  const help = (headers: Record<string, string>) =>
    new Promise<SignInHelp>((resolve, reject) => {
      get(`${next.url}/session/help`, { headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve(JSON.parse(text) as SignInHelp))
      }).on('error', reject)
    })

  it('is told to this machine while the file is there', async () => {
    const file = dataDirectory(next.data).operatorToken
    const { writeFileSync, rmSync } = await import('node:fs')
    expect(await help({})).toEqual({ operator_token_file: null })
    writeFileSync(file, 'a token')
    const told = await help({})
    expect([mistakesIn(SignInHelp, told), told]).toEqual([[], { operator_token_file: file }])
    expect((await help({ host: 'localhost:8060' })).operator_token_file).toBe(file)
    const others: Record<string, string>[] = [
      { 'x-forwarded-for': '192.0.2.7' },
      { forwarded: 'for=192.0.2.7' },
      { via: '1.1 proxy' },
      { host: 'pulse.example' },
      { host: '192.0.2.1:8060' },
    ]
    for (const headers of others) expect(await help(headers)).toEqual({ operator_token_file: null })
    rmSync(file)
  })

  it('is read with GET alone', async () => {
    const response = await fetch(`${next.url}/session/help`, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the practice target', () => {
  const status = async () => (await fetch(`${next.url}/practice`)).status

  it('fails while an operator has it switched off, for ten minutes at most', async () => {
    const target = await expectV2Answer('GetPracticeTarget', await next.call('GetPracticeTarget'))
    expect(target).toEqual({ url: `${next.url}/practice`, on: true })
    expect(await status()).toBe(200)
    const off = await expectV2Answer(
      'SwitchPracticeTarget',
      await next.call('SwitchPracticeTarget', { body: { on: false } }),
    )
    expect(off).toEqual({
      ...target,
      on: false,
      onAgainAt: new Date(world.clock.wallMs() + 600_000).toISOString(),
    })
    expect(await status()).toBe(503)
    world.clock.advance(599_999)
    expect(await status()).toBe(503)
    world.clock.advance(1)
    expect(await status()).toBe(200)
    for (const on of [false, true]) await next.call('SwitchPracticeTarget', { body: { on } })
    expect(await status()).toBe(200)
  })
})
