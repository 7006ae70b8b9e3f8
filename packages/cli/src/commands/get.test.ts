// get, health, ready and metrics, in this process, against a peer that keeps to the contract.
import { type Operation, schemaIn, type V1OperationName, v1Operations, v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { metricsText, misbehaviours, problemAnswer, ReferencePeer } from '@pulseward/testing/reference-peer'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { load } from 'js-yaml'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal } from '../client/command.fixture.ts'
import { displayWidth } from '../client/table/display-width.ts'

let peer: ReferencePeer
beforeAll(async () => {
  peer = await ReferencePeer.start()
})
afterEach(() => peer.misbehave(null))
afterAll(() => peer[Symbol.asyncDispose]())

const run = (line: string, on?: TestedTerminal) =>
  runInProcess([...line.split(' '), '--server', peer.url], on)

const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true })

function expectValid(schema: object, value: unknown): void {
  const isValid = ajv.compile(schema)
  expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true)
}

const v1Views: readonly [line: string, operation: V1OperationName][] = [
  ['get overview', 'GetOverview'],
  ['get monitors', 'ListMonitors'],
  ['get monitor 2', 'GetMonitor'],
  ['get incidents', 'ListIncidents'],
  ['get systems', 'GetSystems'],
  ['get queues', 'GetQueues'],
  ['get queues --series', 'GetQueueHistory'],
  ['get pools', 'GetPools'],
  ['get pools --series', 'GetPoolHistory'],
  ['get config', 'GetConfig'],
  ['get state', 'GetState'],
  ['get history', 'GetHistory'],
  ['get slo', 'GetSLO'],
  ['health', 'GetLive'],
  ['ready', 'GetReady'],
]

const v2Views: readonly [line: string, operation: v2.OperationName][] = [
  ['get monitors -l team=payments', 'ListMonitors'],
  ['get monitor checkout-api', 'GetMonitor'],
  ['get endpoints', 'ListNotificationEndpoints'],
  ['get groups', 'ListNotificationGroups'],
  ['get credentials', 'ListCredentials'],
  ['get actions', 'ListActions'],
  ['get operations', 'ListOperations'],
  ['get operation op-1', 'GetOperation'],
  ['get job-types', 'ListJobTypes'],
  ['get endpoint ops-slack', 'GetNotificationEndpoint'],
  ['get workers', 'ListWorkers'],
]

describe('what programs read', () => {
  it.each(v1Views)('%s -o json is the body of the API and fits its schema', async (line, name) => {
    const { code, stdout, stderr } = await run(`${line} -o json`)
    expect([code, stderr]).toEqual([0, ''])
    const operation: Operation = v1Operations[name]
    expectValid(schemaIn(operation.answers[200]!, 'next')!, JSON.parse(stdout))
  })

  it.each(v2Views)(
    '%s -o json and -o yaml are the body of the API and fit its schema',
    async (line, name) => {
      const json = await run(`${line} -o json`)
      const yaml = await run(`${line} -o yaml`)
      expect([json.code, yaml.code]).toEqual([0, 0])
      expect(JSON.parse(json.stdout)).toEqual(exchanges[name].answer)
      expect(load(yaml.stdout)).toEqual(exchanges[name].answer)
      expectValid(v2.successOf(v2.operations[name]).answer.schema!, JSON.parse(json.stdout))
    },
  )

  it('metrics are copied byte by byte', async () => {
    expect(await run('metrics')).toEqual({ code: 0, stdout: metricsText, stderr: '' })
  })
})

