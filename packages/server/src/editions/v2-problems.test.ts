// Every problem of every operation of v2, over HTTP against the served edition. The table says how a right call is spoilt
// for a code; the operations and their codes come from the contract. A code that the contract gives to an operation that
// is served, and that nothing here produces, fails.
import { request } from 'node:http'
import { v2 } from '@pulseward/contract'
import { expectV2Problem } from '@pulseward/testing/api'
import {
  documentOf,
  type Kind,
  kindOf,
  kinds,
  type ServedNext,
  serveNext,
  type V2Call,
  V2Calls,
  withExternalJobs,
} from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { batch, operation as storedOperation } from '@pulseward/testing/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FleetHead } from '../config/fleet-file/schema.ts'
import { badgeKeyDigest } from '../config/fleet-file/status-page-definition.ts'
import { accepted, unknown } from '../platform/action-outcome.ts'
import type { StoredExecution } from '../store/execution.ts'
import { StoreError } from '../store/store.ts'

type Spoil = (name: v2.OperationName, right: V2Call) => V2Call | Promise<V2Call | Response>

const badgeKey = 'b'.repeat(30)
const fileBadge = `badge-${badgeKeyDigest(badgeKey).slice(0, 12)}`

const inFiles: Partial<Record<Kind, string>> = {
  Monitor: 'of-file',
  NotificationEndpoint: 'ops',
  NotificationGroup: 'all',
  Route: 'routes.0',
  Person: 'ana',
  Schedule: 'primary',
  Policy: 'page',
  StatusPage: 'in-file',
  Badge: fileBadge,
}

function newService(): Promise<TestService> {
  const routes: FleetHead['routes'] = [{ match: { team: 'nobody' }, colors: ['red'], groups: ['all'] }]
  const onCall = {
    people: { ana: { endpoints: ['ops'] } },
    schedules: { primary: { layers: [{ people: ['ana'], start: '2026-01-05T09:00' }] } },
    policies: { page: { steps: [{ notify: [{ schedule: 'primary' }] }] } },
    status_pages: {
      'in-file': {
        title: 'Shop',
        groups: [{ name: 'Shop', components: [{ id: 'a', name: 'A', monitors: ['of-file'] }] }],
      },
    },
    badges: { [badgeKey]: { monitor: 'of-file', shows: 'status' as const } },
  }
  const head = { ...endpoints('ops', 'pager'), groups: { all: ['ops'] }, routes, ...onCall }
  const notify = { red: { endpoints: ['ops', 'pager'] } }
  const recovery = { type: 'webhook', config: { url: 'http://runbooks.test/restart' } }
  return TestService.start({
    monitors: [
      { ...http('of-file'), notify },
      { ...http('another'), notify },
      { ...http('well-again'), notify },
      { ...http('doubtful'), recovery, notify },
    ],
    head,
  })
}

/** With incidents, of which one is closed, and with actions of every outcome: what controls are asked of. */
async function troubledService(): Promise<TestService> {
  const service = await newService()
  service.providers.recoveryOutcomeOf = () => unknown('no answer')
  service.providers.outcomeOf = ({ endpoint }) => (endpoint === 'pager' ? unknown('no answer') : accepted())
  for (const id of ['of-file', 'another', 'well-again', 'doubtful']) service.target(id).goesDown('HTTP 503')
  await service.advance({ seconds: 60 })
  service.target('well-again').comesBack()
  await service.advance({ seconds: 30 })
  return service
}

let service: TestService
let calls: V2Calls
beforeAll(async () => {
  service = await troubledService()
  calls = await V2Calls.begin(await serveNext(service, withExternalJobs))
})
afterAll(() => calls.next[Symbol.asyncDispose]())

const operationOf = (name: v2.OperationName): v2.V2Operation => v2.operations[name]
const isControl = (name: v2.OperationName) =>
  /\/(?:monitors|incidents|actions)\/\{id\}\/(?!notes)\w+$/.test(operationOf(name).path)
