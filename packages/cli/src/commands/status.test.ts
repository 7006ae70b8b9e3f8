// `pulseward status export` against a real service: every file, only what changed, and a page that says when it is a copy of
// something that is gone.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { serveInProcess } from '@pulseward/testing/process'
import { expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

const fleet = (title: string, id = 'checkout') => `
status_pages:
  shop: { title: ${title}, groups: [{ name: Shop, components: [{ id: ${id}, name: C, monitors: [a] }] }] }
monitors: [{ id: a, name: A, enabled: false, check: { type: tcp, config: { host: 127.0.0.1, port: 9 } } }]
`

it('writes all files of a page, which are those that the service shows', async () => {
  using folder = temporaryFolder({ 'fleet.yaml': fleet('Example Shop') })
  await using service = await serveInProcess(['--config', folder.path('fleet.yaml'), '--store', 'memory'])
  const out = folder.path('out')
  const { code, stderr } = await runInProcess(['status', 'export', 'shop', out, '--server', service.url])
  expect([code, stderr]).toEqual([0, 'pulseward: Files written: 17.\n'])
  for (const path of ['', 'api/v2/summary.json', 'feed.atom', 'components/checkout/history.rss']) {
    const file = `${out}/${path === '' ? 'index.html' : path}`
    expect(readFileSync(file, 'utf8')).toBe(await (await fetch(`${service.url}/status/shop/${path}`)).text())
    // A web server is another user.
    expect(statSync(file).mode & 0o044).not.toBe(0)
  }
})

it('copies a page with a token and a logo, for whoever has the token', async () => {
  const made = await runInProcess(['status', 'token'])
  const [, token = '', digest = ''] = /^token: (\S{32})\ndigest: ([0-9a-f]{64})\n$/.exec(made.stdout) ?? []
  const logo = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>'
  const page = `access: token, token_digests: ["${digest}"], logo: { file: logo.svg }, title`
  using folder = temporaryFolder({
    'fleet.yaml': fleet('Example Shop').replace('title', page),
    'logo.svg': logo,
    token: `${token}\n`,
  })
  await using service = await serveInProcess(['--config', folder.path('fleet.yaml'), '--store', 'memory'])
  const out = folder.path('out')
  const words = ['status', 'export', 'shop', out, '--server', service.url]
  expect(await runInProcess(words)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('needs a token'),
  })
  expect(await runInProcess([...words, '--page-token-file', folder.path('none')])).toMatchObject({ code: 2 })
  expect(await runInProcess([...words, '--page-token-file', folder.path('token')])).toMatchObject({ code: 0 })
  expect(readFileSync(`${out}/logo.svg`, 'utf8')).toBe(logo)
  expect(readFileSync(`${out}/index.html`, 'utf8')).toContain('Example Shop')
})

it('prints the words of a page, which a page takes as they are', async () => {
  const { stdout } = await runInProcess(['status', 'words', 'de'])
  using folder = temporaryFolder({
    'fleet.yaml': fleet('Shop').replace('title', 'language: de, words: { file: own }, title'),
    own: stdout.replace('Alle Systeme laufen', 'Alles gut'),
  })
  expect(await runInProcess(['validate', folder.path('fleet.yaml')])).toMatchObject({ code: 0 })
  expect(await runInProcess(['status', 'words', 'xx'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There are no words of "xx" here, only of en or de.'),
  })
})

it('says what is wrong', async () => {
  using folder = temporaryFolder({ 'fleet.yaml': fleet('Example Shop') })
  await using service = await serveInProcess(['--config', folder.path('fleet.yaml'), '--store', 'memory'])
  const out = folder.path('out')
  const run = (...words: string[]) => runInProcess(['status', ...words])
  expect(await run('export', 'other', out, '--server', service.url)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      '/status/other/api/v2/components.json was answered with 404; is there such a',
    ),
  })
  expect(await run('export', 'shop', out, '--server', 'http://127.0.0.1:1')).toMatchObject({ code: 3 })
  expect(await run('export', 'shop', '--server', service.url)).toMatchObject({ code: 2 })
  expect(await run('export', 'shop', out, '--server', `${service.url},${service.url}`)).toMatchObject({
    code: 2,
  })
  expect(existsSync(out)).toBe(false)
})

it('keeps the files fresh, and marks the page when the service is gone', async () => {
  using folder = temporaryFolder({ 'fleet.yaml': fleet('Example Shop') })
  const service = await serveInProcess(['--config', folder.path('fleet.yaml'), '--store', 'memory'])
  const out = folder.path('out')
  const stop = new AbortController()
  const words = ['status', 'export', 'shop', out, '--watch', '--every', '100ms', '--server', service.url]
  const running = runInProcess(words, { interruption: stop.signal })
  const page = () => (existsSync(`${out}/index.html`) ? readFileSync(`${out}/index.html`, 'utf8') : '')
  const patience = { timeout: 60_000 }
  await expect.poll(page, patience).toContain('Example Shop')
  folder.write('fleet.yaml', fleet('Renamed Shop', 'cart'))
  await service.reload()
  await expect.poll(page, patience).toContain('Renamed Shop')
  await expect.poll(() => existsSync(`${out}/components/checkout/feed.atom`), patience).toBe(false)
  expect(existsSync(`${out}/components/cart/feed.atom`)).toBe(true)
  expect(page()).not.toContain('role="status"')
  await service[Symbol.asyncDispose]()
  await expect.poll(page, patience).toContain('role="status">This page has not been up to date since')
  stop.abort()
  const { code, stderr } = await running
  expect(code).toBe(0)
  expect(stderr.match(/cannot be read/g)).toHaveLength(1)
})
