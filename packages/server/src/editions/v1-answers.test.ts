// Every route of both editions over a fleet with everything the matter that there is: what it answers keeps to the
// contract, field by field, and no field beyond.
import {
  type Edition,
  type Operation,
  statuses,
  systemNames,
  type V1OperationName,
  v1Operations,
} from '@pulseward/contract'
import { openApi } from '@pulseward/contract/openapi'
import { v1Api } from '@pulseward/contract/v1/api'
import { eventually } from '@pulseward/testing'
import { expectV1Answer, expectV1Problem } from '@pulseward/testing/api'
import { markup, type ServedEdition, serveEdition, troubledFleet } from '@pulseward/testing/editions'
import { TestService } from '@pulseward/testing/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const names = Object.keys(v1Operations) as V1OperationName[]
const operationOf = (name: V1OperationName): Operation => v1Operations[name]
const pathOf = (name: V1OperationName) => operationOf(name).path.replace('{id}', '2')
const servedIn = (edition: Edition) => names.filter((name) => operationOf(name).editions.includes(edition))

const editions = ['main', 'candidate'] as const
const cancelled = new AbortController()
const served = {} as Record<(typeof editions)[number], ServedEdition>

beforeAll(async () => {
  for (const edition of editions) served[edition] = await serveEdition(edition, await troubledFleet())
  await eventually(async () => expect((await served.main.get('readyz')).status).toBe(200))
})
afterAll(async () => {
  cancelled.abort()
  for (const edition of editions) await served[edition][Symbol.asyncDispose]()
})

const ask = (edition: (typeof editions)[number], name: V1OperationName, query = '') =>
  served[edition].get(`${pathOf(name)}${query}`, { signal: cancelled.signal })

