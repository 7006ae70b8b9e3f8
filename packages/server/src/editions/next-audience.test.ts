// Who is told about a monitor, and which monitors tell nobody, as the edition next says it: v1, v2 and metrics agree.
import { type V1OperationName, v1Operations, v2 } from '@pulseward/contract'
import { expectV1Answer } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const head = {
  ...endpoints('chat', 'mail', 'pager'),
  groups: { ops: ['chat', 'mail'] },
  defaults: { notify: { red: { endpoints: ['mail'] } } },
  routes: [{ match: { team: 'payments' }, colors: ['red' as const], groups: ['ops'], endpoints: ['pager'] }],
}
const monitors = [
  { ...http('own'), notify: { red: { groups: ['ops'] }, green: { endpoints: ['chat'] } } },
  { ...http('routed'), notify: {}, labels: { team: 'payments' } },
  http('by-default'),
  { ...http('silent'), notify: {} },
  { ...http('disabled'), notify: {}, enabled: false },
]

let next: ServedNext
beforeAll(async () => {
  next = await serveNext(await TestService.start({ monitors, head }))
})
afterAll(() => next[Symbol.asyncDispose]())

const ask = <Name extends V1OperationName>(name: Name, query = '', id = 0) =>
  next
    .get(`${v1Operations[name].path.replace('{id}', String(id))}${query}`)
    .then((answer) => expectV1Answer(name, 'next', answer))

async function numberOf(name: string): Promise<number> {
  const { monitors: rows } = await ask('ListMonitors', `?q=${name}`)
  return rows[0]!.id
}

async function detailOf(name: string) {
  const detail = await ask('GetMonitor', '', await numberOf(name))
  if (!('audience' in detail)) throw new Error('the detail has no audience')
  return detail.audience
}

async function statusOf(id: string) {
  const response = await next.call('GetMonitor', { id })
  const { status } = (await response.json()) as v2.Monitor
  return status!.audience
}

async function silentNames(): Promise<string[]> {
  const { monitors: rows, total, filters } = await ask('ListMonitors', '?tells_nobody=true')
  expect(filters).toEqual({ tells_nobody: 'true' })
  expect(await ask('GetOverview')).toMatchObject({ tells_nobody: total })
  expect((await ask('GetMap', '?tells_nobody=true')).ids).toHaveLength(total)
  expect(await (await next.get('/metrics')).text()).toContain(
    `\npulseward_monitors_without_audience ${total}\n`,
  )
  return rows.map(({ name }) => name)
}

describe('who is told', () => {
  it('is shown in the detail of v1, for every color, with each rule', async () => {
    const own = { kind: 'own', name: null, group: 'ops' }
    const none = { yellow: [], cyan: [], gray: [] }
    expect(await detailOf('own')).toEqual({
      ...none,
      red: [
        { destination: 'chat', named_by: [own] },
        { destination: 'mail', named_by: [own] },
      ],
      green: [{ destination: 'chat', named_by: [{ ...own, group: null }] }],
    })
    expect(await detailOf('by-default')).toEqual({
      ...none,
      red: [{ destination: 'mail', named_by: [{ kind: 'default', name: null, group: null }] }],
      green: [],
    })
    expect(await detailOf('silent')).toEqual({ ...none, red: [], green: [] })
  })

  it('is shown in the status of v2, without colors that nobody is told of', async () => {
    const route = { kind: 'route', name: 'routes.0' }
    expect(await statusOf('routed')).toEqual({
      red: [
        { destination: 'chat', namedBy: [{ ...route, group: 'ops' }] },
        { destination: 'mail', namedBy: [{ ...route, group: 'ops' }] },
        { destination: 'pager', namedBy: [route] },
      ],
    })
    expect(await statusOf('silent')).toEqual({})
  })
})

