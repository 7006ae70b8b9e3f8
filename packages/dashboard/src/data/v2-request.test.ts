import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { csrfHeader } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { serve } from './served.fixture.ts'
import { v2Requests } from './v2-request.ts'

const requests = v2Requests('the-csrf-token')
const never = new AbortController().signal
const endsEarly: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-length': '100', etag: '"2"' })
  response.write('{"kind":')
  setImmediate(() => response.destroy())
}
const problem = (status: number, body: object, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    response.end(JSON.stringify(body))
  }
}

describe('a write', () => {
  it('goes with the token of the session, on the version that was read', async () => {
    const seen: { headers: IncomingMessage['headers']; body: string }[] = []
    const path = await serve(async (request, response) => {
      seen.push({ headers: request.headers, body: await text(request) })
      response.writeHead(200, { etag: '"1.8"' }).end('{"kind":"Monitor"}')
    })
    expect(await requests.write({ method: 'PUT', path, body: { a: 1 }, ifMatch: '1.7' })).toEqual({
      kind: 'done',
      body: { kind: 'Monitor' },
      version: '1.8',
    })
    await requests.write({ method: 'POST', path, body: {}, isCreate: true, mediaType: 'application/x+json' })
    await requests.write({ method: 'DELETE', path })
    expect(seen[0]).toMatchObject({
      headers: {
        [csrfHeader.toLowerCase()]: 'the-csrf-token',
        'if-match': '"1.7"',
        'content-type': 'application/json',
      },
      body: '{"a":1}',
    })
    expect(seen[0]?.headers).not.toHaveProperty('if-none-match')
    expect(seen[1]?.headers).toMatchObject({ 'if-none-match': '*', 'content-type': 'application/x+json' })
    expect(seen[2]).toMatchObject({ body: '' })
    expect(seen[2]?.headers).not.toHaveProperty('content-type')
  })

  it('is refused with the words and the mistakes of the service', async () => {
    const errors = [{ field: '/spec', message: 'is missing' }]
    const path = await serve(problem(422, { code: 'invalid', detail: 'It is not valid.', errors }))
    expect(await requests.write({ method: 'PUT', path })).toEqual({
      kind: 'refused',
      status: 422,
      code: 'invalid',
      sentence: 'It is not valid.',
      errors,
    })
  })

  it.each([
    [400, {}, 'refused'],
    [429, {}, 'refused'],
    [501, {}, 'refused'],
    [503, { 'retry-after': '1' }, 'refused'],
    [503, {}, 'unknown'],
    [500, {}, 'unknown'],
    [502, {}, 'unknown'],
    [504, {}, 'unknown'],
  ])('that is answered with %i %j is %s', async (status, headers, kind) => {
    const path = await serve((_, response) => response.writeHead(status, headers).end('<html>'))
    expect((await requests.write({ method: 'PUT', path })).kind).toBe(kind)
  })

  it.each([
    ['nothing listens', null],
    ['the connection is cut', (_, response) => response.destroy()],
    ['the answer ends early', endsEarly],
    ['the answer is not JSON', (_, response) => response.end('<html>')],
  ] as const satisfies readonly (readonly [string, RequestListener | null])[])(
    'is unknown when %s',
    async (_, listener) => {
      const path = listener === null ? 'http://127.0.0.1:1/' : await serve(listener)
      expect(await requests.write({ method: 'PUT', path })).toEqual({ kind: 'unknown' })
    },
  )

  it('that the page itself gave up is neither', async () => {
    const leaving = new AbortController()
    const path = await serve(() => leaving.abort())
    await expect(requests.write({ method: 'PUT', path }, leaving.signal)).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

describe('a read', () => {
  it('gives the body with its version, and null where there is none', async () => {
    const path = await serve((_, response) => response.writeHead(200, { etag: '"7"' }).end('{"a":1}'))
    expect(await requests.read(path, never)).toEqual({ body: { a: 1 }, version: '7' })
    const without = await serve((_, response) => response.end('{}'))
    expect(await requests.read(without, never)).toEqual({ body: {}, version: null })
  })

  it('fails as any read of the page does', async () => {
    const absent = await serve(problem(404, { code: 'notFound', detail: 'There is none.' }))
    await expect(requests.read(absent, never)).rejects.toMatchObject({
      kind: 'absent',
      message: 'There is none.',
    })
    const cut = await serve(endsEarly)
    await expect(requests.read(cut, never)).rejects.toMatchObject({ kind: 'unreachable' })
  })
})
