import { symlinkSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { exchange, listeningApi } from '@pulseward/testing/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Assets } from './assets.ts'
import { healthz } from './routes/healthz.ts'

const index = '<!doctype html><script type="module" src="/assets/app-1a2b.js"></script>'
const script = `console.log(${JSON.stringify('x'.repeat(3_000))})`

async function serving({ token = null as string | null, built = true } = {}) {
  using folder = temporaryFolder({ 'secret.txt': 's3cret' })
  if (built) {
    folder.write('dist/index.html', index)
    folder.write('dist/assets/app-1a2b.js', script)
    folder.write('dist/assets/logo-3c4d.svg', '<svg/>')
    folder.write('dist/theme.js', 'early()')
    folder.write('dist/odd.bin', 'x')
    symlinkSync(folder.path('secret.txt'), folder.path('dist/linked.txt'))
  }
  const api = await listeningApi({ routes: [healthz], token, assets: Assets.read(folder.path('dist')) })
  onTestFinished(() => api[Symbol.asyncDispose]())
  return api
}

const navigation = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

describe('the built dashboard', () => {
  it.each(['/', '/monitors', '/monitors/5', '/alerts', '/index.html', '/none/at/all'])(
    'opens at %s',
    async (path) => {
      const { url } = await serving()
      const answer = await fetch(`${url}${path}`, navigation)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toBe(index)
    },
  )

  it.each(['/none', '/favicon.ico', '/assets/app-old.js', '/linked.txt', '/assets', '/assets/'])(
    'has nothing at %s for anybody but a browser that opens an address',
    async (path) => {
      const { url } = await serving()
      expect((await fetch(`${url}${path}`)).status).toBe(404)
      expect((await fetch(`${url}${path}`, { method: 'POST', ...navigation })).status).toBe(404)
    },
  )

  it.each(['/api', '/api/', '/api/v1/none', '/api/v2/monitors', '/metrics'])(
    'never stands in for the API (%s)',
    async (path) => {
      const { url } = await serving()
      const answer = await fetch(`${url}${path}`, navigation)
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
    },
  )

  it('lets no script but its own run', async () => {
    const { url } = await serving()
    const policy = (await fetch(url)).headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
  })

  it('gives files whose names change with their content away for good', async () => {
    const { url } = await serving()
    const answer = await fetch(`${url}/assets/app-1a2b.js`)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe(script)
    expect((await fetch(`${url}/assets/logo-3c4d.svg`)).headers.get('content-type')).toBe('image/svg+xml')
    expect((await fetch(`${url}/odd.bin`)).headers.get('content-type')).toBe('application/octet-stream')
  })

  it.each(['/', '/theme.js', '/assets/app-1a2b.js'])('answers 304 to who has %s already', async (path) => {
    const { url } = await serving()
    const first = await fetch(`${url}${path}`)
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]+(\.\w+)?"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(`${url}${path}`, { headers: { 'if-none-match': known } })
      expect(again.status).toBe(304)
      for (const name of ['etag', 'cache-control', 'vary'])
        expect(again.headers.get(name), name).toBe(first.headers.get(name))
      for (const name of ['content-type', 'content-length', 'content-encoding'])
        expect(again.headers.get(name), name).toBeNull()
      expect(await again.text()).toBe('')
    }
    expect((await fetch(`${url}${path}`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    if (!path.startsWith('/assets')) expect(first.headers.get('cache-control')).toBe('no-cache')
  })

  it('answers HEAD as GET without a body', async () => {
    const { url } = await serving()
    for (const path of ['/', '/assets/app-1a2b.js']) {
      const head = await fetch(`${url}${path}`, { method: 'HEAD' })
      const get = await fetch(`${url}${path}`)
      expect(head.status).toBe(200)
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
      expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
      expect(await head.text()).toBe('')
    }
  })

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/linked.txt',
  ])('gives nothing from outside its folder (%s)', async (path) => {
    const { address } = await serving()
    const answer = await exchange(
      address.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer).not.toContain('s3cret')
  })

  it('asks for a login when there is a token', async () => {
    const { url } = await serving({ token: 'key' })
    for (const path of ['/', '/monitors/5', '/assets/app-1a2b.js', '/theme.js']) {
      const answer = await fetch(`${url}${path}`, navigation)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="pulseward", charset="UTF-8"')
      expect(await answer.text()).not.toContain('script')
    }
    const authorization = `Basic ${Buffer.from('svc:key').toString('base64')}`
    expect((await fetch(`${url}/assets/app-1a2b.js`, { headers: { authorization } })).status).toBe(200)
  })
})

describe('without a built dashboard', () => {
  it('a plain page says so and what to do, and where the API is', async () => {
    const { url } = await serving({ built: false })
    for (const path of ['/', '/monitors']) {
      const text = await (await fetch(`${url}${path}`, navigation)).text()
      expect(text).toContain('The dashboard is not built: run npm run build')
      expect(text).toContain('/api/v1/overview')
      expect(text).not.toMatch(/<script|<style|https?:/)
    }
  })
})
