// v1 as the edition next serves it: every answer keeps to the contract of next, and nothing of v2 shows in it.
import {
  type History,
  type NextHistory,
  type Operation,
  sessionOperations,
  type V1OperationName,
  v1Operations,
  v2,
} from '@pulseward/contract'
import { expectV1Answer } from '@pulseward/testing/api'
import { type ServedNext, serveNext, troubledFleet } from '@pulseward/testing/editions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const names = Object.keys(v1Operations) as V1OperationName[]
const operationOf = (name: V1OperationName): Operation => v1Operations[name]
const served = names.filter((name) => operationOf(name).editions.includes('next'))

const cancelled = new AbortController()
let next: ServedNext
beforeAll(async () => {
  next = await serveNext(await troubledFleet())
})
afterAll(async () => {
  cancelled.abort()
  await next[Symbol.asyncDispose]()
})

const ask = (name: V1OperationName, query = '') =>
  next.get(`${operationOf(name).path.replace('{id}', '2')}${query}`, { signal: cancelled.signal })

async function createMonitor(id: string): Promise<void> {
  const driver = { type: 'http', config: { url: 'http://shop.test/' } }
  const spec = { check: { driver, interval: '10s', timeout: '5s' } }
  const body = { apiVersion: v2.apiVersion, kind: 'Monitor', metadata: { id }, spec }
  const response = await next.call('CreateMonitor', { body, headers: { 'if-none-match': '*' } })
  expect(response.status).toBe(201)
}

describe('v1 of the edition next', () => {
  it.each(served)('answers %s as the contract of next says', async (name) => {
    await expectV1Answer(name, 'next', await ask(name))
  })

  it('has an OpenAPI document with its operations of both versions, and none that needs external jobs', async () => {
    const document = (await (await ask('GetOpenAPI')).json()) as {
      paths: Record<string, Record<string, { operationId: string; security: object[] }>>
    }
    const written = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(written.map(({ operationId }) => operationId).sort()).toEqual(
      [
        ...served.map((name) => `v1.${name}`),
        ...Object.keys(sessionOperations).map((name) => `session.${name}`),
        ...v2.defaultOperationNames.map((name) => `v2.${name}`),
      ].sort(),
    )
    const logins = written.filter(({ operationId }) => operationId.startsWith('v2.'))
    expect(new Set(logins.map(({ security }) => JSON.stringify(security)))).toEqual(
      new Set(['[{"bearer":[]}]']),
    )
  })

  it('shows a monitor that was created through v2 as any other', async () => {
    await createMonitor('made-here')
    const { monitors } = await expectV1Answer('ListMonitors', 'next', await ask('ListMonitors', '?size=500'))
    expect(monitors.find((row) => 'monitor_id' in row && row.monitor_id === 'made-here')).toMatchObject({
      status: 'unknown',
      target: 'http://shop.test/',
      snoozed_until: null,
    })
  })

  it('says why each decision of its history and each action was made', async () => {
    const { events } = await expectV1Answer('GetHistory', 'next', await ask('GetHistory', '?limit=500'))
    const carriedOut = ['action_started', 'action_succeeded']
    const decided = events.filter(({ type }) => !carriedOut.includes(type))
    expect(decided.map(({ type }) => type)).toContain('incident_opened')
    for (const event of decided) expect(event, event.type).toHaveProperty('because.kind')
    const { monitor_id: id } = decided.find(({ type }) => type === 'action_queued')!
    const state = await expectV1Answer('GetState', 'next', await ask('GetState', `?monitor_id=${id}`))
    for (const action of state.actions ?? []) expect(action).toHaveProperty('because.kind')
  })

  it('tells nothing of resources in its history, and its pages are full nevertheless', async () => {
    const before = await expectV1Answer('GetHistory', 'next', await ask('GetHistory', '?limit=500'))
    for (const number of [1, 2, 3, 4, 5]) await createMonitor(`told-in-v2-only-${number}`)
    for (const order of ['asc', 'desc']) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: string = `?limit=3&order=${order}${cursor === '' ? '' : `&cursor=${cursor}`}`
        const page: History | NextHistory = await expectV1Answer(
          'GetHistory',
          'next',
          await ask('GetHistory', query),
        )
        expect(page.events.length === 3 || page.next_cursor === null).toBe(true)
        seen.push(...page.events.map(({ id }) => id))
        cursor = page.next_cursor
      }
      const expected = before.events.map(({ id }) => id)
      expect(seen).toEqual(order === 'asc' ? expected : expected.reverse())
    }
    const ofOne = await ask('GetHistory', '?monitor_id=told-in-v2-only-1')
    expect(await expectV1Answer('GetHistory', 'next', ofOne)).toMatchObject({ events: [], next_cursor: null })
  })
})