for (const edition of editions) {
  describe(`edition ${edition}`, () => {
    it('shows every stage of the controller, and that the projection makes progress', async () => {
      await ask(edition, 'ListMonitors')
      const { systems } = await expectV1Answer('GetSystems', edition, await ask(edition, 'GetSystems'))
      expect(systems.map(({ name }) => name).sort()).toEqual([...systemNames].sort())
      const projection = systems.find(({ name }) => name === 'projection')!
      expect(projection.updates).toBeGreaterThan(0)
      expect(projection.entities).toBeGreaterThan(0)
      expect(projection.last_progress).not.toBeNull()
    })

    it('serves the operations that its OpenAPI document names, and no others', async () => {
      const document = (await expectV1Answer(
        'GetOpenAPI',
        edition,
        await ask(edition, 'GetOpenAPI'),
      )) as unknown as {
        paths: Record<string, Record<string, { operationId: string }>>
      }
      const documented = Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).map(({ operationId }) => operationId.replace(/^v1\./, '')),
      )
      const routes = served[edition].routes.map(({ operation }) => operation)
      expect([...routes].sort()).toEqual([...documented].sort())
      expect([...routes].sort()).toEqual([...servedIn(edition)].sort())
      expect(new Set(routes).size).toBe(routes.length)
      for (const path of Object.keys(document.paths))
        expect((await served[edition].get(path.replace('{id}', '2'), { method: 'HEAD' })).status).toBe(200)
    })

    it.each(servedIn(edition))('answers %s as the contract says', async (name) => {
      await expectV1Answer(name, edition, await ask(edition, name))
    })

    it.each(servedIn(edition).filter((name) => name !== 'StreamEvents'))(
      'answers HEAD for %s as GET without a body',
      async (name) => {
        // Compressed lengths differ with every figure, and so would plain ones; the rest must not.
        const shown = ({ status, headers }: Response) => ({ status, type: headers.get('content-type') })
        const head = await served[edition].get(pathOf(name), { method: 'HEAD' })
        expect(shown(head)).toEqual(shown(await ask(edition, name)))
        expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
        expect((await head.bytes()).length).toBe(0)
      },
    )

    it.each(servedIn(edition))('refuses to change anything by %s', async (name) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await served[edition].get(pathOf(name), { method })
        expect((await expectV1Problem(name, edition, answer)).code).toBe('method_not_allowed')
      }
    })

    it('serves nothing of v2, by any method', async () => {
      for (const path of ['/api/v2', '/api/v2/monitors', '/api/v2/healthz', '/api/v2/external-workers/poll'])
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
          expect((await served[edition].get(path, { method })).status).toBe(404)
    })

    it('shows every monitor as the contract says, alone and in lists', async () => {
      const list = await expectV1Answer('ListMonitors', edition, await ask(edition, 'ListMonitors'))
      expect(list.total).toBe(10)
      for (const row of list.monitors) {
        const detail = await expectV1Answer(
          'GetMonitor',
          edition,
          await served[edition].get(`monitors/${row.id}`),
        )
        expect(detail).toMatchObject({ id: row.id, name: row.name, status: row.status })
      }
      expect(list.monitors.every((row) => 'monitor_id' in row)).toBe(edition === 'candidate')
      const shown = new Set(list.monitors.map(({ status }) => status))
      expect([...shown].sort()).toEqual(['degraded', 'disabled', 'down', 'incident', 'up', 'verifying'])
      expect(list.monitors.find(({ name }) => name === markup)!.tags).toEqual([markup, 'web'])
    })

    it('lists every monitor once over its pages, in order of names', async () => {
      const all = await expectV1Answer('ListMonitors', edition, await ask(edition, 'ListMonitors'))
      const paged = []
      for (let page = 1; page <= 5; page++)
        paged.push(
          ...(
            await expectV1Answer(
              'ListMonitors',
              edition,
              await ask(edition, 'ListMonitors', `?size=3&page=${page}`),
            )
          ).monitors,
        )
      expect(paged.map(({ id }) => id)).toEqual(all.monitors.map(({ id }) => id))
      const inOrder = [...all.monitors].sort((a, b) =>
        a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id,
      )
      expect(all.monitors.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id))
    })

    it('lists what is wrong first, and any field from either end, where it is told to', async () => {
      const sorted = async (sort: string) =>
        (await expectV1Answer('ListMonitors', edition, await ask(edition, 'ListMonitors', `?sort=${sort}`)))
          .monitors
      const byStatus = (await sorted('status')).map(({ status }) => status)
      const troubleFirst = ['incident', 'down', 'verifying', 'degraded', 'unknown', 'up', 'disabled']
      const inOrder = byStatus.toSorted(
        (one, other) => troubleFirst.indexOf(one) - troubleFirst.indexOf(other),
      )
      expect([byStatus, byStatus[0]]).toEqual([inOrder, 'incident'])
      const names = (await sorted('name')).map(({ id }) => id)
      expect((await sorted('-name')).map(({ id }) => id)).toEqual(names.toReversed())
      const latencies = (await sorted('-latency_ms')).map(({ latency_ms }) => latency_ms ?? -1)
      expect(latencies).toEqual(latencies.toSorted((one, other) => other - one))
      for (const sort of ['', 'target', '+name', 'Name', '-']) {
        const refused = await ask(edition, 'ListMonitors', `?sort=${encodeURIComponent(sort)}`)
        const { errors } = await expectV1Problem('ListMonitors', edition, refused)
        expect(errors).toMatchObject([{ field: 'sort' }])
      }
    })

    it('finds monitors by a tag, and says so', async () => {
      const list = await expectV1Answer(
        'ListMonitors',
        edition,
        await ask(edition, 'ListMonitors', '?tag=WEB'),
      )
      expect([list.monitors.map(({ name }) => name), list.filters]).toEqual([[markup, 'up'], { tag: 'WEB' }])
      const { ids } = await expectV1Answer('GetMap', edition, await ask(edition, 'GetMap', '?tag=web'))
      expect(new Set(ids)).toEqual(new Set(list.monitors.map(({ id }) => id)))
      for (const query of ['?tag=nothing', '?label=nothing', '?told=nobody', '?group=nobody'])
        expect(
          (await expectV1Answer('ListMonitors', edition, await ask(edition, 'ListMonitors', query))).total,
        ).toBe(0)
    })

    it('counts disabled monitors, and leaves them out of percentages', async () => {
      const overview = await expectV1Answer('GetOverview', edition, await ask(edition, 'GetOverview'))
      expect(overview).toMatchObject({ total: 10, disabled: 1, index_capped: false })
      expect(Object.keys(overview.by_status).sort()).toEqual([...statuses].sort())
      const { up, degraded, unknown, disabled } = overview.by_status as Record<string, number>
      expect(overview.up_percent).toBeCloseTo((100 * (up! + degraded!)) / (10 - disabled! - unknown!))
    })

    it('shows open incidents with what was done, oldest first', async () => {
      const { incidents, total } = await expectV1Answer(
        'ListIncidents',
        edition,
        await ask(edition, 'ListIncidents'),
      )
      expect(total).toBe(incidents.length)
      expect(incidents.map(({ name }) => name)).toContain(markup)
      const opened = incidents.map(({ opened_at }) => opened_at)
      expect(opened).toEqual([...opened].sort())
      expect(incidents.some(({ suppresses }) => suppresses > 0)).toBe(true)
      expect(incidents.some(({ last_action }) => last_action !== null)).toBe(true)
    })

    it('draws every monitor on the map, and says when nothing is new', async () => {
      const first = await ask(edition, 'GetMap')
      const tag = first.headers.get('etag')!
      const map = await expectV1Answer('GetMap', edition, first)
      expect(map.ids).toHaveLength(10)
      const again = await served[edition].get(pathOf('GetMap'), { headers: { 'if-none-match': tag } })
      expect(again.status).toBe(304)
      expect(again.headers.get('etag')).toBe(tag)
      for (const header of ['content-type', 'content-length']) expect(again.headers.get(header)).toBeNull()
      await expectV1Answer('GetMap', edition, again)
      expect(
        (await expectV1Answer('GetMap', edition, await ask(edition, 'GetMap', '?status=incident'))).ids
          .length,
      ).toBeLessThan(10)
    })

    it.each([
      '?status=INCIDENT',
      '?type=Http',
      '?code=RED',
      '?q=ERROR=ALERT',
      '?status=incident&type=http&q=img',
    ])('finds monitors by filters in any case (%s)', async (query) => {
      const list = await expectV1Answer('ListMonitors', edition, await ask(edition, 'ListMonitors', query))
      expect(list.monitors.map(({ name }) => name)).toContain(markup)
      expect(list.total).toBe(list.monitors.length)
    })

    it.each([
      '?status=nobody',
      '?type=ping',
      '?code=purple',
      '?q=nobody',
      '?page=1000000',
      '?page=999999999999999',
      `?page=${'9'.repeat(16)}`,
      `?page=${'9'.repeat(40)}&size=${'9'.repeat(40)}`,
    ])('has an empty page for what no monitor has (%s)', async (query) => {
      const list = await expectV1Answer('ListMonitors', edition, await ask(edition, 'ListMonitors', query))
      expect(list.monitors).toEqual([])
    })

    it('caps the size of a page and says so, however long the number is', async () => {
      for (const name of ['ListMonitors', 'ListIncidents'] as const)
        for (const size of ['501', '9'.repeat(16), '9'.repeat(400)])
          expect(
            await expectV1Answer(name, edition, await ask(edition, name, `?size=${size}`)),
          ).toMatchObject({
            size: 500,
          })
    })

    it.each([
      '0',
      '-1',
      '1.5',
      'two',
      '',
      '1e3',
      '+1',
      ' 1',
      '0x10',
      '0'.repeat(20),
      `${'9'.repeat(16)}.5`,
      '%00',
    ])('refuses %j for a number, and names the parameter', async (value) => {
      for (const [name, parameter] of [
        ...(['page', 'size'] as const).flatMap(
          (one) =>
            [
              ['ListMonitors', one],
              ['ListIncidents', one],
            ] as const,
        ),
        ...(edition === 'candidate' ? ([['GetHistory', 'limit']] as const) : []),
      ]) {
        const answer = await ask(edition, name, `?${parameter}=${value}`)
        const problem = await expectV1Problem(name, edition, answer)
        expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [{ field: parameter }] })
      }
    })

    it('refuses a parameter that stands twice, also with the same value, and ignores unknown ones', async () => {
      for (const query of ['?page=1&page=1', '?status=up&status=up', '?q=a&q=b', '?%71=a&q=b'])
        expect(
          (await expectV1Problem('ListMonitors', edition, await ask(edition, 'ListMonitors', query))).code,
        ).toBe('invalid_parameter')
      await expectV1Answer('ListMonitors', edition, await ask(edition, 'ListMonitors', '?pages=0&pages=x&x'))
    })

    it.each(['x', '-1', '1.5', '4294967296', '1e3', '%20', '%00', '9'.repeat(300), '1%2f2'])(
      'refuses %j for the number of a monitor',
      async (id) => {
        const problem = await expectV1Problem(
          'GetMonitor',
          edition,
          await served[edition].get(`monitors/${id}`),
        )
        expect(problem.code).toBe('invalid_monitor_id')
      },
    )

    it('has no monitor of a number that nobody has', async () => {
      for (const id of ['0', '4711', '4294967295'])
        expect(
          (await expectV1Problem('GetMonitor', edition, await served[edition].get(`monitors/${id}`))).code,
        ).toBe('monitor_not_found')
    })

    it('never shows a secret of a target or a recovery', async () => {
      for (const name of servedIn(edition)) {
        if (name === 'StreamEvents') continue
        expect(await (await ask(edition, name, '?size=500&monitor_id=shy')).text()).not.toContain('hush')
      }
      for (let id = 1; id <= 10; id++)
        expect(await (await served[edition].get(`monitors/${id}`)).text()).not.toContain('hush')
    })

    it('documents itself as the generated document does', async () => {
      const document = (await (await ask(edition, 'GetOpenAPI')).json()) as {
        info: { title: string; version: string; description: string }
      }
      expect(document).toEqual(
        JSON.parse(
          JSON.stringify(openApi({ info: document.info, edition, apis: [v1Api], authentication: false })),
        ),
      )
    })
  })
}

