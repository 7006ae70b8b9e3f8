// The commands of v2 against the peer that keeps to the contract and against the service itself: whatever a person sees
// of the one holds for the other.
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { v2 } from '@pulseward/contract'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess, type TestedEnd, type TestedTerminal } from '../client/command.fixture.ts'
import { ServedNext, samples } from '../client/served.fixture.ts'

interface Server extends AsyncDisposable {
  run(words: readonly string[], on?: TestedTerminal): Promise<TestedEnd>
  /** The id of an open incident. */
  incident(): Promise<string>
}

async function referencePeer(): Promise<Server> {
  const peer = await ReferencePeer.start()
  return {
    run: (words, on) => runInProcess([...words, '--server', peer.url], on),
    incident: async () => 'inc-1',
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  }
}

async function servedEdition(): Promise<Server> {
  const served = await ServedNext.start()
  const { credential, endpoint, group, monitor, route } = samples
  await served.apply(
    monitor('checkout-api', { notifications: { red: { groupRefs: ['ops'] } } }, { name: 'Checkout API' }),
    group('ops', 'ops-slack'),
    route('everything', 'ops'),
    endpoint('ops-slack', 'ops-hook'),
    credential('ops-hook'),
    endpoint('spare', 'ops-hook'),
    monitor('always-down', {
      check: { ...failing, interval: '1s', timeout: '500ms', unhealthyThreshold: 1 },
    }),
  )
  return {
    run: (words, on) => served.run(words, on),
    incident: () => openIncident(served),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
}

const failing = { driver: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } } }

async function openIncident(served: ServedNext): Promise<string> {
  for (;;) {
    const { stdout } = await served.run(['get', 'incidents', '-o', 'json'])
    const { incidents } = JSON.parse(stdout) as { incidents: readonly { incident_id: string }[] }
    if (incidents[0] !== undefined) return incidents[0].incident_id
    await setTimeout(100)
  }
}

const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true })

function expectFits(operation: v2.OperationName, value: unknown): void {
  const isValid = ajv.compile(v2.successOf(v2.operations[operation]).answer.schema!)
  expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true)
}