const isWorkerCall = (name: v2.OperationName) => name.startsWith('Worker')
const withHeaders = (call: V2Call, headers: Record<string, string>): V2Call => ({
  ...call,
  headers: { ...call.headers, ...headers },
})
const without = (call: V2Call, ...names: string[]): V2Call => ({
  ...call,
  headers: Object.fromEntries(Object.entries(call.headers ?? {}).filter(([name]) => !names.includes(name))),
})

/** With another id, in the body too. */
function about(name: v2.OperationName, right: V2Call, id: string): V2Call {
  const kind = kindOf(name)
  const body = name.startsWith('Replace') && kind !== null ? { body: documentOf(kind, id) } : {}
  return { ...right, id, ...body }
}

const isOfItems = (name: v2.OperationName) => name === 'PreflightCollection' || name === 'UploadOperation'

/** With other items. */
function withItem(right: V2Call, change: (item: v2.ApplyItem) => v2.ApplyItem): V2Call {
  const { items } = right.body as { items: v2.ApplyItem[] }
  return { ...right, body: { items: items.map(change) } }
}

/** One that claims to come from a fleet file. */
function ofFile(resource: v2.Resource): v2.Resource {
  return { ...resource, metadata: { ...resource.metadata, managedBy: 'file' } } as v2.Resource
}

/** A control, decided on this revision. */
function deciding(right: V2Call, revision: string): V2Call {
  const body = { ...(right.body as object), revision }
  return withHeaders({ ...right, body }, { 'if-match': `"${revision}"` })
}

/** The control, of a monitor that is neither unhealthy nor snoozed. */
async function ofNewMonitor(right: V2Call): Promise<V2Call> {
  const id = calls.newId()
  await calls.create('Monitor', id)
  const { status } = await read<v2.Monitor>('GetMonitor', { id })
  return deciding({ ...right, id }, status?.controlRevision ?? '')
}

async function read<Body>(name: v2.OperationName, call?: V2Call): Promise<Body> {
  return (await (await calls.next.call(name, call)).json()) as Body
}

/** Of three items: a single write has one outcome, and its operation gives no cursor. */
async function endedOperation(): Promise<string> {
  const id = await calls.openOperation(calls.newId(), calls.newId(), calls.newId())
  for (const step of ['ValidateOperation', 'ActivateOperation'] as const)
    expect((await calls.next.call(step, { id })).status).toBe(200)
  for (;;) {
    const { state } = await read<v2.Operation>('GetOperation', { id })
    if (state === 'completed') return id
  }
}

/** Makes something that refers to a new resource of the kind, whose id and version come back. */
async function referenced(kind: Kind): Promise<V2Call> {
  const [id, other] = [calls.newId(), calls.newId()]
  const { check } = documentOf('Monitor', '').spec as v2.Monitor['spec']
  const referrers: Partial<Record<Kind, () => Promise<unknown>>> = {
    Monitor: () => calls.create('Monitor', other, { check, dependsOn: [id] }),
    NotificationEndpoint: () => calls.create('NotificationGroup', other, { endpointRefs: [id] }),
    NotificationGroup: () =>
      calls.create('Monitor', other, { check, notifications: { red: { groupRefs: [id] } } }),
    Credential: () =>
      calls.create('NotificationEndpoint', other, {
        type: 'slack',
        config: {},
        credentialRefs: { hook: id },
      }),
    Person: () =>
      calls.create('Schedule', other, { layers: [{ personRefs: [id], start: '2026-01-05T09:00' }] }),
    Schedule: () => calls.create('Policy', other, { steps: [{ notify: [{ scheduleRef: id }] }] }),
    Policy: () => calls.create('Route', other, { match: {}, policyRef: id }),
    StatusPage: () =>
      calls.create('Badge', other, {
        componentRef: `${id}/checkout`,
        shows: 'status',
        keyDigest: '2'.repeat(64),
      }),
    JobType: () =>
      calls.create('Monitor', other, {
        check: { ...check, driver: { type: id, config: { queue: 'mail' } } },
      }),
  }
  const version = await calls.create(kind, id)
  await referrers[kind]?.()
  return { id, headers: { 'if-match': version } }
}

