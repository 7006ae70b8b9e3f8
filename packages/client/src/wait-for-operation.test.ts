import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient, type Fetch } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Longer than any wait here. Not until no timer is left: other tests of the process may have some that never end. */
const longestMs = 600_000

type Step = { state: string; retryAfter?: string } | { status: number } | 'lost'

/** Answers with one step after the other, the last one for ever, and notes when it was asked. */
function serving(...steps: readonly Step[]) {
  const askedAt: number[] = []
  const methods = new Set<string>()
  const startedAt = Date.now()
  const fetch: Fetch = async (_, init) => {
    const step = steps[Math.min(askedAt.length, steps.length - 1)]!
    askedAt.push(Date.now() - startedAt)
    methods.add(init.method ?? '')
    if (step === 'lost') throw new TypeError('fetch failed')
    if ('status' in step) return Response.json({}, { status: step.status })
    const headers = step.retryAfter === undefined ? {} : { 'Retry-After': step.retryAfter }
    return Response.json({ id: 'op-1', state: step.state }, { headers })
  }
  return { client: createClient({ baseUrl: 'https://a.test', fetch }), askedAt, methods }
}

describe('waiting for an operation', () => {
  it.each(['completed', 'partial', 'failed', 'cancelled', 'rejected', 'expired', 'validated', 'staging'])(
    'ends at once when it is %s',
    async (state) => {
      const { client, askedAt } = serving({ state })
      const { data } = await client.waitForOperation({ id: 'op-1' })
      expect(data.state).toBe(state)
      expect(askedAt).toEqual([0])
    },
  )

  it('asks ever more slowly while it runs, and only reads', async () => {
    const running = { state: 'applying' }
    const { client, askedAt, methods } = serving(running, running, running, running, { state: 'completed' })
    const waiting = client.waitForOperation({ id: 'op-1' })
    await vi.advanceTimersByTimeAsync(longestMs)
    expect((await waiting).data.state).toBe('completed')
    expect(askedAt).toEqual([0, 250, 750, 1750, 3750])
    expect([...methods]).toEqual(['GET'])
  })

  it('waits as long as the service says, but never longer than 30 seconds', async () => {
    const { client, askedAt } = serving(
      { state: 'validating', retryAfter: '5' },
      { state: 'applying', retryAfter: '9999' },
      { state: 'completed' },
    )
    const waiting = client.waitForOperation({ id: 'op-1' })
    await vi.advanceTimersByTimeAsync(longestMs)
    await waiting
    expect(askedAt).toEqual([0, 5_000, 35_000])
  })

  it('outlasts a service that is away for a moment', async () => {
    const { client } = serving(
      { state: 'applying' },
      'lost',
      { status: 503 },
      { status: 502 },
      { state: 'completed' },
    )
    const waiting = client.waitForOperation({ id: 'op-1' })
    await vi.advanceTimersByTimeAsync(longestMs)
    expect((await waiting).data.state).toBe('completed')
  })

  it('gives up on a service that stays away', async () => {
    const { client, askedAt } = serving('lost')
    const waiting = expect(client.waitForOperation({ id: 'op-1' })).rejects.toMatchObject({
      category: 'transport',
    })
    await vi.advanceTimersByTimeAsync(longestMs)
    await waiting
    expect(askedAt).toHaveLength(11)
  })

  it.each([404, 410, 401])('ends with the error of a %i at once', async (status) => {
    const { client, askedAt } = serving({ status })
    await expect(client.waitForOperation({ id: 'op-1' })).rejects.toMatchObject({ statusCode: status })
    expect(askedAt).toHaveLength(1)
  })

  it('stops when the caller does, in a pause too, and cancels nothing', async () => {
    const { client, methods } = serving({ state: 'applying' })
    const controller = new AbortController()
    const waiting = expect(
      client.waitForOperation({ id: 'op-1' }, { signal: controller.signal }),
    ).rejects.toMatchObject({ category: 'cancelled' })
    await vi.advanceTimersByTimeAsync(100)
    controller.abort()
    await waiting
    await vi.advanceTimersByTimeAsync(60_000)
    expect([...methods]).toEqual(['GET'])
  })
})
