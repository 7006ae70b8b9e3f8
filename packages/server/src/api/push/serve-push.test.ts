// The paths by which jobs report, over real connections to a real service: right signals, and everything that is
// wrong with others.
import { once } from 'node:events'
import { connect } from 'node:net'
import { temporaryFolder } from '@pulseward/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../../app.ts'
import { resolveSettings } from '../../config/settings/resolve-settings.ts'
import { systemClock } from '../../platform/clock.ts'
import { silentLog } from '../../telemetry/log.ts'
import { UnknownKeys } from './unknown-keys.ts'

const keys = {
  BACKUP: 'backup-key-0123456789abc',
  OTHER: 'another-key-0123456789ab',
  OLD: 'previous-key-0123456789a',
  OFF: 'disabled-key-0123456789a',
  FLOOD: 'flooding-key-0123456789a',
}

const monitor = (id: string, more = '') =>
  `  - { id: ${id}, name: ${id}, ${more} check: { type: push, config: { every: 1h, key: { credential: ${id} }${id === 'other' ? ', previous_key: { credential: old }' : ''} } } }`

const fleet = `
credentials:
${Object.keys(keys)
  .map((name) => `  ${name.toLowerCase()}: { env: ${name} }`)
  .join('\n')}
monitors:
${monitor('backup')}
${monitor('other')}
${monitor('off', 'enabled: false,')}
${monitor('flood')}
`

const folder = temporaryFolder()
let app: App

