// Status pages over real connections to a real service: who may see them, what is served where, and what caches are told.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { temporaryFolder } from '@pulseward/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../../app.ts'
import { resolveSettings } from '../../config/settings/resolve-settings.ts'
import { systemClock } from '../../platform/clock.ts'
import { silentLog } from '../../telemetry/log.ts'

/** Its page is too long to be sent as text. */
const large = Array.from({ length: 30 }, (_, number) => `{ id: c${number}, name: C, monitors: [a] }`).join(
  ', ',
)
const token = 'the-token-of-a-page-0123456789ab'
const logo = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>'
const fleet = (title: string) => `
status_pages:
  shop:
    title: ${title}
    host: status.shop.example
    groups: [{ name: Shop, components: [{ id: checkout, name: Checkout, monitors: [a] }] }]
  large: { title: Large, groups: [{ name: All, components: [${large}] }] }
  secret:
    title: Secret Shop
    host: secret.shop.example
    access: token
    token_digests: ["${'0'.repeat(64)}", "${createHash('sha256').update(token).digest('hex')}"]
    logo: { type: image/svg+xml, data: ${Buffer.from(logo).toString('base64')} }
    groups: [{ name: Shop, components: [{ id: checkout, name: Checkout, monitors: [a] }] }]
  inside:
    title: Inside
    host: localhost
    groups: [{ name: All, components: [{ id: all, name: All, match: { team: x } }] }]
badges:
  the-key-of-a-badge-0123456: { component: shop/checkout, shows: status, label: shop }
monitors:
  - { id: a, name: A, enabled: false, labels: { team: x }, check: { type: tcp, config: { host: 127.0.0.1, port: 9 } } }
`
// localhost has no dot, so a file cannot name it; a name of the service can still be named.
const files = (title = 'Example Shop') => fleet(title).replace('host: localhost', 'host: pulseward.example')