describe.each([
  ['the reference peer', referencePeer],
  ['the served edition', servedEdition],
])('against %s', (_, start) => {
  let server: Server
  let folder: TemporaryFolder
  beforeAll(async () => {
    folder = temporaryFolder()
    server = await start()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const run = (line: string, on?: TestedTerminal) => server.run(line.split(' '), on)

  it.each([
    ['get endpoints', 'ListNotificationEndpoints'],
    ['get groups', 'ListNotificationGroups'],
    ['get routes', 'ListRoutes'],
    ['get credentials', 'ListCredentials'],
    ['describe monitor checkout-api', 'GetMonitor'],
    ['describe endpoint ops-slack', 'GetNotificationEndpoint'],
    ['describe group ops', 'GetNotificationGroup'],
    ['describe route everything', 'GetRoute'],
    ['describe credential ops-hook', 'GetCredential'],
  ] as const)('%s prints JSON and YAML that fit the schema, and a table', async (line, operation) => {
    const [json, yaml, table] = [
      await run(`${line} -o json`),
      await run(`${line} -o yaml`),
      await run(`${line} -o wide`),
    ]
    expect([json.code, yaml.code, table.code]).toEqual([0, 0, 0])
    expectFits(operation, JSON.parse(json.stdout))
    expectFits(operation, load(yaml.stdout))
    expect(table.stdout).toContain('ops')
    for (const { stdout, stderr } of [json, yaml, table])
      expect(stdout + stderr).not.toContain('the-value-of')
  })

  it('get takes a selector, and refuses one that is none', async () => {
    expect(await run('get groups -l team=payments')).toMatchObject({ code: 0 })
    expect((await run('get groups -l =x')).code).toBe(2)
  })

  it.each([
    ['disable checkout-api', 'Monitor checkout-api is disabled.'],
    ['enable checkout-api', 'Monitor checkout-api is enabled.'],
    ['snooze checkout-api --for 1h --reason planned', 'Monitor checkout-api is snoozed for 1h.'],
    ['unsnooze checkout-api', 'Monitor checkout-api is no longer snoozed.'],
    [
      'patch monitor checkout-api --type merge -p {"spec":{"tags":["shop"]}}',
      'Monitor checkout-api is changed.',
    ],
    [
      'patch monitor/checkout-api -p {"metadata":{"labels":{"team":"shop"}}}',
      'Monitor checkout-api is changed.',
    ],
    ['patch group ops -p {spec:{endpointRefs:[ops-slack,spare]}}', 'Group ops is changed.'],
    ['patch endpoint spare -p {"metadata":{"labels":{"team":"shop"}}}', 'Endpoint spare is changed.'],
    ['patch credential ops-hook -p {"spec":{"description":"hook"}}', 'Credential ops-hook is changed.'],
    ['patch group ops -p {spec:{endpointRefs:[ops-slack]}}', 'Group ops is changed.'],
    ['delete endpoint spare', 'Endpoint spare is deleted.'],
    ['delete monitor/checkout-api --wait', 'Monitor checkout-api is deleted.'],
  ])('%s is done', async (line, said) => {
    expect(await run(line)).toEqual({ code: 0, stdout: `${said}\n`, stderr: '' })
  })

  it('incidents are acknowledged, dismissed and reopened', async () => {
    const id = await server.incident()
    const said = [
      await run(`ack ${id} --note mine`),
      await run(`dismiss ${id} --reason known`),
      await run(`reopen ${id}`),
    ]
    expect(said.map(({ stdout, stderr }) => stdout + stderr)).toEqual([
      `Incident ${id} is acknowledged.\n`,
      `Incident ${id} is dismissed; no more notifications are sent for it.\n`,
      `Incident ${id} is no longer dismissed.\n`,
    ])
  })

  const endpoint = (id: string) => JSON.stringify(samples.endpoint(id, 'ops-hook'))
  const written = (id: string, path = id) =>
    folder.write(`${path}/resources.ndjson`, `${endpoint(`${id}-1`)}\n${endpoint(`${id}-2`)}\n`)

  it.each([
    ['a file', (id: string) => ['-f', written(id)], {}],
    ['a folder', (id: string) => ['-f', dirname(written(id))], {}],
    [
      'the folders of a folder',
      (id: string) => ['-R', '-f', dirname(dirname(written(id, `deep/${id}`)))],
      {},
    ],
    ['lines from stdin', () => ['-f', '-'], { stdin: `${endpoint('lines-1')}\n${endpoint('lines-2')}\n` }],
    ['YAML from stdin', () => ['-f', '-'], { stdin: `${endpoint('yaml-1')}\n---\n${endpoint('yaml-2')}\n` }],
  ] as const)('apply takes %s', async (name, words, on) => {
    const id = name.replaceAll(/\W/g, '')
    const { code, stdout, stderr } = await server.run(['apply', '--wait', ...words(id)], on)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/Operation \S+ is completed; /)
  })

  it('apply --dry-run=server and diff change nothing', async () => {
    const stdin = `${endpoint('dry-1')}\n${endpoint('dry-2')}\n`
    const tried = await run('apply -f - --dry-run=server', { stdin })
    expect([tried.code, tried.stdout]).toEqual([0, expect.stringMatching(/nothing was changed\.\n$/)])
    expect(await run('diff -f -', { stdin })).toMatchObject({ code: 1, stderr: '' })
  })

  it('wait ends when it is so', async () => {
    const id = await server.incident()
    expect(await run(`wait incident ${id} --for open`)).toEqual({
      code: 0,
      stdout: `Incident ${id} is open.\n`,
      stderr: '',
    })
    const { stdout } = await run('apply -f - -o json', { stdin: endpoint('waited') })
    const operation = await run(`wait operation ${(JSON.parse(stdout) as { id: string }).id}`)
    expect([operation.code, operation.stdout]).toEqual([0, expect.stringMatching(/State +completed/)])
  })

  it.each([
    ['get monitors', /./],
    ['get incidents', /./],
    ['get actions', /./],
    ['get history', /./],
  ])('%s answers', async (line, expected) => {
    expect(await run(line)).toMatchObject({ code: 0, stdout: expect.stringMatching(expected) })
  })

  it('patch takes its patch from stdin', async () => {
    const end = await run('patch credential ops-hook --patch-file -', {
      stdin: 'spec:\n  value: a-new-value\n',
    })
    expect(end).toEqual({ code: 0, stdout: 'Credential ops-hook is changed.\n', stderr: '' })
  })

  it('another kind of patch than a merge patch is refused', async () => {
    expect(await run('patch group ops --type json -p {}')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'pulseward: --type: "json" is not allowed here; use merge.\n',
    })
  })
})
