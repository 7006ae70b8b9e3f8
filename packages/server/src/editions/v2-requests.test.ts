// What a stranger's client may get wrong in one request to v2, over HTTP: the form of preconditions and bodies, all mistakes
// of a document at once, merge patches, hosts and origins, and paths that are none.
import { v2 } from '@pulseward/contract'
import { exchange, expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { documentOf, serveEdition, serveNext, V2Calls } from '@pulseward/testing/editions'
import { TestService } from '@pulseward/testing/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let calls: V2Calls
beforeAll(async () => {
  calls = await V2Calls.begin(await serveNext(await TestService.start({ monitors: [] })))
})
afterAll(() => calls.next[Symbol.asyncDispose]())

const create = (body: unknown, headers: Record<string, string> = {}) =>
  calls.next.call('CreateMonitor', { body, headers: { 'if-none-match': '*', ...headers } })

describe('a precondition', () => {
  it.each(['*', 'W/"1.1"', '"1.1", "1.2"', '1.1', '""', '"1.1', '"a b"', `"${'x'.repeat(129)}"`])(
    '%s is not one strong entity tag',
    async (tag) => {
      const right = await calls.rightCall('DeleteMonitor')
      const response = await calls.next.call('DeleteMonitor', { ...right, headers: { 'if-match': tag } })
      const { errors } = await expectV2Problem('DeleteMonitor', response, 'invalidPrecondition')
      expect(errors).toMatchObject([{ field: 'If-Match', reason: 'malformed' }])
    },
  )

  it.each(['"*"', '"1.1"', 'W/"1"', ' ', '*, *'])('of a create is * and not %j', async (tag) => {
    const response = await create(documentOf('Monitor', calls.newId()), { 'if-none-match': tag })
    expect(['invalidPrecondition', 'preconditionRequired']).toContain(
      ((await response.json()) as v2.Problem).code,
    )
  })

  it.each(['1.1', '0.1', '1.0', 'x', '1.1.1', '999999999999999.999999999999999', '!'])(
    'names another version: %s',
    async (version) => {
      const right = await calls.rightCall('DeleteMonitor')
      const headers = { 'if-match': `"${version}"` }
      const response = await calls.next.call('DeleteMonitor', { ...right, headers })
      await expectV2Problem('DeleteMonitor', response, 'versionConflict')
    },
  )

  it('is judged before the body, and the role before both', async () => {
    const wrong = { id: 'any', body: '{', headers: { 'if-match': '*' } }
    const asOperator = await calls.next.call('ReplaceMonitor', wrong)
    await expectV2Problem('ReplaceMonitor', asOperator, 'invalidPrecondition')
    const asReader = await calls.next.call('ReplaceMonitor', { ...wrong, role: 'reader' })
    await expectV2Problem('ReplaceMonitor', asReader, 'forbidden')
  })
})

describe('a body', () => {
  const document = JSON.stringify(documentOf('Monitor', 'strict'))

  it.each([
    ['not JSON', '{"kind":', 'notJson'],
    ['empty', '', 'notJson'],
    ['more than JSON', `${document} x`, 'notJson'],
    ['a comment', `/* a */${document}`, 'notJson'],
    ['NaN', '{"kind":NaN}', 'notJson'],
    ['a key twice', document.replace('{', '{"kind":"Monitor",'), 'duplicateKey'],
    ['a key twice, escaped', document.replace('{', '{"\\u006bind":"Monitor",'), 'duplicateKey'],
    ['too deep', `${'['.repeat(65)}${']'.repeat(65)}`, 'tooDeep'],
    ['half a character', document.replace('strict', '\\ud800'), 'notUnicode'],
    ['a number beyond all', document.replace('"10s"', '1e999'), 'outOfRange'],
    ['an unknown member', document.replace('{', '{"knd":"Monitor",'), 'unknownField'],
    ['__proto__', document.replace('{', '{"__proto__":{},'), 'unknownField'],
    ['a list', '[]', 'wrongType'],
    ['null', 'null', 'wrongType'],
  ])('that is %s is not understood', async (_, body, reason) => {
    const { errors } = await expectV2Problem('CreateMonitor', await create(body), 'invalidBody')
    expect(errors).toMatchObject([{ reason }])
  })

  it('that is not UTF-8 is not understood', async () => {
    const { tokens, url } = calls.next
    const response = await fetch(`${url}/api/v2/monitors`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.operator}`,
        'content-type': 'application/json',
        'if-none-match': '*',
      },
      body: Uint8Array.of(0x22, 0xff, 0x22),
    })
    const { errors } = await expectV2Problem('CreateMonitor', response, 'invalidBody')
    expect(errors).toMatchObject([{ reason: 'notUtf8' }])
  })

  it.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/json, text/plain',
    'application/merge-patch+json',
    'application/jsonx',
    '/',
    ';;;',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
  ])('must not say that it is %s', async (type) => {
    const response = await create(documentOf('Monitor', calls.newId()), { 'content-type': type })
    await expectV2Problem('CreateMonitor', response, 'unsupportedMediaType')
  })

  it.each([
    ['gzip', 'gzip'],
    ['GZIP, identity', 'gzip'],
    ['br, zstd', 'br, zstd'],
    ['secret-part', 'something else'],
  ])('must not be encoded as %s', async (coding, named) => {
    for (const name of ['CreateMonitor', 'PatchMonitor', 'UploadOperation'] as const) {
      const right = await calls.rightCall(name)
      const headers = { ...right.headers, 'content-encoding': coding }
      const response = await calls.next.call(name, { ...right, headers })
      expect(response.headers.get('accept-encoding')).toBe('identity')
      const { detail } = await expectV2Problem(name, response, 'unsupportedMediaType')
      expect(detail).toBe(`The body is encoded as ${named}; send it as it is, without Content-Encoding.`)
    }
  })

  it.each(['identity', 'Identity', ''])('may have the Content-Encoding "%s"', async (coding) => {
    const response = await create(documentOf('Monitor', calls.newId()), { 'content-encoding': coding })
    await expectV2Answer('CreateMonitor', response)
  })

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'may say that it is %s',
    async (type) => {
      const response = await create(documentOf('Monitor', calls.newId()), { 'content-type': type })
      await expectV2Answer('CreateMonitor', response)
    },
  )

  it('is told all of its mistakes at once: what is not understood first, then what is wrong', async () => {
    const { spec, ...rest } = documentOf('Monitor', 'all wrong')
    const malformed = await create({ ...rest, surprise: 1, spec: { ...spec, enabled: 'yes', tags: [1] } })
    const shape = await expectV2Problem('CreateMonitor', malformed, 'invalidBody')
    expect(shape.errors?.map(({ field, reason }) => `${field} ${reason}`).sort()).toEqual([
      '/metadata/id malformed',
      '/spec/enabled wrongType',
      '/spec/tags/0 wrongType',
      '/surprise unknownField',
    ])
    const wrong = {
      ...documentOf('Monitor', 'wrong'),
      spec: {
        check: {
          driver: {
            type: 'http',
            config: { metod: 'GET', auth: { bearer: 'hunter2hunter2' } },
            credentialRefs: { url: 'pasted-secret' },
          },
          interval: '500ms',
          timeout: '2s',
        },
        recovery: { driver: { type: 'command', config: { argv: ['/bin/true'] } } },
        notifications: { red: { endpointRefs: ['the-endpoint', 'nobody'], groupRefs: ['nobody'] } },
        maintenance: [{ cron: '61 * * * *', duration: '1h' }],
        dependsOn: ['nobody', 'wrong'],
      },
    }
    const response = await create(wrong)
    const values = await expectV2Problem('CreateMonitor', response, 'invalidResource')
    expect(JSON.stringify(values)).not.toMatch(/hunter2|pasted-secret/)
    expect(values.errors?.map(({ field, reason }) => `${field} ${reason}`).sort()).toEqual([
      '/spec/check/driver/config/auth/bearer rule',
      '/spec/check/driver/config/metod unknownField',
      '/spec/check/driver/credentialRefs/url notFound',
      '/spec/check/interval rule',
      '/spec/dependsOn cycle',
      '/spec/dependsOn/0 notFound',
      '/spec/maintenance/0/cron rule',
      '/spec/notifications/red/endpointRefs/1 notFound',
      '/spec/notifications/red/groupRefs/0 notFound',
      '/spec/recovery/driver/type notAllowed',
    ])
  })

  it('may bring what the service sets itself, which is ignored, and not who manages it', async () => {
    const id = calls.newId()
    const { metadata, ...rest } = documentOf('Monitor', id)
    const own = { uid: 'mine', resourceVersion: '9', generation: 9, managedBy: 'api' }
    const created = await expectV2Answer(
      'CreateMonitor',
      await create({ ...rest, metadata: { ...metadata, ...own }, status: { health: 'healthy' } }),
    )
    expect(created.metadata).toMatchObject({ id, generation: 1, managedBy: 'api' })
    expect(created.metadata.uid).not.toBe('mine')
    const ofFile = await create({ ...rest, metadata: { ...metadata, id: calls.newId(), managedBy: 'file' } })
    const { errors } = await expectV2Problem('CreateMonitor', ofFile, 'invalidResource')
    expect(errors).toMatchObject([{ field: '/metadata/managedBy', reason: 'notAllowed' }])
  })
})

/** The appendix of RFC 7396, as far as a resource has a place for it; platform/json/merge-patch.test.ts has all of it. */
describe('a merge patch (RFC 7396)', () => {
  const patched = async (before: object, patch: unknown): Promise<Response> => {
    const id = calls.newId()
    const { metadata, spec, ...rest } = documentOf('Monitor', id)
    const { labels, ...more } = before as { labels?: object }
    const created = await create({
      ...rest,
      metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) },
      spec: { ...spec, ...more },
    })
    const headers = { 'if-match': created.headers.get('etag') ?? '' }
    return calls.next.call('PatchMonitor', { id, body: patch, headers })
  }
  const labelled = (labels: object | null) => ({ metadata: { labels } })

  it.each<[before: object, patch: object, after: object]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: 'b' }, { none: null }, { a: 'b' }],
  ])('%j and %j make %j', async (labels, patch, after) => {
    const { metadata } = await expectV2Answer('PatchMonitor', await patched({ labels }, labelled(patch)))
    expect(metadata.labels).toEqual(after)
  })

  it('removes the last member, and the whole', async () => {
    for (const patch of [labelled({ a: null }), labelled(null)]) {
      const answer = await expectV2Answer('PatchMonitor', await patched({ labels: { a: 'b' } }, patch))
      expect(answer.metadata.labels ?? {}).toEqual({})
    }
  })

  it('replaces a list as a whole, and an object by a list or a list by an object not at all', async () => {
    const tags = await patched({ tags: ['a', 'b'] }, { spec: { tags: ['c', 'd'] } })
    expect((await expectV2Answer('PatchMonitor', tags)).spec.tags).toEqual(['c', 'd'])
    for (const patch of [labelled(['c']), { spec: { tags: { a: 'b', c: null } } }, { metadata: 'bar' }])
      await expectV2Problem('PatchMonitor', await patched({ tags: ['a'] }, patch), 'invalidBody')
  })

  it('goes into objects that are not there, and leaves no null behind', async () => {
    const notifications = { red: { endpointRefs: ['the-endpoint'], groupRefs: null }, green: null }
    const answer = await expectV2Answer('PatchMonitor', await patched({}, { spec: { notifications } }))
    expect(answer.spec.notifications).toEqual({ red: { endpointRefs: ['the-endpoint'] } })
  })

  it.each(['null', '"bar"', '["c"]', '1', 'true'])('is an object, and not %s', async (patch) => {
    await expectV2Problem('PatchMonitor', await patched({}, patch), 'invalidBody')
  })

  it('is judged by what comes out, as a whole', async () => {
    const check = { interval: '2s', timeout: '5s' }
    const response = await patched({}, { spec: { check, enabled: null } })
    const { errors } = await expectV2Problem('PatchMonitor', response, 'invalidResource')
    expect(errors).toMatchObject([{ field: '/spec/check/timeout', reason: 'rule' }])
    const without = await patched({}, { spec: { check: null } })
    const lacking = await expectV2Problem('PatchMonitor', without, 'invalidBody')
    expect(lacking.errors).toMatchObject([{ field: '/spec/check', reason: 'required' }])
    const renamed = await patched({}, { metadata: { id: 'another' } })
    await expectV2Problem('PatchMonitor', renamed, 'invalidResource')
  })
})

describe('a request', () => {
  const line = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer ${calls.next.tokens.reader}\r\n${more}\r\n`
  const problemIn = (answer: string) =>
    JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as v2.Problem & { request_id?: string }

  it.each([
    ['without a host', '', 400, 'invalidParameter'],
    ['with two hosts', 'Host: localhost\r\nHost: localhost\r\n', 400, 'invalidParameter'],
    ['for something that is no host', 'Host: a b\r\n', 400, 'invalidParameter'],
    ['for the host of a page elsewhere', 'Host: evil.example\r\n', 421, 'misdirectedRequest'],
    [
      'with headers beyond all bounds',
      `Host: localhost\r\nX: ${'x'.repeat(17_000)}\r\n`,
      431,
      'headersTooLarge',
    ],
  ])('%s is refused with a problem of v2', async (_, headers, status, code) => {
    const answer = await exchange(calls.next.port, line('/api/v2/monitors', headers))
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(problemIn(answer)).toMatchObject({ status, code, requestID: expect.any(String) })
    expect(problemIn(answer)).not.toHaveProperty('request_id')
    const ofV1 = await exchange(calls.next.port, line('/api/v1/overview', headers))
    expect(problemIn(ofV1)).toMatchObject({ status, request_id: expect.any(String) })
  })

  it('for a path that cannot be decoded is refused with a problem of v2', async () => {
    const answer = await exchange(calls.next.port, line('/api/v2/monitors/%zz', 'Host: localhost\r\n'))
    expect(problemIn(answer)).toMatchObject({ status: 400, code: 'invalidParameter' })
  })

  it.each(['/api/v2', '/api/v2/', '/api/v2/nothing', '/api/v2/monitors/a/b', '/api/v2/monitors/'])(
    'for %s finds nothing, and finds out only with a token',
    async (path) => {
      const headers = { authorization: `Bearer ${calls.next.tokens.reader}` }
      const known = await calls.next.get(path, { headers })
      expect([known.status, ((await known.json()) as v2.Problem).code]).toEqual([404, 'notFound'])
      const unknown = await calls.next.get(path)
      expect([unknown.status, ((await unknown.json()) as v2.Problem).code]).toEqual([401, 'unauthorized'])
    },
  )

  it.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['not an origin', 403],
    [undefined, 201],
  ])('of a page of %s to write is answered with %i', async (origin, status) => {
    const headers: Record<string, string> = origin === undefined ? {} : { origin }
    const response = await create(documentOf('Monitor', calls.newId()), headers)
    expect(response.status).toBe(status)
    const reading = await calls.next.call('ListMonitors', { headers })
    expect(reading.status).toBe(200)
  })

  it('of a page of the service itself may write', async () => {
    const response = await create(documentOf('Monitor', calls.newId()), { origin: calls.next.url })
    expect(response.status).toBe(201)
  })

  it.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])(
    'with %s that comes from no proxy of ours is not from this machine',
    async (name) => {
      const response = await calls.next.call('ListMonitors', { headers: { [name]: 'for=127.0.0.1' } })
      const { detail } = await expectV2Problem('ListMonitors', response, 'insecureTransport')
      expect(detail).toContain('add its address to the setting proxies')
      expect(response.headers.get('www-authenticate')).toBeNull()
    },
  )

  it('through a proxy of ours counts as the proxy says', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }), {
      settings: { proxies: ['127.0.0.1'] },
    })
    const statusOf = async (headers: Record<string, string>) =>
      (await next.call('ListMonitors', { headers })).status
    expect(await statusOf({ 'x-forwarded-proto': 'https' })).toBe(200)
    expect(await statusOf({ 'x-forwarded-proto': 'https, http' })).toBe(403)
    expect(await statusOf({ forwarded: 'for=1.2.3.4;proto=https' })).toBe(200)
    expect(await statusOf({ 'x-forwarded-for': '1.2.3.4' })).toBe(403)
  })

  it('from the machine of the proxy itself is direct if it names this machine and nothing in between', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }), {
      settings: { proxies: ['127.0.0.1'] },
      // With it, Host is not compared.
      api: { token: 'a-token-of-v1-that-nobody-else-has' },
    })
    expect((await next.call('ListMonitors')).status).toBe(200)
    const sayings = new Map([
      ['', /^HTTP\/1\.1 200 /],
      ['X-Forwarded-For: 1.2.3.4', /^HTTP\/1\.1 403 [\s\S]*have it set X-Forwarded-Proto/],
      ['Via: 1.1 proxy', /^HTTP\/1\.1 403 [\s\S]*have it set X-Forwarded-Proto/],
      ['X-Forwarded-Proto: http', /^HTTP\/1\.1 403 [\s\S]*says that the client speaks http; use https/],
    ])
    const ask = (host: string, header: string) => {
      const authorization = `Authorization: Bearer ${next.tokens.reader}`
      const lines = [`Host: ${host}`, authorization, 'Connection: close', ...(header === '' ? [] : [header])]
      return exchange(next.port, `GET /api/v2/monitors HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, {
        staysOpen: true,
      })
    }
    for (const [header, answer] of sayings)
      expect(await ask(`localhost:${next.port}`, header)).toMatch(answer)
    // A proxy that forgets to say what it is passes on the name by which it was asked.
    expect(await ask('status.example', '')).toMatch(/^HTTP\/1\.1 403 [\s\S]*have it set X-Forwarded-Proto/)
  })
})

describe('a wrong token', () => {
  it('is answered late from the tenth in a minute, and a right one never', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const ask = async (authorization: string, name: v2.OperationName = 'ListMonitors') => {
      const response = await next.call(name, { headers: { authorization } })
      // A delayed guess is the last of its connection.
      return [response.status, response.headers.get('connection')]
    }
    const wrongs = ['Bearer wrong', `Bearer ${next.endedTokens.expired}`, 'Bearer', 'Bearer a b']
    for (let guess = 0; guess < 9; guess++)
      expect(await ask(wrongs[guess % wrongs.length]!)).toEqual([401, 'keep-alive'])
    for (const wrong of wrongs) expect(await ask(wrong)).toEqual([401, 'close'])
    expect(await ask('Bearer wrong', 'CreateMonitor')).toEqual([401, 'close'])
    expect(await ask(`Bearer ${next.tokens.reader}`)).toEqual([200, 'keep-alive'])
    expect(await ask('')).toEqual([401, 'keep-alive'])
    const path = await fetch(`${next.url}/api/v2/none`, { headers: { authorization: 'Bearer wrong' } })
    expect([path.status, path.headers.get('connection')]).toEqual([401, 'close'])
  })
})

describe.each(['main', 'candidate'] as const)('the edition %s', (edition) => {
  it('answers 404 api_version_not_served on every path and method of v2', async () => {
    await using other = await serveEdition(edition, await TestService.start({ monitors: [] }))
    for (const name of v2.operationNames) {
      const { method, path }: v2.V2Operation = v2.operations[name]
      const response = await other.get(path.replace('{id}', 'a'), { method })
      expect([name, response.status]).toEqual([name, 404])
      expect(await response.json()).toMatchObject({ code: v2.notServedCode, request_id: expect.any(String) })
    }
  })
})