/** A job that its worker reported of after the deadline. */
function reportedLate(id: string, status: string): StoredExecution {
  const at = service.clock.wallMs()
  return {
    id,
    kind: 'notification',
    jobType: 'any',
    version: '1',
    monitorId: 'broken',
    revision: 1,
    principal: 'the-worker',
    workerId: 'berlin-1',
    grantId: 'grant',
    grantedAt: at,
    deadline: at,
    end: { at, disposition: 'unknown', report: null },
    late: [{ id: 'result', at, digest: 'd', status, bytes: 2 }],
  }
}

let cookie: string | null = null
/** Of a page that has signed in. */
async function sessionCookie(): Promise<string> {
  const { url, tokens } = calls.next
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ token: tokens.operator })
  cookie ??= (await fetch(`${url}/session`, { method: 'POST', headers, body })).headers.get('set-cookie')
  return cookie?.split(';', 1)[0] ?? ''
}

/** How a right call becomes one that is answered with the code. */
const spoils: Partial<Record<v2.ProblemCode, Spoil>> = {
  unauthorized(_, right) {
    // From the tenth in a minute on, wrong tokens are answered late.
    service.clock.advance(10_000)
    return withHeaders(right, { authorization: 'Bearer nobody' })
  },
  forbidden: (name, right) => ({ ...right, role: isWorkerCall(name) ? 'operator' : 'worker' }),
  insecureTransport: (_, right) => withHeaders(right, { 'x-forwarded-proto': 'https' }),
  csrfMismatch: async (_, right) => withHeaders(right, { authorization: '', cookie: await sessionCookie() }),
  originNotAllowed: (_, right) => withHeaders(right, { origin: 'https://evil.example' }),
  invalidParameter: (_, right) => ({ ...right, query: '?limt=1' }),
  invalidPrecondition: (_, right) => withHeaders(right, { 'if-match': '*' }),
  preconditionRequired: (_, right) => without(right, 'if-match', 'if-none-match'),
  invalidBody: (name, right) =>
    operationOf(name).body === undefined
      ? { ...withHeaders(right, { 'content-type': 'application/json' }), body: '{}' }
      : { ...right, body: '{"metadata":{},"metadata":{}}' },
  bodyTooLarge: (name, right) => {
    const bytes = name === 'UploadOperation' ? v2.limits.uploadBytes : v2.limits.bodyBytes
    return { ...right, body: `"${' '.repeat(bytes)}"` }
  },
  unsupportedMediaType: (_, right) => withHeaders(right, { 'content-type': 'text/plain' }),
  invalidResource: (name, right) => {
    if (name.startsWith('Patch')) return { ...right, body: { metadata: { name: '' } } }
    if (isControl(name))
      return { ...right, body: { ...(right.body as object), revision: 'of something else' } }
    if (isWorkerCall(name)) {
      const wrong = name === 'WorkerPoll' ? { limit: 0 } : { executionID: '' }
      return { ...right, body: { ...(right.body as object), ...wrong } }
    }
    if (name === 'CreatePushKey') return { body: { credential: '' } }
    if (name === 'AddIncidentNote') return { ...right, body: { text: ' ' } }
    if (name === 'TryCheck') return { body: { driver: { type: 'tcp', config: {} } } }
    if (name === 'TryNotification') return { body: { type: 'webhook', config: {} } }
    if (name === 'CreateOperation') return { body: { control: { verb: 'enable', selector: '=' } } }
    if (isOfItems(name)) return withItem(right, (item) => ({ ...item, resource: ofFile(item.resource) }))
    const { metadata, ...rest } = right.body as { metadata: object }
    return { ...right, body: { ...rest, metadata: { ...metadata, name: '' } } }
  },
  versionConflict: async (name, right) => {
    if (isControl(name)) return deciding(right, '1.999999')
    if (!name.startsWith('Create')) return withHeaders(right, { 'if-match': '"1.999999"' })
    await calls.next.call(name, right)
    return right
  },
  notFound: (name, right) =>
    isWorkerCall(name)
      ? { ...right, body: { ...(right.body as object), executionID: 'nobody-here' } }
      : about(name, right, 'nobody-here'),
  evidenceConflict: async (name, right) => {
    if (name === 'ReviewAction') {
      await service.store.commit(batch({ executions: [reportedLate(right.id ?? '', 'delivered')] }))
      return { ...right, body: { ...(right.body as object), resolution: 'rejected' } }
    }
    await calls.next.call(name, right)
    return { ...right, body: { ...(right.body as object), diagnostic: 'something else' } }
  },
  managedByFile: (name, right) => about(name, right, inFiles[kindOf(name) ?? 'Monitor'] ?? ''),
  incidentNotActive: async (_, right) => {
    const { items } = await read<v2.IncidentList>('ListIncidents')
    const closed = items.find(({ state }) => state === 'closed')
    return deciding({ ...right, id: closed?.id ?? '' }, closed?.revision ?? '')
  },
  monitorNotSnoozed: (_, right) => ofNewMonitor(right),
  recoveryIneligible: (_, right) => ofNewMonitor(right),
  actionNotUnknown: async (_, right) => {
    const { items } = await read<v2.ActionList>('ListActions')
    const known = items.find(({ state }) => state === 'succeeded')
    return deciding({ ...right, id: known?.id ?? '' }, known?.reviewRevision ?? '')
  },
  operationConflict: async (name, right) => {
    const contentDigest = `sha256:${'0'.repeat(64)}`
    if (isOfItems(name)) return withItem(right, (item) => ({ ...item, contentDigest }))
    if (name === 'ValidateOperation') return { id: await calls.openOperation() }
    if (name === 'ActivateOperation') return { id: await calls.openOperation(calls.newId()) }
    return { id: await endedOperation() }
  },
  jobTypeImmutable: (_, right) => {
    const { spec, ...rest } = right.body as { spec: object }
    return { ...right, body: { ...rest, spec: { ...spec, handler: 'another' } } }
  },
  resourceReferenced: (name) => referenced(kindOf(name) ?? 'Monitor'),
  invalidCursor: (_, right) => ({ ...right, query: '?cursor=bm90aGluZw' }),
  unsupportedFilter: (name, right) => ({
    ...right,
    query: operationOf(name).filters?.includes('selector') ? '?monitorID=a' : '?selector=a',
  }),
  methodNotAllowed: async (name, right) => {
    const { path } = operationOf(name)
    const headers = { authorization: `Bearer ${calls.next.tokens.operator}` }
    return calls.next.get(path.replace('{id}', right.id ?? ''), { method: 'OPTIONS', headers })
  },
  misdirectedRequest: (name, right) => raw(name, right, { host: 'evil.example' }),
  headersTooLarge: (name, right) => raw(name, right, { 'x-long': 'x'.repeat(20_000) }),
}

