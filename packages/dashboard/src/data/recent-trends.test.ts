import type { RecentTrends } from '@pulseward/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recentTrendOf, recentTrends, watchRecentTrends } from './recent-trends.ts'

const none = Array<number>(36).fill(0)
const some = Array<number>(36).fill(4)

/** Answers with the last hours of every monitor that it is asked for, except those that have left. */
class FakeService {
  readonly asked: string[] = []
  readonly left = new Set<number>()
  samples = some
  status = 200

  readonly fetch = async (path: string): Promise<Response> => {
    const ids = new URL(path, 'http://x').searchParams.get('ids')!
    this.asked.push(ids)
    if (this.status !== 200) return new Response(null, { status: this.status })
    const monitors = ids.split(',').map(Number)
    const body: RecentTrends = {
      generated: '2030-01-01T00:00:00.000Z',
      begins_at: '2029-12-31T21:05:00.000Z',
      cell_seconds: 300,
      monitors: monitors
        .filter((id) => !this.left.has(id))
        .map((id) => ({ id, samples: this.samples, healthy: this.samples, p50_ms: none.map(() => 1) })),
    }
    return Response.json(body)
  }
}

describe('the last hours of the monitors in sight', () => {
  let service: FakeService
  /** What a test has read is not known to the next. */
  let from = 0
  const ids = (...offsets: number[]) => offsets.map((offset) => from + offset)
  beforeEach(() => {
    vi.useFakeTimers()
    service = new FakeService()
    from += 1_000
    vi.stubGlobal('fetch', service.fetch)
    vi.stubGlobal('document', { hidden: false })
  })
  afterEach(() => {
    watchRecentTrends([])
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('are read once for all that came into sight in a moment, and later only for those that are new', async () => {
    const version = recentTrends.get()
    watchRecentTrends(ids(1, 2))
    watchRecentTrends(ids(2, 3))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(service.asked).toEqual([ids(2, 3).join()])
    expect(recentTrends.get()).toBeGreaterThan(version)
    expect(recentTrendOf(from + 2)).toMatchObject({ samples: some, cellSeconds: 300 })
    watchRecentTrends(ids(3, 4))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(service.asked.slice(1)).toEqual([ids(4).join()])
  })

  it('are read again after half a minute, and sooner while nothing was counted', async () => {
    watchRecentTrends(ids(1))
    await vi.advanceTimersByTimeAsync(25_000)
    expect(service.asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(11_000)
    expect(service.asked).toHaveLength(2)
    service.samples = none
    watchRecentTrends(ids(2))
    await vi.advanceTimersByTimeAsync(11_000)
    expect(service.asked.slice(2).length).toBeGreaterThanOrEqual(2)
  })

  it('are asked for a hundred at a time, and not at all while the page is hidden', async () => {
    Object.assign(document, { hidden: true })
    watchRecentTrends(Array.from({ length: 150 }, (_, offset) => from + offset))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(service.asked).toEqual([])
    Object.assign(document, { hidden: false })
    await vi.advanceTimersByTimeAsync(6_000)
    expect(service.asked.map((text) => text.split(',').length)).toEqual([100, 50])
  })

  it('are empty for a monitor that has left, and asked for once a minute where they are not served', async () => {
    service.left.add(from + 1)
    watchRecentTrends(ids(1))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(recentTrendOf(from + 1)?.samples).toEqual([])
    service.status = 404
    watchRecentTrends(ids(2))
    await vi.advanceTimersByTimeAsync(59_000)
    expect(service.asked).toHaveLength(2)
    expect(recentTrendOf(from + 2)).toBe(null)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(service.asked).toHaveLength(3)
  })
})