describe('what people read', () => {
  it.each([40, 60, 160])('fits a terminal of %i columns', async (columns) => {
    let shown = ''
    for (const [line] of [...v1Views, ...v2Views]) {
      const { code, stdout, stderr } = await run(line, {
        columns,
        timeZone: 'Europe/Berlin',
        now: '2026-03-01T09:30:10.000Z',
        environment: { NO_COLOR: '1' },
      })
      expect(code).toBe(0)
      for (const text of stdout.split('\n')) expect(displayWidth(text), text).toBeLessThanOrEqual(columns)
      shown += `$ pulseward ${line}\n${stdout}${stderr}\n`
    }
    await expect(shown).toMatchFileSnapshot(`golden/views.${columns}.txt`)
  })

  it.each([20, 40, 60])('fits %i columns also with long names and large figures', async (columns) => {
    // By its id, a monitor takes two reads, and looks the same.
    for (const [line] of [...v1Views, ...v2Views].filter(([one]) => one !== 'get monitor checkout-api')) {
      // JSON that does not change its shape: every text is long, every figure has many digits.
      const body = JSON.stringify(
        JSON.parse((await run(`${line} -o json`)).stdout),
        (key, value: unknown) => {
          if (typeof value === 'string' && /name|error|reason|target|message|id$/i.test(key))
            return `${value} 監視カメラ-without-a-space-${'x'.repeat(70)}`
          return typeof value === 'number' && /rate|_ms|per_second/.test(key) ? 55.88636363636363 : value
        },
      )
      peer.misbehave(misbehaviours.answersInstead({ body }))
      for (const format of ['table', 'wide']) {
        const { code, stdout } = await run(`${line} -o ${format}`, {
          columns,
          environment: { NO_COLOR: '1' },
        })
        expect(code, line).toBe(0)
        expect(stdout).not.toMatch(/\.\d{3}/)
        for (const text of stdout.split('\n')) expect(displayWidth(text), text).toBeLessThanOrEqual(columns)
      }
      peer.misbehave(null)
    }
  })

  it('times stand in the zone of the reader as people say them, in full with -o wide, for programs in UTC', async () => {
    const where = { timeZone: 'America/New_York', now: '2026-03-01T09:30:10.000Z' }
    expect((await run('get overview', where)).stdout).toMatch(/^As of +2026-03-01 04:30:05 -05:00$/m)
    expect((await run('get history', where)).stdout).toMatch(/^04:29:31 .* Incident opened/m)
    expect((await run('get history -o wide', where)).stdout).toMatch(/^2026-03-01 04:29:31 -05:00 /m)
    expect((await run('get history', { ...where, now: '2026-03-02T09:30:10.000Z' })).stdout).toMatch(
      /^1 Mar 04:29 /m,
    )
    expect((await run('ready', where)).stdout).toMatch(/progress +04:30:04$/m)
    for (const format of ['json', 'yaml'])
      expect((await run(`get overview -o ${format}`, where)).stdout).toMatch(/2026-03-01T09:30:05\.\d{3}Z/)
  })

  it('figures are rounded, for programs they are not', async () => {
    const body = JSON.parse((await run('get systems -o json')).stdout) as { aggregate: object }
    Object.assign(body.aggregate, { entities_per_second: 55.88636363636363, updates_per_second: 0.004 })
    peer.misbehave(misbehaviours.answersInstead({ body: JSON.stringify(body) }))
    expect((await run('get systems')).stdout).toContain('\n55.9 entities/s, < 0.01 updates/s, event loop')
    expect((await run('get systems -o json')).stdout).toContain('55.88636363636363')
    expect((await run('get systems -o yaml')).stdout).toContain('55.88636363636363')
  })

  it('incidents name the id that `get monitor` wants, which also takes the number', async () => {
    const { stdout } = await run('get incidents', { columns: 40, environment: { NO_COLOR: '1' } })
    const id = /^MONITOR .*\n *(\S+) /.exec(stdout)?.[1]
    const shown = await run(`get monitor ${id}`)
    expect(peer.lastRequest.path).toBe('/api/v1/monitors/2')
    expect(await run('get monitor 2')).toEqual(shown)
  })

  it('columns without room are named, with the way to see them', async () => {
    const hint = async (line: string, on: TestedTerminal) => (await run(line, on)).stderr
    expect(await hint('get queues', { columns: 50 })).toBe(
      'pulseward: 50 columns have no room for CAPACITY; add "-o wide | less -S" to see every column.\n',
    )
    expect(await hint('get queues -o wide', { columns: 100 })).toBe(
      'pulseward: 100 columns have no room for LAST IN; add "| less -S" to see every column.\n',
    )
    expect(await hint('get monitors -o wide', { columns: 138 })).toBe(
      'pulseward: Cells that end in … were cut to fit 138 columns; add "| less -S" to see them whole.\n',
    )
    for (const line of ['get queues', 'get queues -o wide', 'get queues -o json'])
      expect(await hint(line, {})).toBe('')
    expect(await hint('get queues -o json', { columns: 20 })).toBe('')
  })

  it('names in wide characters stand in line, and control characters do nothing', async () => {
    const { answer } = { answer: (await run('get monitors -o json')).stdout }
    const page = JSON.parse(answer) as { monitors: object[] }
    const names = [
      '監視カメラ 東京',
      'plain',
      '👩‍👩‍👧 family',
      'turned \u202e around',
      '\u001b[2J\u009b2Jcleared',
    ]
    const monitors = names.map((name, index) => ({ ...page.monitors[0], id: index + 1, name }))
    peer.misbehave(misbehaviours.answersInstead({ body: JSON.stringify({ ...page, monitors }) }))
    const { stdout } = await run('get monitors', { columns: 60, environment: { NO_COLOR: '1' } })
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/)
    await expect(stdout).toMatchFileSnapshot('golden/wide-names.60.txt')
    const json = await run('get monitors -o json')
    expect(json.stdout).not.toMatch(/[\u001b\u009b\u202e]/)
    expect(
      (JSON.parse(json.stdout) as { monitors: { name: string }[] }).monitors.map(({ name }) => name),
    ).toEqual(names)
  })

  it('colors are only on a terminal and only without NO_COLOR', async () => {
    expect((await run('get monitors', { columns: 80 })).stdout).toContain('\u001b[31mincident\u001b[0m')
    expect((await run('get monitors', { columns: 80, environment: { NO_COLOR: '1' } })).stdout).not.toContain(
      '\u001b',
    )
    expect((await run('get monitors')).stdout).not.toContain('\u001b')
  })

  it('-o wide shows more where there is room', async () => {
    const { stdout } = await run('get monitors -o wide')
    expect(stdout).toMatch(/^ID .* COLOR +HEALTHY +TAGS +NUMBER\n/)
  })
})