/** With headers that fetch would not send. */
function raw(
  name: v2.OperationName,
  { id = '' }: V2Call,
  headers: Record<string, string>,
): Promise<Response> {
  const { method, path } = operationOf(name)
  return new Promise((resolve, reject) => {
    const { port } = calls.next
    const sent = request({ host: '127.0.0.1', port, method, path: path.replace('{id}', id), headers })
    sent.on('error', reject).on('response', async (message) => {
      const bytes = Buffer.concat(await message.toArray())
      const received = Object.entries(message.headers).map(([key, value]) => [key, String(value)] as const)
      resolve(
        new Response(bytes, { status: message.statusCode ?? 0, headers: received.map((one) => [...one]) }),
      )
    })
    sent.end()
  })
}

/** Codes that need more than a spoilt call; each has its own test below. */
const byThemselves: readonly v2.ProblemCode[] = [
  'rateLimited',
  'tooBusy',
  'unavailable',
  'internalError',
  'cursorExpired',
  'operationExpired',
  'executorUnfenced',
]
/** What has a test beside its source: it needs half a minute, or a process that stands by. */
const elsewhere: readonly v2.ProblemCode[] = ['featureUnavailable', 'requestTimeout', 'standby']

describe('the catalogue of problems', () => {
  it('has no code that nothing here produces', () => {
    const known = [...Object.keys(spoils), ...byThemselves, ...elsewhere]
    expect(known.sort()).toEqual(Object.keys(v2.problems).sort())
  })
})

