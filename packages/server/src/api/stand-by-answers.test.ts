import { request } from 'node:http'
import { Problem, v2 } from '@pulseward/contract'
import { Value } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StandingView } from '../store/standing.ts'
import { StoreError } from '../store/store.ts'
import { EarlyListener } from './early-listener.ts'
import { usualLane } from './request-turns.ts'
import { answerAsStandby } from './stand-by-answers.ts'

const active = { name: 'alpha', url: 'https://alpha.example' }
const seen: StandingView = { active, batchAgeMs: 500, takeovers: 2, hasSameFiles: true, trouble: null }

let view: StandingView | null
let listener: EarlyListener
beforeEach(async () => {
  view = seen
  const answer = answerAsStandby({
    view: () => view,
    wallMs: () => 0,
    metrics: async () => [
      { name: 'role', help: 'A role.', type: 'gauge', samples: [{ labels: { role: 'standby' }, value: 1 }] },
    ],
  })
  listener = await EarlyListener.open({ host: '127.0.0.1', port: 0 }, null, { answer, servesV2: true })
})
afterEach(() => listener[Symbol.asyncDispose]())

const ask = (path: string, init: RequestInit = {}) => fetch(`${listener.url}${path}`, init)

describe('a process that stands by', () => {
  it('lives', async () => {
    expect(await (await ask('/api/v1/healthz')).json()).toEqual({ status: 'ok' })
    const live = await ask(v2.operations.GetLive.path)
    expect([live.status, Value.Check(v2.operations.GetLive.answers[200].schema, await live.json())]).toEqual([
      200,
      true,
    ])
  })

  it('is not ready, and says why and who is', async () => {
    const reasonsFor = async (next: StandingView | null) => {
      view = next
      const answer = await ask('/api/v1/readyz')
      expect(answer.status).toBe(503)
      return (await answer.json()) as object
    }
    expect(await reasonsFor(seen)).toMatchObject({ reasons: ['standby'], active })
    expect(await reasonsFor({ ...seen, hasSameFiles: false })).toMatchObject({
      reasons: ['standby', 'files_differ'],
    })
    expect(await reasonsFor({ ...seen, trouble: new StoreError('io', 'Away.') })).toMatchObject({
      reasons: ['standby', 'storage_unavailable'],
      storage_available: false,
    })
    expect(await reasonsFor(null)).toMatchObject({ reasons: ['admission_not_initialized'], active: null })
  })

  it.each(['/api/v1/overview', '/api/v1/nothing', '/push/some-key', '/other'])(
    'refuses %s, and names the active one',
    async (path) => {
      const answer = await ask(path, { method: path.startsWith('/push') ? 'POST' : 'GET' })
      const problem = await answer.json()
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(problem).toMatchObject({ code: 'standby', active, detail: expect.stringContaining('alpha') })
      expect(Value.Check(Problem, problem)).toBe(true)
    },
  )

  it('refuses a write of v2 in the words of v2, also one that is still being sent', async () => {
    const sent = request(`${listener.url}/api/v2/monitors`, {
      method: 'POST',
      headers: { 'content-length': '900000' },
    })
    sent.flushHeaders()
    const answer = await new Promise<import('node:http').IncomingMessage>((resolve) =>
      sent.on('response', resolve),
    )
    const problem = JSON.parse((await answer.toArray()).join(''))
    sent.destroy()
    expect(answer.statusCode).toBe(503)
    expect(problem).toMatchObject({ code: 'standby', active })
    expect(Value.Check(v2.Problem, problem)).toBe(true)
    view = { ...seen, active: null }
    expect(await (await ask('/api/v2/monitors')).json()).not.toHaveProperty('active')
  })

  it('shows a browser a sentence with a link, and quotes what it shows', async () => {
    view = { ...seen, active: { name: '<alpha>', url: 'https://alpha.example/?a="b' } }
    const answer = await ask('/', { headers: { accept: 'text/html' } })
    const page = await answer.text()
    expect(answer.status).toBe(503)
    expect(page).toContain('href="https://alpha.example/?a=&#34;b"')
    expect(page).not.toContain('<alpha>')
  })

  it('answers with its metrics', async () => {
    const answer = await ask('/metrics')
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('role{role="standby"} 1'),
    ])
  })

  it('leaves its listener to the service, which closes it once', async () => {
    const served = listener.serve({
      answer: (_request, response) => void response.end('served'),
      upgrades: null,
      laneOf: () => usualLane,
    })
    expect(await (await ask('/')).text()).toBe('served')
    expect(served.url).toBe(listener.url)
    await served[Symbol.asyncDispose]()
    await expect(ask('/')).rejects.toThrow()
  })
})