const folder = temporaryFolder()
let app: App
beforeAll(async () => {
  app = await start({ PULSEWARD_STATUS_LISTEN: '127.0.0.1:0' })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

function start(environment: Record<string, string>, log = silentLog): Promise<App> {
  const settings = resolveSettings({
    flags: new Map(),
    environment: {
      PULSEWARD_CONFIG: folder.write('fleet.yaml', files()),
      PULSEWARD_STORE: 'memory',
      PULSEWARD_LISTEN: '127.0.0.1:0',
      PULSEWARD_PUBLIC_URL: 'https://pulseward.example/',
      ...environment,
    },
    file: null,
  }).values
  return startApp({
    settings,
    token: 'a-token-of-the-api-0123456789',
    environment: {},
    clock: systemClock,
    log,
  })
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
  readonly text: string
}

/** fetch would choose the host and the encodings itself. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  at = app.url,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { hostname, port } = new URL(at)
  const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const body = Buffer.concat(chunks)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body, text: body.toString() })
    })
  })
  sent.on('error', reject).end()
  return promise
}

const ofShop = { host: 'status.shop.example' }

describe('a status page', () => {
  it('is shown below /status/ without a token', async () => {
    expect((await ask('/api/v1/overview')).status).toBe(401)
    const { status, text, headers } = await ask('/status/shop/')
    expect(status).toBe(200)
    expect(text).toContain('<title>Example Shop: ')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=15, stale-while-revalidate=60',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('is found without the final slash, behind any prefix', async () => {
    const { status, headers } = await ask('/status/shop?from=mail')
    expect([status, headers['location']]).toEqual([302, 'shop/'])
  })

  it('is all that is shown at its own host', async () => {
    expect((await ask('/', ofShop)).text).toContain('<title>Example Shop: ')
    expect((await ask('/', { host: 'STATUS.shop.example:8443' })).text).toContain('<title>Example Shop: ')
    for (const path of [
      '/api/v1/overview',
      '/api/v1/healthz',
      '/api/v2/monitors',
      '/status/inside/',
      '/push/x',
      '/alerts',
    ])
      expect(await ask(path, ofShop)).toMatchObject({
        status: 404,
        text: 'There is nothing at this address.\n',
      })
  })

  it('is not shown at a name of the service, which would hide everything else', async () => {
    const { status } = await ask('/api/v1/overview', { host: 'pulseward.example' })
    expect(status).toBe(401)
    expect((await ask('/status/inside/')).text).toContain('Inside')
  })

  it.each(['/status/shop/', '/status/large/'])(
    'comes in the smallest encoding, each with its tag: %s',
    async (path) => {
      const plain = await ask(path)
      const br = await ask(path, { 'accept-encoding': 'gzip, deflate, br, zstd' })
      const gzip = await ask(path, { 'accept-encoding': 'gzip;q=0.5, br;q=0' })
      expect(br.headers['content-encoding']).toBe('br')
      expect(gzip.headers['content-encoding']).toBe('gzip')
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.body.length > 16_384).toBe(path.includes('large'))
      expect(Number(plain.headers['content-length'])).toBe(plain.body.length)
      expect(brotliDecompressSync(br.body)).toEqual(plain.body)
      expect(gunzipSync(gzip.body)).toEqual(plain.body)
      expect(new Set([plain, br, gzip].map(({ headers }) => headers['etag'])).size).toBe(3)
      expect((await ask(path, { 'accept-encoding': 'identity, *;q=0' })).body).toEqual(plain.body)
    },
  )

  it('is not sent again to whoever has it', async () => {
    const { headers } = await ask('/status/shop/', { 'accept-encoding': 'br' })
    const etag = String(headers['etag'])
    const again = await ask('/status/shop/', {
      'accept-encoding': 'br',
      'if-none-match': `"other", W/${etag}`,
    })
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag])
    expect(again.headers['content-type']).toBeUndefined()
    expect((await ask('/status/shop/', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('can be asked for its head, and for nothing but reading', async () => {
    const head = await ask('/status/shop/', {}, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1_000)
    const post = await ask('/status/shop/', {}, 'POST')
    expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })

  it.each([
    '/status/',
    '/status/other/',
    '/status/shop/other',
    '/status/shop//',
    '/status/shop/%2e',
    '/status/__proto__/',
  ])('is not at %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, text: 'There is nothing at this address.\n' })
  })
})

describe('a page with a token', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  it.each([
    `Bearer ${token}`,
    `OAuth ${token}`,
    `bearer ${token}`,
    basic(`:${token}`),
    basic(`anna:${token}`),
  ])('opens to whoever has it: %s', async (authorization) => {
    for (const path of ['', 'api/v2/summary.json', 'feed.atom', 'logo.svg']) {
      const { status, headers } = await ask(`/status/secret/${path}`, { authorization })
      expect([path, status]).toEqual([path, 200])
      expect(headers['cache-control']).toMatch(/^private, /)
      expect(headers['vary']).toBe('Accept-Encoding, Authorization')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    const atHost = await ask('/', { host: 'secret.shop.example', authorization })
    expect(atHost.text).toContain('Secret Shop')
  })

  const refusal = 'This page needs a token: give it as the password, with any name.\n'

  it('says nothing to anybody else, whatever is asked for', async () => {
    const paths = ['', 'api/v2/summary.json', 'feed.atom', 'logo.svg', 'history.html', 'no-such-file']
    for (const path of [...paths.map((name) => `/status/secret/${name}`), '/status/secret']) {
      const answer = await ask(path)
      expect([path, answer.status, answer.text]).toEqual([path, 401, refusal])
      expect(answer.headers).toMatchObject({
        'www-authenticate': 'Basic realm="status page", charset="UTF-8"',
        'cache-control': 'no-store',
      })
    }
    const atHost = await ask('/', { host: 'secret.shop.example' })
    expect([atHost.status, atHost.text]).toEqual([401, refusal])
  })

  // Fewer than the guesses after which a client has to wait.
  it.each([
    'Bearer',
    'Bearer x',
    `Bearer ${token}x`,
    `Digest ${token}`,
    basic(token),
    `Bearer ${'0'.repeat(64)}`,
    `Bearer ${'x'.repeat(5_000)}`,
  ])('refuses %s', async (authorization) => {
    expect(await ask('/status/secret/', { authorization })).toMatchObject({ status: 401, text: refusal })
  })
})

describe('a logo', () => {
  it('is a picture that can do nothing', async () => {
    const { headers, text } = await ask('/status/secret/logo.svg', { authorization: `Bearer ${token}` })
    expect(text).toBe(logo)
    expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*; sandbox$/)
    const page = await ask('/status/secret/', { authorization: `Bearer ${token}` })
    expect(page.text).toContain('<img class="logo" src="logo.svg" alt="">')
    expect(page.headers['content-security-policy']).toContain("img-src 'self' data:")
  })

  it('is not at a page without one', async () => {
    expect((await ask('/status/shop/logo.svg')).status).toBe(404)
    expect((await ask('/status/shop/')).headers['content-security-policy']).toContain('img-src data:')
  })
})

describe('a badge', () => {
  const path = '/badge/the-key-of-a-badge-0123456'

  it('is shown to whoever has its key, at every address, as a picture and for shields.io', async () => {
    const { status, headers, text } = await ask(`${path}.svg`)
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(text).toContain('<title>shop: no data</title>')
    expect(headers['cache-control']).toContain('max-age=15')
    expect(JSON.parse((await ask(`${path}.json`, ofShop)).text)).toMatchObject({
      label: 'shop',
      message: 'no data',
    })
    expect((await ask(`${path}.svg`, {}, 'GET', app.statusUrl!)).text).toBe(text)
  })

  it('with an unknown key is grey, and not found', async () => {
    for (const unknown of ['/badge/another-key-of-a-badge-012', '/badge/x', '/badge/__proto__']) {
      const svg = await ask(`${unknown}.svg`)
      expect([svg.status, svg.headers['content-type']]).toEqual([404, 'image/svg+xml; charset=utf-8'])
      expect(svg.text).toContain('not found')
      expect(await ask(`${unknown}.json`)).toMatchObject({
        status: 404,
        text: expect.stringContaining('"isError":true'),
      })
    }
  })
})

describe('the second listener', () => {
  it('shows status pages and nothing else', async () => {
    const at = app.statusUrl!
    expect((await ask('/status/shop/', {}, 'GET', at)).status).toBe(200)
    expect((await ask('/', ofShop, 'GET', at)).text).toContain('<title>Example Shop: ')
    for (const path of ['/', '/api/v1/healthz', '/api/v1/overview', '/push/x'])
      expect((await ask(path, {}, 'GET', at)).status).toBe(404)
  })

  it('needs an edition with status pages, and one without them says so', async () => {
    const starting = start({ PULSEWARD_STATUS_LISTEN: '127.0.0.1:0', PULSEWARD_EDITION: 'main' })
    await expect(starting).rejects.toThrow('status.listen needs an edition with status pages')
    const warned: unknown[] = []
    await using own = await start(
      { PULSEWARD_EDITION: 'main' },
      { ...silentLog, warn: (...words: unknown[]) => void warned.push(words) },
    )
    expect((await ask('/status/shop/', {}, 'GET', own.url)).status).toBe(401)
    expect(warned).toContainEqual([{ pages: 5 }, expect.stringMatching(/serves no status pages and badges/)])
  })
})

describe('a reload', () => {
  it('changes the pages, and one that is gone is gone', async () => {
    folder.write('fleet.yaml', files('Another Shop'))
    await app.reload()
    expect((await ask('/status/shop/')).text).toContain('Another Shop')
    expect((await ask('/badge/the-key-of-a-badge-0123456.svg')).status).toBe(200)
    const [, withoutPages = ''] = files().split(/(?=\nmonitors:)/)
    folder.write('fleet.yaml', withoutPages)
    await app.reload()
    expect((await ask('/status/shop/')).status).toBe(401)
    expect((await ask('/', ofShop)).status).toBe(401)
    // The key was revoked.
    expect((await ask('/badge/the-key-of-a-badge-0123456.svg')).status).toBe(404)
  })
})