// All kinds are written by the same code: `npm test` tries the operations of one.
const isOfAnotherKind = (name: v2.OperationName) => ![null, 'Monitor'].includes(kindOf(name))
describe.each(v2.operationNames.filter((name) => !isOfAnotherKind(name)))('%s', answersItsProblems)
describe.each(v2.operationNames.filter(isOfAnotherKind))('%s', { tags: 'long' }, answersItsProblems)

function answersItsProblems(name: v2.OperationName): void {
  const { problems } = operationOf(name)
  const codes = [...v2.commonProblems, ...problems].filter((code) => spoils[code] !== undefined)

  it.each(codes)('answers %s', async (code) => {
    const spoil = spoils[code]
    if (spoil === undefined) throw new Error(`nothing produces ${code}`)
    const spoilt = await spoil(name, await calls.rightCall(name))
    const response = spoilt instanceof Response ? spoilt : await calls.next.call(name, spoilt)
    const allow = response.headers.get('allow')
    const problem = await expectV2Problem(name, response, code)
    // A sentence, which may begin with the name of what is wrong.
    expect(problem.detail).toMatch(/^\S.* .*[.?]$/s)
    if (code === 'methodNotAllowed') expect(allow?.split(', ')).toEqual(methodsOf(name))
    for (const { field, reason, message } of problem.errors ?? []) {
      expect(field).toMatch(/^$|^\/|^[A-Za-z-]+$/)
      expect(Object.keys(v2.fieldReasons)).toContain(reason)
      expect(message).toMatch(/^[a-z].*[^.]$/s)
    }
  })

  it('has no problem that is not produced somewhere', () => {
    const produced = new Set<string>([...Object.keys(spoils), ...byThemselves, ...elsewhere])
    expect([...v2.commonProblems, ...problems].filter((code) => !produced.has(code))).toEqual([])
  })
}

function methodsOf(name: v2.OperationName): string[] {
  const { path } = operationOf(name)
  const methods = v2.operationNames.map(operationOf).filter((one) => one.path === path)
  const allowed: string[] = methods.map(({ method }) => method)
  return allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed
}

const lists = v2.operationNames.filter((name) => operationOf(name).problems.includes('cursorExpired'))
const writes = v2.operationNames.filter((name) => v2.isMutation(operationOf(name)) && !isWorkerCall(name))
const workerCalls = v2.operationNames.filter(isWorkerCall)