describe('filters', () => {
  it.each([
    [
      'get monitors --status INCIDENT --type http --code red --q a&b --page 2 --size 500',
      { status: 'incident', type: 'http', code: 'red', q: 'a&b', page: '2', size: '500' },
    ],
    ['get monitors --check http --color red --name a&b', { type: 'http', code: 'red', q: 'a&b' }],
    ['get monitors --tells-nobody', { tells_nobody: 'true' }],
    ['get incidents --page 3', { page: '3' }],
    ['get state --monitor checkout-api', { monitor_id: 'checkout-api' }],
    ['get state --monitor-id checkout-api', { monitor_id: 'checkout-api' }],
    [
      'get history --monitor-id a --limit 500 --cursor c --order desc',
      { monitor_id: 'a', limit: '500', cursor: 'c', order: 'desc' },
    ],
    ['get actions --monitor a --limit 1', { monitorID: 'a', limit: '1' }],
    ['get endpoints -l team=payments,!legacy', { selector: 'team=payments,!legacy' }],
    ['get monitors -l team=payments --limit 5', { selector: 'team=payments', limit: '5' }],
  ])('%s are passed on', async (line, query) => {
    expect((await run(line)).code).toBe(0)
    expect(peer.lastRequest.query).toEqual(query)
  })

  it('--all follows every page', async () => {
    let asked = 0
    const row = (exchanges.ListActions.answer as { items: object[] }).items[0]!
    peer.misbehave((response, { headers }) => {
      const page = asked++ === 0 ? { items: [row], nextCursor: 'next' } : { items: [row, row] }
      response.writeHead(200, headers).end(JSON.stringify(page))
    })
    const { stdout } = await run('get actions --all -o json')
    expect((JSON.parse(stdout) as { items: unknown[] }).items).toHaveLength(3)
    expect(peer.lastRequest.query).toEqual({ cursor: 'next', limit: '500' })
  })

  it.each([
    ['get', 'Name what to show: pulseward get overview. See --help.'],
    ['get monitrs', 'There is no "monitrs" to get. Did you mean monitors?'],
    ['get monitors --size 501', '--size: "501" is not allowed here; use a whole number from 1 to 500.'],
    ['get history --limit 501', '--limit: "501" is not allowed here; use a whole number from 1 to 500.'],
    ['get actions --limit 0', '--limit: "0" is not allowed here; use a whole number from 1 to 500.'],
    [
      'get monitors --page 1.5',
      '--page: "1.5" is not allowed here; use a whole number from 1 to 2147483647.',
    ],
    ['get queues --status up', '--status does not apply to queues.'],
    ['get monitor', 'Name one: pulseward get monitor ID'],
    [
      'get monitors --status up -l team=ops',
      '--status and --selector cannot be combined: v1 has the one, v2 the other.',
    ],
    ['get endpoints a b', '"b" is not expected here.'],
    ['get endpoint a --limit 5', '--limit does not apply to endpoint a.'],
    ['get operation a --state staging', '--state does not apply to operation a.'],
    [
      'get operations --state asleep',
      '--state: "asleep" is not allowed here; use staging, validating, validated, rejected, applying, completed, partial, failed, cancelled or expired.',
    ],
    ['get overview extra', '"extra" is not expected here.'],
    [
      'get groups -l a=b=c',
      '--selector has no clause at place 1; write key=value, key!=value, key, !key, key in (a,b) or key notin (a,b).',
    ],
    ['get groups --all --cursor c', '--all and --cursor exclude each other.'],
    ['get overview -o xml', '--output: "xml" is not allowed here; use table, wide, json or yaml.'],
    ['get overview --request-timeout 5', '--request-timeout: "5" needs a unit; write 5s, 5m or 5h.'],
    [
      'get overview --watch-interval 0s',
      '--watch-interval: "0s" is not allowed here; use more than zero and at most 24h.',
    ],
    ['health now', '"now" is not expected here.'],
  ])('%s is refused before any request', async (line, sentence) => {
    const before = peer.requests.length
    expect(await run(line)).toEqual({ code: 2, stdout: '', stderr: `pulseward: ${sentence}\n` })
    expect(peer.requests.length).toBe(before)
  })
})

