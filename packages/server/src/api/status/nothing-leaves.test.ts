// What never leaves: everything of a fleet that is not meant for customers carries a mark, and no byte that is served of a
// page, in any encoding, in any header, has it. The monitors fail, recover and are in maintenance, so that there is
// something to tell.
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { temporaryFolder } from '@pulseward/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, startApp } from '../../app.ts'
import { resolveSettings } from '../../config/settings/resolve-settings.ts'
import { systemClock } from '../../platform/clock.ts'
import { version } from '../../platform/version.ts'
import { filePaths } from '../../status-pages/render-file.ts'
import { silentLog } from '../../telemetry/log.ts'

const mark = 'mArKeD'
const marked = (text: string) => `${mark}-${text}`
const window = `maintenance: [{ name: "${marked('window')}", cron: "0 3 * * *", duration: 1h }],`
const common = `tags: [${marked('tag')}], labels: { ${marked('label')}: ${marked('value')} }, policy: ${marked('policy')}, notify: { red: { endpoints: [${marked('endpoint')}] } },`
const fleet = `
credentials: { ${marked('credential')}: { env: KEY } }
endpoints: { ${marked('endpoint')}: { type: log } }
groups: { ${marked('group')}: [${marked('endpoint')}] }
people: { ${marked('person')}: { name: ${marked('human')}, endpoints: [${marked('endpoint')}] } }
policies: { ${marked('policy')}: { steps: [{ notify: [{ person: ${marked('person')} }] }] } }
status_pages:
  shop:
    title: Example Shop
    groups:
      - name: Shop
        components:
          - { id: checkout, name: Checkout, monitors: [${marked('http')}, ${marked('tcp')}] }
          - { id: search, name: Search, match: { ${marked('label')}: ${marked('value')} } }
          - { id: planned, name: Planned, monitors: [${marked('planned')}] }
badges:
  the-first-badge-0123456789: { component: shop/checkout, shows: latency }
  the-second-badge-012345678: { monitor: ${marked('http')}, shows: status }
monitors:
  - { id: ${marked('http')}, name: ${marked('name-1')}, ${common} check: { type: http, interval: 1s, timeout: 1s, unhealthy_threshold: 1, config: { url: "http://127.0.0.1:1/${mark}", headers: { X-${mark}: ${mark} }, auth: { bearer: { credential: ${marked('credential')} } } } } }
  - { id: ${marked('tcp')}, name: ${marked('name-2')}, ${common} depends_on: [${marked('http')}], recovery: { type: webhook, config: { url: "http://127.0.0.1:1/${mark}" } }, check: { type: tcp, interval: 1s, timeout: 1s, unhealthy_threshold: 1, config: { host: 127.0.0.1, port: 1, send: ${mark} } } }
  - { id: ${marked('push')}, name: ${marked('name-3')}, ${common} check: { type: push, config: { every: 1h, key: { credential: ${marked('credential')} } } } }
  - { id: ${marked('planned')}, name: ${marked('name-4')}, ${window} check: { type: tcp, config: { host: ${mark}.invalid, port: 1 } } }
`

const folder = temporaryFolder({ 'fleet.yaml': fleet })
let app: App
beforeAll(async () => {
  const settings = resolveSettings({
    flags: new Map(),
    environment: {
      PULSEWARD_CONFIG: folder.path('fleet.yaml'),
      PULSEWARD_STORE: 'memory',
      PULSEWARD_LISTEN: '127.0.0.1:0',
    },
    file: null,
  }).values
  const environment = { KEY: `${mark}-key-0123456789abcdef` }
  app = await startApp({ settings, token: null, environment, clock: systemClock, log: silentLog })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
}

it('is in no byte that is served', async () => {
  const incidents = async () => {
    const overview = await fetch(`${app.url}/api/v1/overview`)
    return ((await overview.json()) as { by_status: { incident: number } }).by_status.incident
  }
  await expect.poll(incidents, { timeout: 30_000 }).toBeGreaterThan(0)
  expect(await (await fetch(`${app.url}/api/v1/monitors`)).text()).toContain(mark)
  const outage = async () => (await fetch(`${app.url}/status/shop/`)).text()
  await expect.poll(outage, { timeout: 30_000 }).toMatch(/outage|Degraded/)
  const paths = [...filePaths(['checkout', 'search', 'planned'])]
  expect(paths.length).toBeGreaterThan(20)
  let bytes = 0
  // The mark, and what would tell how things are checked, and by what.
  const forbidden = new RegExp(
    `${mark}|127\\.0\\.0\\.1|refused|${version.replaceAll('.', '\\.')}|\\btcp\\b`,
    'i',
  )
  const badges = ['first-badge-0123456789', 'second-badge-012345678', 'unknown'].flatMap((key) => [
    `/badge/the-${key}.svg`,
    `/badge/the-${key}.json`,
  ])
  const ofPage = [...paths, 'nothing', '../../api/v1/monitors'].map((path) => `/status/shop/${path}`)
  for (const path of [...ofPage, ...badges]) {
    for (const encoding of Object.keys(decoders)) {
      const response = await rawRequest(path, encoding)
      const { text } = response
      bytes += text.length
      expect(`${path} ${response.head}\n${text}`).not.toMatch(forbidden)
    }
  }
  expect(bytes).toBeGreaterThan(100_000)
})

function rawRequest(path: string, encoding: string): Promise<{ head: string; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: string; text: string }>()
  const headers = { 'accept-encoding': encoding, host: 'localhost' }
  const sent = request(app.url, { path, headers, agent: false }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const used = response.headers['content-encoding'] ?? 'identity'
      // Only refusals are never compressed.
      expect([path, response.statusCode === 200 ? used : encoding]).toEqual([path, encoding])
      const text = Buffer.from(decoders[used]!(Buffer.concat(chunks))).toString('utf8')
      resolve({ head: response.rawHeaders.join('\n'), text })
    })
  })
  sent.on('error', reject).end()
  return promise
}