describe('time and load', () => {
  /** Lets one write and one call of a worker through per second; a test begins with all permits. */
  let limited: ServedNext
  let limitedWorld: TestService
  beforeAll(async () => {
    limitedWorld = await newService()
    const limits = { 'limits.writes_per_second': 1, 'limits.worker_calls_per_second': 1 }
    limited = await serveNext(limitedWorld, { settings: { ...withExternalJobs.settings, ...limits } })
  })
  beforeEach(() => limitedWorld.clock.advance(60_000))
  afterAll(() => limited[Symbol.asyncDispose]())

  const expires = 'makes a cursor of %s expire, and never one that is used in time'
  it.each(lists.slice(0, 1))(expires, makesItsCursorExpire)
  it.each(lists.slice(1))(expires, { tags: 'long' }, makesItsCursorExpire)

  async function makesItsCursorExpire(name: v2.OperationName): Promise<void> {
    for (const kind of kinds) for (let count = 0; count < 2; count++) await calls.create(kind, calls.newId())
    for (let count = 0; count < 3; count++) await calls.offer()
    if (name === 'ListOperations') for (let count = 0; count < 2; count++) await endedOperation()
    const id = name === 'GetOperation' ? { id: await endedOperation() } : {}
    const first = await calls.next.call(name, { ...id, query: '?limit=1' })
    const { nextCursor = '' } = (await first.json()) as { nextCursor?: string }
    const call = { ...id, query: `?limit=1&cursor=${encodeURIComponent(nextCursor)}` }
    const pages = [await calls.next.call(name, call), await calls.next.call(name, call)]
    const [one, again] = await Promise.all(pages.map((page) => page.json() as Promise<v2.MonitorList>))
    expect(one?.items).toHaveLength(1)
    expect(one?.snapshot).toBe(again?.snapshot)
    service.clock.advance((v2.limits.cursorLifetimeSeconds + 1) * 1_000)
    await expectV2Problem(name, await calls.next.call(name, call), 'cursorExpired')
  }

  it('says that an operation has expired, and not that it never was', async () => {
    const own = await newService()
    let id = ''
    {
      const before = await V2Calls.begin(await serveNext(own, withExternalJobs))
      await using _ = before.next
      id = (await before.rightCall('GetOperation')).id ?? ''
    }
    await own.store.commit(batch({ operations: [storedOperation(1_000_100)] }))
    while ((await own.store.retain(own.clock.wallMs(), 100)) > 0);
    await using next = await serveNext(own)
    await expectV2Problem('GetOperation', await next.call('GetOperation', { id }), 'operationExpired')
  })

  it.each(writes)('lets nobody write too much: %s', async (name) => {
    const headers = { 'if-match': '"1.1"', 'if-none-match': '*' }
    const [wanted = ''] = Object.keys(operationOf(name).headers?.properties ?? {})
    const given = headers[wanted.toLowerCase() as keyof typeof headers]
    const call = { id: 'any', headers: given === undefined ? {} : { [wanted]: given } }
    for (let count = 0; count < 2; count++) expect((await limited.call(name, call)).status).not.toBe(429)
    const response = await limited.call(name, call)
    await expectV2Problem(name, response, 'rateLimited')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await limited.call('ListMonitors')).status).toBe(200)
  })

  it.each(workerCalls)('lets no worker call too often: %s', async (name) => {
    const call = { role: 'worker', body: {} } as const
    for (let count = 0; count < 2; count++) expect((await limited.call(name, call)).status).not.toBe(429)
    const response = await limited.call(name, call)
    await expectV2Problem(name, response, 'rateLimited')
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await limited.call('ListWorkers')).status).toBe(200)
  })

  it('counts every further KiB that a worker sends as one more call, and goes on when it is earned back', async () => {
    const own = await newService()
    await using next = await serveNext(own, {
      settings: { ...withExternalJobs.settings, 'limits.worker_calls_per_second': 10 },
    })
    const call = (bytes: number) =>
      next.call('WorkerHeartbeat', { role: 'worker', body: `{${' '.repeat(bytes)}` })
    expect((await call(50 * 1024)).status).toBe(400)
    const response = await call(1)
    await expectV2Problem('WorkerHeartbeat', response, 'rateLimited')
    own.clock.advance(1_000 * Number(response.headers.get('retry-after')))
    expect((await call(1)).status).toBe(400)
  })

  it('answers everything but the supervisor with tooBusy when no more requests may be in flight', async () => {
    await using next = await serveNext(await newService(), { api: { concurrentRequests: 0 } })
    for (const name of ['ListMonitors', 'GetState', 'GetVersion', 'ListIncidents'] as const) {
      const response = await next.call(name)
      await expectV2Problem(name, response, 'tooBusy')
      expect(response.headers.get('retry-after')).toBe('1')
    }
    for (const name of ['GetLive', 'GetReady'] as const) expect((await next.call(name)).status).toBe(200)
  })
})