describe('edition main', () => {
  it.each(['GetState', 'GetHistory', 'GetSLO', 'GetTrend', 'GetMonitorTrend', 'GetRecentTrends'] as const)(
    'does not serve %s',
    async (name) => {
      expect((await expectV1Problem(name, 'main', await ask('main', name))).status).toBe(404)
    },
  )
})

describe('edition candidate', () => {
  it('shows actions of a monitor, of every end', async () => {
    const ends = new Set<string>()
    for (const id of ['broken', 'doubtful', 'healed', 'warned']) {
      const state = await expectV1Answer(
        'GetState',
        'candidate',
        await served.candidate.get(`state?monitor_id=${id}`),
      )
      expect(state).toMatchObject({ monitor_id: id, revision: 1 })
      for (const action of state.actions!) ends.add(action.state)
    }
    expect([...ends].sort()).toEqual(['cancelled', 'failed', 'queued', 'succeeded', 'unknown'])
  })

  it('knows no state and no history of a monitor that never was', async () => {
    for (const name of ['GetState', 'GetHistory'] as const)
      expect(
        (await expectV1Problem(name, 'candidate', await ask('candidate', name, '?monitor_id=nobody'))).code,
      ).toBe('monitor_not_found')
  })

  it('refuses a limit of history above 500', async () => {
    for (const limit of ['501', '9'.repeat(16), '9'.repeat(400)]) {
      const answer = await ask('candidate', 'GetHistory', `?limit=${limit}`)
      expect((await expectV1Problem('GetHistory', 'candidate', answer)).code).toBe('invalid_parameter')
    }
  })

  it('keeps what happened to monitors and no check of theirs', async () => {
    const history = await expectV1Answer(
      'GetHistory',
      'candidate',
      await ask('candidate', 'GetHistory', '?limit=500'),
    )
    expect(history.retention_days).toBe(30)
    expect(new Set(history.events.map(({ type }) => type.replace(/_.*/, '')))).toEqual(
      new Set(['incident', 'action', 'destination']),
    )
  })
})

describe('a fleet without monitors', () => {
  it.each(editions)('is answered as the contract says in %s', async (edition) => {
    await using empty = await serveEdition(edition, await TestService.start({ monitors: [] }))
    await eventually(async () => expect((await empty.get('overview')).status).toBe(200))
    for (const name of servedIn(edition)) {
      if (operationOf(name).path.includes('{id}') || name === 'StreamEvents') continue
      await expectV1Answer(name, edition, await empty.get(pathOf(name)))
    }
    const overview = await expectV1Answer('GetOverview', edition, await empty.get('overview'))
    expect(overview).toMatchObject({ total: 0, up_percent: null, healthy_sample_percent: null })
  })
})