beforeAll(async () => {
  app = await start({})
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

function start(environment: Record<string, string>): Promise<App> {
  const settings = resolveSettings({
    flags: new Map(),
    environment: {
      PULSEWARD_CONFIG: folder.write('fleet.yaml', fleet),
      PULSEWARD_DATA: folder.path(environment['PULSEWARD_DATA'] ?? 'data'),
      PULSEWARD_LISTEN: '127.0.0.1:0',
      ...Object.fromEntries(Object.entries(environment).filter(([name]) => name !== 'PULSEWARD_DATA')),
    },
    file: null,
  }).values
  return startApp({
    settings,
    token: 'a-token-of-the-api-0123456789',
    environment: keys,
    clock: systemClock,
    log: silentLog,
  })
}

const ask = async (path: string, init: RequestInit = {}, at = app) => {
  const response = await fetch(`${at.url}${path}`, init)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

interface Detail {
  readonly status: string
  readonly last_error: string | null
  readonly push: {
    readonly state: string
    readonly due_at: string | null
    readonly last_signal: string | null
    readonly previous_key_used_at: string | null
    readonly runs: readonly { readonly rid: string }[]
    readonly signals: readonly Record<string, unknown>[]
  }
}

async function detailOf(name: string): Promise<Detail> {
  const headers = { authorization: 'Bearer a-token-of-the-api-0123456789' }
  const list = await (await fetch(`${app.url}/api/v1/monitors?q=${name}`, { headers })).json()
  const { id } = (list as { monitors: { id: number; name: string }[] }).monitors.find(
    (one) => one.name === name,
  )!
  return (await fetch(`${app.url}/api/v1/monitors/${id}`, { headers })).json() as Promise<Detail>
}

/** Writes raw bytes and returns everything that comes back before the connection closes. */
async function raw(text: string | Uint8Array, at = app): Promise<string> {
  const { hostname, port } = new URL(at.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  await once(socket, 'connect')
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('a signal', () => {
  it.each(['GET', 'POST', 'HEAD'])('needs no token, and is taken by %s', async (method) => {
    const { status, text, headers } = await ask(`/push/${keys.BACKUP}`, { method })
    expect({ status, text }).toEqual({ status: 200, text: method === 'HEAD' ? '' : 'ok\n' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(headers.get('set-cookie')).toBeNull()
    expect((await detailOf('backup')).push).toMatchObject({ state: 'up', last_signal: 'success' })
  })

  it('keeps the runs apart, and what the job printed', async () => {
    await ask(`/push/${keys.OTHER}/start?rid=run.1-a_b`)
    expect((await detailOf('other')).push.runs).toMatchObject([{ rid: 'run.1-a_b' }])
    const body = `printed ${keys.OTHER}\r\n\u001b[31mdisk full\n`
    expect(await ask(`/push/${keys.OTHER}/3?rid=run.1-a_b`, { method: 'POST', body })).toMatchObject({
      status: 200,
    })
    const { push, last_error: lastError, status } = await detailOf('other')
    expect(status).toBe('incident')
    expect(lastError).toMatch(/^exit code 3: .*disk full$/)
    expect(push.signals[0]).toMatchObject({ kind: 'fail', exit_code: 3, run_ms: expect.any(Number) })
    expect(JSON.stringify(push)).not.toContain(keys.OTHER)
    expect(JSON.stringify(push)).not.toContain('\\u001b')
    expect(await ask(`/push/${keys.OTHER}/0`)).toMatchObject({ status: 200 })
    expect((await detailOf('other')).status).toBe('up')
  })

  it('is understood as Uptime Kuma and healthchecks write it', async () => {
    expect(await ask(`/api/push/${keys.BACKUP}?status=up&msg=OK&ping=12`)).toMatchObject({ status: 200 })
    expect(await ask(`/api/push/${keys.BACKUP}?status=down&msg=no%20tape`)).toMatchObject({ status: 200 })
    expect((await detailOf('backup')).last_error).toBe('the job reported a failure: no tape')
    expect(await ask(`/ping/${keys.BACKUP}`, { method: 'POST' })).toMatchObject({ status: 200 })
    expect((await detailOf('backup')).status).toBe('up')
  })

  it('comes with the previous key too, and that is noted', async () => {
    expect(await ask(`/push/${keys.OLD}`)).toMatchObject({ status: 200 })
    expect((await detailOf('other')).push.previous_key_used_at).not.toBeNull()
  })

  it('is recorded for a disabled monitor, and says so', async () => {
    expect(await ask(`/push/${keys.OFF}`)).toMatchObject({ status: 200, text: 'ignored: disabled\n' })
    expect((await detailOf('off')).status).toBe('disabled')
  })

  it('is taken ten times in ten seconds, and the first of each kind always', async () => {
    const answers = []
    for (let count = 0; count < 12; count++) answers.push((await ask(`/push/${keys.FLOOD}`)).status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    expect((await ask(`/push/${keys.FLOOD}`)).headers.get('retry-after')).toMatch(/^([1-9]|10)$/)
    expect(await ask(`/push/${keys.FLOOD}/fail`)).toMatchObject({ status: 200 })
  })
})

describe('what is wrong with a signal', () => {
  it.each([
    ['/push/', 404],
    ['/push/short', 404],
    ['/push/unknown-key-0123456789ab', 404],
    ['/push/unknown-key-0123456789ab/300', 404],
    ['/api/push/unknown-key-0123456789ab', 404],
    ['/ping/%00%00%00%00%00%00%00%00%00%00%00', 404],
  ])('says no more than that there is nothing: %s', async (path, status) => {
    expect(await ask(path)).toMatchObject({ status, text: 'There is nothing at this path.\n' })
  })

  it.each([
    [`/push/${keys.BACKUP}/300`, /^300 is not an exit code; write 0 to 255/],
    [`/push/${keys.BACKUP}/done`, /neither start, fail, log nor an exit code/],
    [`/push/${keys.BACKUP}?rid=%3Cscript%3E`, /^The run id \(rid\) is not/],
    [`/push/${keys.BACKUP}?rid=`, /^The run id \(rid\) is not/],
  ])('is named, and nothing is recorded: %s', async (path, words) => {
    const before = await detailOf('backup')
    const { status, text } = await ask(path)
    expect(status).toBe(400)
    expect(text).toMatch(words)
    expect((await detailOf('backup')).push).toEqual(before.push)
  })

  it('is the method', async () => {
    const { status, headers } = await ask(`/push/${keys.BACKUP}`, { method: 'DELETE' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST, GET, HEAD'])
  })
})

describe('a body', () => {
  it('of 10 MB is read as far as it is worth it, and the signal is taken', async () => {
    const head = `POST /push/${keys.OTHER}/log HTTP/1.1\r\nHost: jobs.test\r\nContent-Length: 10000000\r\n\r\n`
    const answer = await raw(Buffer.concat([Buffer.from(head), Buffer.alloc(2_000_000, 'x')]))
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/connection: close/i)
    const [last] = (await detailOf('other')).push.signals
    expect(last).toMatchObject({ kind: 'log', output: 'x'.repeat(10_240) })
  })

  it('that is not text is shown as far as it is', async () => {
    const body = Uint8Array.of(0, 255, 254, 65, 7, 66, 10, 67)
    expect(await ask(`/push/${keys.OTHER}/log`, { method: 'POST', body })).toMatchObject({ status: 200 })
    const [last] = (await detailOf('other')).push.signals
    expect(last?.['output']).toMatch(/^[^\p{Cc}]+A\uFFFDB\nC$/u)
  })

  it('that breaks off leaves no signal behind, because the job will say it again', async () => {
    const before = (await detailOf('backup')).push
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.end(`POST /push/${keys.BACKUP}/fail HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf`)
    socket.destroy()
    await once(socket, 'close')
    expect((await detailOf('backup')).push).toEqual(before)
  })
})

it('without an end is given up after ten seconds, and the signal is taken', { tags: 'long' }, async () => {
  const head = `POST /push/${keys.OTHER}/log HTTP/1.1\r\nHost: jobs.test\r\nTransfer-Encoding: chunked\r\n\r\n`
  expect(await raw(`${head}5\r\nhello\r\n`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nok\n$/)
  expect((await detailOf('other')).push.signals[0]).toMatchObject({ kind: 'log', output: 'hello' })
})

describe('unknown keys', () => {
  it('get 429 after twenty in a minute, and a right key is taken nevertheless', async () => {
    await using own = await start({ PULSEWARD_DATA: 'other-data' })
    const statuses = []
    for (let count = 0; count < 22; count++)
      statuses.push((await ask(`/push/guess-${String(count).padStart(20, '0')}`, {}, own)).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 404), 429, 429])
    expect(await ask(`/push/${keys.BACKUP}`, {}, own)).toMatchObject({ status: 200 })
  })
})

describe('a flood of unknown keys from one address', () => {
  const connections = 20

  it('is answered seldom, and keeps no right key from being heard', { tags: 'long' }, async () => {
    await using own = await start({ PULSEWARD_DATA: 'flooded-data' })
    const { hostname, port } = new URL(own.url)
    let isOver = false
    const beganMs = performance.now()
    const flood = Array.from({ length: connections }, async (_, number) => {
      while (!isOver) {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {}).resume()
        const key = `flood-${number}-`.padEnd(30, 'x')
        for (let count = 0; count < 20; count++) socket.write(`GET /push/${key} HTTP/1.1\r\nHost: a\r\n\r\n`)
        await once(socket, 'close')
      }
    })
    try {
      const heard = []
      for (const key of [keys.BACKUP, keys.OTHER])
        for (let count = 0; count < 5; count++) heard.push((await ask(`/push/${key}`, {}, own)).status)
      expect(new Set(heard)).toEqual(new Set([200]))
    } finally {
      isOver = true
      await Promise.all(flood)
    }
    const answered = await countIn(own, 'pulseward_push_unknown_keys_total{answer="not_found"}')
    expect(answered).toBeGreaterThanOrEqual(20)
    expect(answered).toBeLessThanOrEqual(20 * (1 + Math.floor((performance.now() - beganMs) / 60_000)))
    expect(await countIn(own, 'pulseward_push_signals_total{kind="success",outcome="stored"}')).toBe(10)
  })

  it('is remembered of a bounded number of addresses', { tags: 'long' }, () => {
    const unknown = new UnknownKeys(systemClock)
    for (let client = 0; client < 100_000; client++) expect(unknown.waitSeconds(`client ${client}`)).toBe(0)
    expect(unknown.clients).toBe(10_000)
  })
})

describe('metrics', () => {
  it('count what became of the signals', async () => {
    await using own = await start({ PULSEWARD_DATA: 'counted-data', PULSEWARD_PUSH_METHODS: 'POST' })
    const signals = (kind: string, outcome: string) =>
      countIn(own, `pulseward_push_signals_total{kind="${kind}",outcome="${outcome}"}`)
    expect(await signals('start', 'stored')).toBe(0)
    const post = { method: 'POST' }
    await ask(`/push/${keys.BACKUP}/start`, post, own)
    await ask(`/push/${keys.BACKUP}/3`, post, own)
    await ask(`/push/${keys.OFF}`, post, own)
    await ask(`/push/${keys.BACKUP}/300`, post, own)
    await ask(`/push/${keys.BACKUP}`, { method: 'HEAD' }, own)
    await ask('/push/unknown-key-0123456789ab', post, own)
    for (let count = 0; count < 12; count++) await ask(`/push/${keys.FLOOD}/log`, post, own)
    expect(await signals('start', 'stored')).toBe(1)
    expect(await signals('fail', 'stored')).toBe(1)
    expect(await signals('success', 'ignored')).toBe(1)
    expect([await signals('log', 'stored'), await signals('log', 'limited')]).toEqual([10, 2])
    expect(await countIn(own, 'pulseward_push_invalid_signals_total')).toBe(2)
    expect(await countIn(own, 'pulseward_push_unknown_keys_total{answer="not_found"}')).toBe(1)
  })
})

async function countIn({ url }: App, series: string): Promise<number> {
  const headers = { authorization: 'Bearer a-token-of-the-api-0123456789' }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1))
}

describe('settings', () => {
  it('push.listen opens a listener with nothing but these paths', async () => {
    await using own = await start({
      PULSEWARD_DATA: 'third-data',
      PULSEWARD_PUSH_LISTEN: '127.0.0.1:0',
      PULSEWARD_PUSH_METHODS: 'POST',
    })
    const at = { url: own.pushUrl } as App
    expect(await ask(`/push/${keys.BACKUP}`, { method: 'POST' }, at)).toMatchObject({ status: 200 })
    // Scanners of links send both.
    for (const method of ['GET', 'HEAD'])
      expect(await ask(`/push/${keys.BACKUP}`, { method }, at)).toMatchObject({ status: 405 })
    for (const path of ['/', '/api/v1/healthz', '/metrics'])
      expect(await ask(path, {}, at)).toMatchObject({ status: 404 })
  })
})

it('keeps what it acknowledged over a restart', async () => {
  const first = await start({ PULSEWARD_DATA: 'kept-data' })
  expect(await ask(`/push/${keys.BACKUP}/start?rid=kept`, {}, first)).toMatchObject({ status: 200 })
  await first[Symbol.asyncDispose]()
  await using second = await start({ PULSEWARD_DATA: 'kept-data' })
  const before = app
  app = second
  try {
    expect((await detailOf('backup')).push).toMatchObject({ state: 'up', runs: [{ rid: 'kept' }] })
  } finally {
    app = before
  }
})