describe('monitors that tell nobody', () => {
  it('are counted and listed alike by the overview, the list, the map and the metrics', async () => {
    expect(await silentNames()).toEqual(['silent'])
  })

  it('are no longer among them once a write gives them a destination, and new ones are', async () => {
    const driver = { type: 'http', config: { url: 'http://shop.test/' } }
    const body = (notifications: object) => ({
      apiVersion: v2.apiVersion,
      kind: 'Monitor',
      metadata: { id: 'made-here' },
      spec: { check: { driver, interval: '10s', timeout: '5s' }, notifications },
    })
    const created = await next.call('CreateMonitor', {
      body: body({ red: { dispatch: false, endpointRefs: ['chat'] } }),
      headers: { 'if-none-match': '*' },
    })
    expect([created.status, ((await created.json()) as v2.Monitor).status!.audience]).toEqual([201, {}])
    // The defaults of the files are for monitors of the files.
    expect(await silentNames()).toEqual(['made-here', 'silent'])
    const replaced = await next.call('ReplaceMonitor', {
      id: 'made-here',
      body: body({ red: { groupRefs: ['ops'] } }),
      headers: { 'if-match': created.headers.get('etag')! },
    })
    expect(replaced.status).toBe(200)
    expect(await silentNames()).toEqual(['silent'])
  })

  it('are asked for by the one word that the parameter has', async () => {
    const refused = await next.get('/api/v1/monitors?tells_nobody=yes')
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      400,
      'The parameter tells_nobody must be one of true.',
    ])
  })
})

describe('a preflight', () => {
  const driver = { type: 'http', config: { url: 'http://shop.test/' } }
  const resource = (id: string, spec: object, metadata: object = {}) => ({
    apiVersion: v2.apiVersion,
    kind: 'Monitor',
    metadata: { id, ...metadata },
    spec: { check: { driver, interval: '10s', timeout: '5s' }, ...spec },
  })
  const preflight = async (...resources: readonly object[]) => {
    const items = resources.map((one, place) => ({
      id: `${place}`,
      contentDigest: 'any',
      source: 'test',
      resource: one,
    }))
    const response = await next.call('PreflightCollection', { role: 'operator', body: { items } })
    return (await response.json()) as v2.Preflight
  }

  it('notes monitors that would tell nobody, and not those that a route tells of', async () => {
    const { valid, notes } = await preflight(
      resource('told', { notifications: { red: { endpointRefs: ['chat'] } } }),
      resource('by-route', {}, { labels: { team: 'payments' } }),
      resource('off', { enabled: false }),
      resource('green-only', { notifications: { green: { endpointRefs: ['chat'] } } }),
    )
    expect(valid).toBe(true)
    expect(notes).toEqual([
      {
        field: '/items/3/resource/spec/notifications/red',
        message:
          'Nobody is told when this monitor fails: red names no endpoint and no group, and no route matches.',
      },
    ])
  })

  it('notes what one location that is away decides', async () => {
    const told = { notifications: { red: { endpointRefs: ['chat'] } } }
    const at = (id: string, locations: readonly string[]) => {
      const { spec, ...rest } = resource(id, told)
      return { ...rest, spec: { ...spec, check: { ...spec.check, locations } } }
    }
    const { notes } = await preflight(
      at('two', ['fra', 'iad']),
      at('three', ['fra', 'iad', 'sin']),
      at('one', ['fra']),
    )
    expect(notes).toEqual([
      {
        field: '/items/0/resource/spec/check/locations',
        message:
          'While one of its 2 locations is away, this monitor cannot turn red, because it has to fail at all of them.',
      },
      {
        field: '/items/2/resource/spec/check/locations',
        message: 'While its location is away, this monitor is unknown, and never red.',
      },
    ])
  })

  it('has no notes about what is not valid anyway', async () => {
    const answer = await preflight(resource('wrong', { dependsOn: ['nobody'] }))
    expect([answer.valid, answer.notes]).toEqual([false, undefined])
  })
})
