// export: what a service has becomes a fleet file, and a service over that file has the same monitors.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, serveInProcess } from '@pulseward/testing/process'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { loadAll } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal } from '../client/command.fixture.ts'
import { ServedNext, samples } from '../client/served.fixture.ts'

const { credential, endpoint, group, monitor, route } = samples
const fleet = `
credentials: { hook: { env: HOOK_OF_FILE }, only-file: { env: HOOK_OF_FILE } }
endpoints:
  of-file: { type: slack, config: { hook: { credential: hook } } }
  pager: { type: slack, config: { hook: { credential: only-file } } }
defaults: { check: { interval: 2h, timeout: 7s }, notify: { red: { endpoints: [of-file] } } }
routes: [ { match: { tag: edge }, colors: [gray], endpoints: [pager] } ]
monitors:
  - { id: from-file, name: From a file, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`
const matches = Array.from({ length: 10 }, (_, index) => ({ team: `team-${index}` }))
const routes = [...matches, {}].map((match, index) =>
  route(`route-${index + 1}`, 'ops', match, { endpointRefs: ['chat'] }),
)
const everything = monitor(
  'shop',
  {
    enabled: false,
    tags: ['null', '1e3', 'it: is', 'two\nlines'.replace('\n', ' ')],
    dependsOn: ['edge'],
    repeat: '30m',
    notifications: { red: { groupRefs: ['ops'], endpointRefs: ['chat'] }, green: { dispatch: false } },
    maintenance: [
      { cron: '0 3 * * 0', duration: '1h', timezone: 'Europe/Berlin' },
      { start: '2030-01-01T00:00:00Z', end: '2030-01-01T01:00:00Z' },
    ],
    check: {
      driver: {
        type: 'http',
        config: { url: 'http://127.0.0.1:1/?a=b', headers: { 'X-Shop': 'yes' }, auth: {} },
        credentialRefs: { 'auth.bearer': 'shop.token' },
      },
      interval: '90m',
      timeout: '4s',
      unhealthyThreshold: 5,
      healthyThreshold: 4,
      retries: 2,
    },
  },
  { name: 'Shop: "всё" 監視', labels: { team: 'payments', 10: 'ten' } },
)