describe('an answer that is none', () => {
  it.each([
    [
      'get endpoints',
      problemAnswer(404, 'api_version_not_served'),
      3,
      'does not offer this: it serves no v2; start it with --edition next.',
    ],
    [
      'get workers',
      problemAnswer(501, 'featureUnavailable'),
      3,
      'does not offer this: it is run without this feature.',
    ],
    ['get history', problemAnswer(404, 'not_found'), 3, 'does not offer this: its edition does not keep it.'],
    [
      'get overview',
      problemAnswer(401, 'unauthorized'),
      3,
      'needs a token; pass --token-file or set PULSEWARD_TOKEN_FILE, or name its data directory with --data.',
    ],
    [
      'get overview',
      problemAnswer(503, 'unavailable', {
        detail: 'No snapshot was taken yet.',
        headers: { 'Retry-After': '5' },
      }),
      3,
      'cannot answer now: no snapshot was taken yet; try again in 5 s.',
    ],
  ])('%s says so in one sentence', async (line, answer, code, words) => {
    peer.answer(answer)
    expect(await run(line)).toEqual({ code, stdout: '', stderr: `pulseward: ${peer.url} ${words}\n` })
  })

  it('is 1 for a monitor that is not there', async () => {
    peer.answer(problemAnswer(404, 'monitor_not_found', { detail: 'There is no monitor 9.' }))
    expect(await run('get monitor 9')).toMatchObject({
      code: 1,
      stderr: 'pulseward: There is no monitor 9 (request req-of-the-peer).\n',
    })
  })

  it('is 1 for a service that is not ready, with its reasons', async () => {
    const body = JSON.stringify({
      status: 'not_ready',
      reasons: ['no_snapshot'],
      snapshot_at: null,
      snapshot_age_seconds: null,
    })
    peer.misbehave(misbehaviours.answersInstead({ status: 503, body }))
    const { code, stdout } = await run('ready')
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^Status +not ready\nWhy +No snapshot of the fleet was taken yet\.\n/),
    ])
  })

  it.each([
    [
      'drops the connection',
      misbehaviours.dropsConnection,
      'closed the connection without an answer; if it does so again, it is not a Pulseward server.',
    ],
    ['breaks off', misbehaviours.cutsOff, 'sent an answer that broke off.'],
    [
      'sends a page of another program',
      misbehaviours.hasContentType('text/html'),
      'is not a Pulseward server, or one of another version: its answer is not of this API; check the address and the port of --server.',
    ],
    [
      'redirects',
      misbehaviours.redirects(302, 'http://127.0.0.1:1/'),
      'redirects elsewhere, which is not followed; give the address itself with --server.',
    ],
    [
      'never answers',
      misbehaviours.neverAnswers,
      'did not answer in time; --request-timeout gives it longer.',
    ],
  ])('is 3 from a peer that %s', async (_, misbehaviour, words) => {
    peer.misbehave(misbehaviour)
    // Only one that never answers has to be given up; on a busy machine the others may take a moment.
    const patience = misbehaviour === misbehaviours.neverAnswers ? '200ms' : '10s'
    expect(await run(`get overview --request-timeout ${patience}`)).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: ${peer.url} ${words}\n`,
    })
  })

  it('is 3 where nothing listens', async () => {
    const gone = await ReferencePeer.start()
    const { url } = gone
    await gone[Symbol.asyncDispose]()
    expect(await runInProcess(['health', '--server', url])).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: ${url} could not be reached: nothing listens there; start it with \`pulseward serve\`, or name another with --server.\n`,
    })
  })
})