describe('a store that fails', () => {
  /** What cannot be answered from memory. */
  const reading: readonly v2.OperationName[] = [
    'ListMonitors',
    'GetMonitor',
    'ListNotificationEndpoints',
    'ListNotificationGroups',
    'ListRoutes',
    'ListPeople',
    'ListSchedules',
    'ListPolicies',
    'ListCalendars',
    'ListStatusPages',
    'ListStatusIncidents',
    'ListBadges',
    'ListCredentials',
    'ListJobTypes',
    'ListIncidents',
    'GetIncident',
    'ListActions',
    'GetAction',
    'GetHistory',
    'GetOperation',
    'ListOperations',
    'ExplainMonitor',
    'ExplainIncident',
    'ExplainAction',
  ]

  async function failingWith(error: Error): Promise<V2Calls & AsyncDisposable> {
    const own = await troubledService()
    let isFailing = false
    const store = new Proxy(own.store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (isFailing && /^(?:read|list)/.test(String(key))) return () => Promise.reject(error)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const { clock, fleet, engine, external } = own
    const world = { clock, fleet, engine, external, store }
    const failing = await V2Calls.begin(await serveNext(world, withExternalJobs))
    const rights = new Map(
      await Promise.all(
        v2.operationNames.map(async (name) => [name, await failing.rightCall(name)] as const),
      ),
    )
    failing.rightCall = async (name) => rights.get(name) ?? {}
    isFailing = true
    return Object.assign(failing, { [Symbol.asyncDispose]: () => failing.next[Symbol.asyncDispose]() })
  }

  it('is 503 for what has to be read from it, and for nothing else', async () => {
    await using failing = await failingWith(new StoreError('io', '/var/lib/pulseward/x is gone'))
    const refused: v2.OperationName[] = []
    for (const name of v2.operationNames.filter((one) => !v2.isMutation(operationOf(one)))) {
      const response = await failing.next.call(name, await failing.rightCall(name))
      if (response.status === 200) continue
      refused.push(name)
      expect((await expectV2Problem(name, response, 'unavailable')).detail).not.toContain('/var/lib')
    }
    expect(refused.sort()).toEqual([...reading].sort())
  })

  it('of which nobody has thought is 500 and tells nothing', async () => {
    await using failing = await failingWith(new TypeError('the secret of /var/lib/pulseward'))
    for (const name of reading) {
      const response = await failing.next.call(name, await failing.rightCall(name))
      const { detail } = await expectV2Problem(name, response, 'internalError')
      expect(detail).toBe('Something went wrong; the log has more under this request id.')
    }
  })

  it('refuses every write with 503 and says when to come back, and nothing of it is there', async () => {
    const own = await troubledService()
    const failing = await V2Calls.begin(await serveNext(own, withExternalJobs))
    await using _ = failing.next
    const rights = new Map<v2.OperationName, V2Call>()
    // What is only staged, looked at or tried is not in the store.
    const inMemory: readonly v2.OperationName[] = ['CreateSignInLink', 'SwitchPracticeTarget']
    const isStored = (name: v2.OperationName) =>
      !isOfItems(name) && !name.startsWith('Try') && !inMemory.includes(name)
    const storing = [...writes.filter(isStored), 'WorkerStart', 'WorkerResult'] as const
    for (const name of storing) rights.set(name, await failing.rightCall(name))
    const before = await (await failing.next.call('ListMonitors')).json()
    own.engine.pause()
    for (const [name, right] of rights) {
      const response = await failing.next.call(name, right)
      expect(response.headers.get('retry-after')).toBe('1')
      await expectV2Problem(name, response, 'unavailable')
    }
    own.engine.resume()
    expect(await (await failing.next.call('ListMonitors')).json()).toEqual(before)
  })
})
