import type { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ReferencePeer } from './reference-peer.ts'

const token = 'a-token-of-at-least-32-characters'
let peer: ReferencePeer

beforeAll(async () => {
  peer = await ReferencePeer.start({ token })
})
afterAll(() => peer[Symbol.asyncDispose]())

function ask(method: string, path: string, headers: Record<string, string> = {}, body: unknown = undefined) {
  const sent = body === undefined ? null : JSON.stringify(body)
  return fetch(peer.url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
    body: sent,
  })
}

async function codeOf(answer: Promise<Response>): Promise<[number, unknown]> {
  const { status, headers, json } = await answer.then(async (one) => ({
    status: one.status,
    headers: one.headers,
    json: (await one.json()) as { code?: unknown },
  }))
  expect(headers.get('Content-Type')).toBe('application/problem+json')
  return [status, json.code]
}

const json = { 'Content-Type': 'application/json' }
const { body } = exchanges.CreateMonitor

describe('the reference peer', () => {
  it('answers with the example when the request keeps to the contract', async () => {
    const answer = await ask('POST', '/api/v2/monitors', { ...json, 'If-None-Match': '*' }, body)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('Location')).toBe('/api/v2/monitors/checkout-api')
    expect(await answer.json()).toEqual(exchanges.CreateMonitor.answer)
  })

  it('refuses a request without its token', async () => {
    expect(await codeOf(ask('GET', '/api/v2/state', { Authorization: 'Bearer other' }))).toEqual([
      401,
      'unauthorized',
    ])
  })

  it('refuses what is not there, and methods that are not', async () => {
    expect(await codeOf(ask('GET', '/api/v2/nothing'))).toEqual([404, 'notFound'])
    const answer = await ask('PUT', '/api/v2/monitors')
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, POST'])
    expect(await codeOf(ask('POST', '/api/v1/overview'))).toEqual([405, 'method_not_allowed'])
  })

  it('refuses a precondition that is missing, malformed or out of place', async () => {
    expect(await codeOf(ask('POST', '/api/v2/monitors', json, body))).toEqual([428, 'preconditionRequired'])
    for (const tag of ['*', 'W/"1"', '"1", "2"', '1']) {
      const answer = ask('DELETE', '/api/v2/monitors/edge', { 'If-Match': tag })
      expect(await codeOf(answer)).toEqual([400, 'invalidPrecondition'])
    }
    const misplaced = ask('GET', '/api/v2/state', { 'If-Match': '"1"' })
    expect(await codeOf(misplaced)).toEqual([400, 'invalidPrecondition'])
    const other = ask('DELETE', '/api/v2/monitors/edge', { 'If-None-Match': '*' })
    expect(await codeOf(other)).toEqual([428, 'preconditionRequired'])
    const both = ask('DELETE', '/api/v2/monitors/edge', { 'If-Match': '"1"', 'If-None-Match': '*' })
    expect(await codeOf(both)).toEqual([400, 'invalidPrecondition'])
  })

  it('refuses parameters and bodies that the contract does not know', async () => {
    expect(await codeOf(ask('GET', '/api/v2/monitors?limit=501'))).toEqual([400, 'invalidParameter'])
    expect(await codeOf(ask('GET', '/api/v2/state?verbose=1'))).toEqual([400, 'invalidParameter'])
    expect(await codeOf(ask('GET', '/api/v2/monitors?limit=1&limit=2'))).toEqual([400, 'invalidParameter'])
    expect(await codeOf(ask('GET', '/api/v2/monitors?selector=a==b'))).toEqual([400, 'invalidParameter'])
    const headers = { ...json, 'If-None-Match': '*' }
    const plain = { ...headers, 'Content-Type': 'text/plain' }
    expect(await codeOf(ask('POST', '/api/v2/monitors', plain, body))).toEqual([415, 'unsupportedMediaType'])
    expect(await codeOf(ask('POST', '/api/v2/operations/op-1/cancel', {}, {}))).toEqual([400, 'invalidBody'])
  })

  it('refuses filters that cannot apply to a list', async () => {
    for (const path of ['queues?selector=a', 'incidents?selector=a', 'monitors?monitorID=a'])
      expect(await codeOf(ask('GET', `/api/v2/${path}`))).toEqual([400, 'unsupportedFilter'])
    expect((await ask('GET', '/api/v2/queues?selector=')).status).toBe(200)
  })

  it('tells a body of the wrong shape from one with wrong values, and names every mistake', async () => {
    const headers = { ...json, 'If-None-Match': '*' }
    const send = (changes: object) =>
      ask('POST', '/api/v2/monitors', headers, { ...(body as object), ...changes })
    const named = async (changes: object) => {
      const answer = await send(changes)
      const problem = (await answer.json()) as v2.Problem
      const errors = problem.errors?.map(({ field, reason }) => `${field} ${reason}`).sort()
      return [answer.status, problem.code, errors]
    }
    expect(await named({ surprise: 1, spec: undefined, metadata: { id: 7 } })).toEqual([
      400,
      'invalidBody',
      ['/metadata/id wrongType', '/spec required', '/surprise unknownField'],
    ])
    expect(await named({ kind: 'Monitors', metadata: { id: 'a b', name: '' } })).toEqual([
      422,
      'invalidResource',
      ['/kind notAllowed', '/metadata/id malformed', '/metadata/name malformed', '/metadata/name tooShort'],
    ])
    const operation = (itemCount: unknown) =>
      codeOf(ask('POST', '/api/v2/operations', json, { contentDigest: 'x', itemCount }))
    expect(await operation(1.5)).toEqual([422, 'invalidResource'])
    expect(await operation('1')).toEqual([400, 'invalidBody'])
    const item = {
      id: 'a',
      contentDigest: 'x',
      source: '',
      resource: { ...(body as object), kind: 'Credential' },
    }
    const nested = await ask('POST', '/api/v2/collections/preflight', json, { items: [item] })
    expect(nested.status).toBe(400)
  })

  it('refuses a key that an object has twice', async () => {
    const twice = JSON.stringify(body).replace('{', '{"kind":"Monitor",')
    const answer = await fetch(`${peer.url}/api/v2/monitors`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...json, 'If-None-Match': '*' },
      body: twice,
    })
    expect(answer.status).toBe(400)
  })

  it('refuses a control whose revision is not that of its precondition', async () => {
    const control = { revision: '8', reason: 'planned work', duration: '2h' }
    const answer = await ask('POST', '/api/v2/monitors/edge/snooze', { ...json, 'If-Match': '"7"' }, control)
    const { errors } = (await answer.json()) as v2.Problem
    expect([answer.status, errors?.[0]?.field]).toEqual([422, '/revision'])
  })
})