describe('--watch', () => {
  it('appends into a pipe until a person ends it', async () => {
    const person = new AbortController()
    const onStdout = (text: string) => {
      if (text.split('STATUS').length > 3) person.abort()
    }
    const { code, stdout } = await run('get monitors --watch --watch-interval 1ms', {
      onStdout,
      interruption: person.signal,
    })
    expect(code).toBe(0)
    expect(stdout.match(/STATUS/g)!.length).toBeGreaterThanOrEqual(3)
    expect(stdout).not.toContain('\u001b')
  })

  it('stays in place on a terminal, and within its rows', async () => {
    const person = new AbortController()
    const { stdout } = await run('get monitor 2 --watch', {
      columns: 80,
      rows: 6,
      interruption: person.signal,
      onStdout: () => person.abort(),
    })
    expect(stdout.startsWith('\u001b[H\u001b[J')).toBe(true)
    expect(stdout.trimEnd().split('\n')).toHaveLength(5)
  })

  it('says below the view what had no room', async () => {
    const person = new AbortController()
    const { stdout, stderr } = await run('get queues --watch', {
      columns: 50,
      rows: 6,
      environment: { NO_COLOR: '1' },
      interruption: person.signal,
      onStdout: () => person.abort(),
    })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines.at(-1)).toBe('50 columns have no room for CAPACITY; add "-o wid…')
    expect(stderr).toBe('')
  })

  it('goes on when the service is away for a moment, and ends when it refuses', async () => {
    let asked = 0
    peer.misbehave((response, answer) => {
      asked++
      if (asked === 1) return void response.socket?.destroy()
      const { status, headers, body } = asked === 2 ? answer : problemAnswer(401, 'unauthorized')
      response.writeHead(status, headers).end(body)
    })
    const { code, stdout, stderr } = await run('get monitors --watch --watch-interval 1ms')
    expect(code).toBe(3)
    expect(stdout).toContain('Checkout API')
    expect(stderr).toBe(
      `pulseward: ${peer.url} closed the connection without an answer; if it does so again, it is not a Pulseward server.\npulseward: ${peer.url} needs a token; pass --token-file or set PULSEWARD_TOKEN_FILE, or name its data directory with --data.\n`,
    )
  })
})
