import { listeningApi } from '@pulseward/testing/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../platform/usage-error.ts'
import { AllowedOrigins } from './cors.ts'
import { healthz } from './routes/healthz.ts'

const origin = 'https://status.example'
const token = 's3cret'

async function ask(init: RequestInit & { path?: string }, origins: readonly string[] = [origin]) {
  const api = await listeningApi({ routes: [healthz], token, origins })
  onTestFinished(() => api[Symbol.asyncDispose]())
  return fetch(`${api.url}${init.path ?? '/api/v1/healthz'}`, init)
}

const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

describe('a page of another origin', () => {
  const authorization = `Bearer ${token}`

  it('reads what it brings the token for, when its origin is named', async () => {
    const answer = await ask({ headers: { origin, authorization } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-ID')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('vary')).toBe('Origin')
  })

  it('reads refusals too', async () => {
    const answer = await ask({ headers: { origin } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('may ask first, without a token, and hears of reading alone', async () => {
    const headers = { origin, 'access-control-request-method': 'GET' }
    const answer = await ask({ method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(await answer.text()).toBe('')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
      'x-request-id': expect.any(String),
    })
  })

  it('hears the same wherever it asks, so that nothing is learned without a token', async () => {
    expect((await ask({ method: 'OPTIONS', headers: { origin }, path: '/api/v1/none' })).status).toBe(204)
  })

  it.each(['https://other.example', 'http://status.example', 'https://status.example:8443', 'null'])(
    'of an origin that is not named gets no leave (%s)',
    async (other) => {
      const answer = await ask({ headers: { origin: other, authorization } })
      expect(answer.status).toBe(200)
      expect(corsHeaders(answer)).toEqual([])
      expect((await ask({ method: 'OPTIONS', headers: { origin: other } })).status).toBe(401)
      const refused = await ask({ method: 'OPTIONS', headers: { origin: other, authorization } })
      expect(refused.status).toBe(405)
      expect(corsHeaders(refused)).toEqual([])
    },
  )

  it('gets no leave where no origin is named', async () => {
    const answer = await ask({ headers: { origin, authorization } }, [])
    expect(corsHeaders(answer)).toEqual([])
    expect(answer.headers.get('vary')).toBeNull()
    expect((await ask({ method: 'OPTIONS', headers: { origin, authorization } }, [])).status).toBe(405)
  })

  it('gets no leave for pages', async () => {
    expect(corsHeaders(await ask({ headers: { origin, authorization }, path: '/' }))).toEqual([])
  })
})

describe('a list of origins', () => {
  it.each([
    '*',
    'status.example',
    'https://status.example/',
    'https://status.example/a',
    'ftp://a',
    'null',
    '',
  ])('refuses "%s" in one sentence', (text) => {
    expect(() => new AllowedOrigins([text])).toThrow(UsageError)
    expect(() => new AllowedOrigins([text])).toThrow(`cors: "${text}" is not an origin`)
  })
})