let served: ServedNext
let folder: TemporaryFolder
beforeAll(async () => {
  folder = temporaryFolder()
  served = await ServedNext.start({ fleet, environment: { HOOK_OF_FILE: 'https://hooks.example/file' } })
  await served.apply(
    credential('hook', 'https://hooks.example/secret-of-v2'),
    credential('shop.token', 'the-secret-of-the-shop'),
    credential('unused', 'a-secret-that-nothing-needs'),
    { ...endpoint('chat', 'hook'), metadata: { id: 'chat', labels: { team: 'a' } } },
    group('ops', 'chat'),
    ...routes,
    monitor('edge'),
    everything,
  )
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (line: string, on?: TestedTerminal) => served.run(line.split(' '), on)

/** Every variable that the file asks for. */
function variablesOf(text: string): Record<string, string> {
  const documents = loadAll(text) as { credentials?: Record<string, { env: string }> }[]
  const sources = documents.flatMap(({ credentials = {} }) => Object.values(credentials))
  return Object.fromEntries(sources.map(({ env }) => [env, 'https://hooks.example/x']))
}

/** What v1 tells of every monitor that does not follow from when it was checked. */
async function monitorsOf(url: string): Promise<object[]> {
  const get = async (path: string) => (await fetch(`${url}/api/v1/${path}`)).json()
  const { monitors } = (await get('monitors?size=500')) as { monitors: { id: number }[] }
  const details = await Promise.all(monitors.map(({ id }) => get(`monitors/${id}`)))
  return (details as Record<string, unknown>[])
    .map((row) => {
      const kept = ['monitor_id', 'name', 'pulse_type', 'target', 'tags', 'interval_ms', 'timeout_ms']
      const { status, recovery, maintenance } = row
      const facts = { isDisabled: status === 'disabled', recovery, maintenance }
      return { ...Object.fromEntries(kept.map((key) => [key, row[key]])), ...facts }
    })
    .sort((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)))
}

const routed = { colors: ['red', 'green'], groups: ['ops'], endpoints: ['chat'] }

describe('export', () => {
  it('gives people, schedules, policies and their routes back as they were applied from a file', async () => {
    const text = `version: 1
endpoints: { chat: { type: log } }
groups: { leads: [chat] }
people:
  ana: { name: Ana Berg, timezone: Europe/Berlin, endpoints: [chat] }
  bo: { endpoints: [chat] }
schedules:
  primary:
    timezone: Europe/Berlin
    layers: [{ people: [ana, bo], start: "2026-03-02T09:00", every: 1w, hours: [{ days: [mon, fri], from: "09:00", to: "24:00" }] }]
    overrides: [{ from: "2026-12-24T09:00", to: "2026-12-27T09:00", person: bo }]
    handoff: true
policies:
  page:
    steps: [{ notify: [{ schedule: primary, all_endpoints: true }, { group: leads }], wait: 90s }]
    repeat: 2
    quiet: { hours: 22:00-07:00, zone: person, severities: [info], then: drop }
    ack_timeout: 4h
    escalate_owned: true
    last_resort: { endpoints: [chat] }
routes:
  - { id: z, match: { team: a }, policy: page }
  - { id: b, match: { team: b }, policy: page, colors: [red], groups: [leads] }
monitors:
  - { id: shop, name: Shop, policy: page, severity: info, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`
    await using applied = await ServedNext.start()
    using home = temporaryFolder({ 'on-call.yaml': text })
    const { code, stderr } = await applied.run(['apply', '-f', home.path('on-call.yaml'), '--wait'])
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('tells nobody')])
    const { stdout } = await applied.run(['export'])
    const [before] = loadAll(text) as Record<string, unknown>[]
    const [after] = loadAll(stdout) as Record<string, unknown>[]
    const { monitors, ...head } = before as { monitors: object[] }
    expect(after).toMatchObject(head)
    expect(after).toMatchObject({ monitors: [{ id: 'shop', policy: 'page', severity: 'info' }] })
    expect(monitors).toHaveLength(1)
    const listed = await applied.run(['get', 'schedules'])
    expect(listed.stdout).toMatch(/^primary +(Ana Berg|bo|no person) /m)
    const described = await applied.run(['describe', 'schedule', 'primary'])
    expect(described.stdout).toContain('Europe/Berlin')

    const made = await applied.run(['calendar', 'create', 'primary', '--person', 'ana'])
    const id = /revoke (primary-ana-[0-9a-f]{6})/.exec(made.stderr)?.[1] ?? ''
    const address = made.stdout.trim()
    expect(await (await fetch(address)).text()).toContain('X-WR-CALNAME:On call: primary\\, Ana Berg')
    expect((await applied.run(['get', 'calendars', '-o', 'json'])).stdout).not.toContain(
      address.slice(-20, -4),
    )
    expect((await applied.run(['calendar', 'revoke', id])).stderr).toContain('its address answers 404')
    expect((await fetch(address)).status).toBe(404)
    expect((await applied.run(['calendar', 'create', 'nowhere'])).code).toBe(3)
    expect((await applied.run(['calendar', 'show'])).code).toBe(2)
  })

  it('writes what was made through v2, with references to variables and without a value', async () => {
    const { code, stdout, stderr } = await run('export')
    expect(code).toBe(0)
    expect(stderr.trimEnd().split('\n')).toEqual([
      'pulseward: Credentials that nothing refers to are left out: unused.',
      'pulseward: A fleet file has no place for the name and labels of endpoint chat.',
    ])
    expect(stdout).not.toMatch(/secret|REDACTED|v2\//)
    const [head, tail] = loadAll(stdout) as [Record<string, unknown>, Record<string, unknown>]
    expect(head).toMatchObject({
      version: 1,
      endpoints: { chat: { type: 'slack', config: { hook: { credential: 'hook' } } } },
      groups: { ops: ['chat'] },
      routes: [...matches, {}].map((match, index) => ({ id: `route-${index + 1}`, ...routed, match })),
      monitors: [{ id: 'edge' }, { id: 'shop', name: 'Shop: "всё" 監視' }],
    })
    expect(tail).toEqual({ credentials: { hook: { env: 'HOOK' }, 'shop.token': { env: 'SHOP_TOKEN' } } })
  })

  it('with --all makes a file that validates and gives the same monitors', async () => {
    const { code, stdout, stderr } = await run('export --all')
    expect(code).toBe(0)
    expect(stderr).toContain('The credential hook of fleet files is called hook.file here')
    const file = folder.write('exported.yaml', stdout)
    const environment = variablesOf(stdout)
    expect(Object.keys(environment).sort()).toEqual(['HOOK', 'HOOK_FILE', 'ONLY_FILE', 'SHOP_TOKEN'])
    expect(await runInProcess(['validate', file], { environment })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^3 monitors in 1 file: everything is right/),
    })
    await using candidate = await serveInProcess(['--config', file], { environment })
    expect(await monitorsOf(candidate.url)).toEqual(await monitorsOf(served.url))
  })

  it('of what was adopted gives the routes of the files back, with the ids that they got', async () => {
    const exported = (await run('export --all')).stdout
    using home = temporaryFolder({ 'exported.yaml': exported })
    const environment = variablesOf(exported)
    const words = ['--edition', 'next', '--data', home.path('data'), '--config', home.path('exported.yaml')]
    await using adopted = await RunningCommand.serve([...words, '--adopt'], { environment })
    const { stdout } = await runInProcess(['export', '--server', adopted.url, '--data', home.path('data')])
    const [again] = loadAll(stdout) as { routes: object[] }[]
    const [before] = loadAll(exported) as { routes: object[] }[]
    const ofFile = { match: { tag: 'edge' }, colors: ['gray'], endpoints: ['pager'] }
    expect(before?.routes.at(-1)).toEqual(ofFile)
    // The ids from 1 to 11 are taken.
    expect(again?.routes).toEqual(before?.routes.with(-1, { id: 'route-12', ...ofFile }))
  })

  it('says which fleet files it needs beside it', async () => {
    await served.apply(
      monitor('leaning', { dependsOn: ['from-file'], notifications: { red: { endpointRefs: ['pager'] } } }),
    )
    const { code, stderr } = await run('export')
    expect(code).toBe(0)
    expect(stderr).toContain(
      'It refers to 2 things of fleet files (monitor from-file, endpoint pager): load it together with those files, or export with --all.',
    )
    await run('delete monitor leaning')
  })

  it('needs an operator, and writes nothing for a reader', async () => {
    const data = served.folder.path('data')
    const { stdout: token } = await runInProcess([
      'token',
      'create',
      'ann',
      '--role',
      'reader',
      '--data',
      data,
    ])
    await expect.poll(async () => (await run('get groups --token-file -', { stdin: token })).code).toBe(0)
    expect(await run('export --token-file -', { stdin: token })).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^pulseward: http:\S+ does not allow this: /),
    })
  })

  it('that breaks off says that the file is not whole', async () => {
    await using peer = await ReferencePeer.start()
    peer.misbehave((response, { status, headers, body }) => {
      if (peer.lastRequest.path.endsWith('/monitors')) response.socket?.destroy()
      else response.writeHead(status, headers).end(body)
    })
    const { code, stdout, stderr } = await runInProcess(['export', '--server', peer.url])
    expect([code, stdout]).toEqual([3, expect.stringContaining('version: 1')])
    expect(stderr).toMatch(
      /^pulseward: What was written is not the whole fleet; do not use it\.\npulseward: http:/,
    )
  })

  it('of a service that has nothing is an empty fleet', async () => {
    await using empty = await ServedNext.start()
    const { code, stdout, stderr } = await empty.run(['export'])
    expect([code, stderr]).toEqual([0, ''])
    const file = folder.write('empty.yaml', stdout)
    expect((await runInProcess(['validate', '--allow-empty', file])).code).toBe(0)
  })
})
