import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startLiveRefresh } from './live.ts'
import { paused } from './refresh.ts'

class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  static open: FakeSource[] = []
  readyState = 1

  constructor() {
    super()
    FakeSource.open.push(this)
  }

  close(): void {
    this.readyState = FakeSource.CLOSED
    FakeSource.open = FakeSource.open.filter((source) => source !== this)
  }
}

const page = Object.assign(new EventTarget(), { hidden: false })
let stop = () => {}
let refreshed: unknown[] = []
let client: QueryClient

/** As if everything had been read again just now. */
function readAll(): void {
  for (const key of ['overview', 'monitors', 'map', 'queues']) client.setQueryData([key, '/'], 1)
  refreshed = []
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('document', page)
  client = new QueryClient()
  readAll()
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.isInvalidated) refreshed.push(query.queryKey[0])
  })
  stop = startLiveRefresh(client)
})

afterEach(() => {
  stop()
  paused.set(false)
  page.hidden = false
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const say = (name: string) => FakeSource.open[0]!.dispatchEvent(new Event(name))

function sayOverview(total: number, by_pulse_type: object = { http: total }): void {
  const data = JSON.stringify({ total, disabled: 0, by_pulse_type })
  FakeSource.open[0]!.dispatchEvent(new MessageEvent('overview', { data }))
}

function hide(hidden: boolean): void {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

describe('the event stream', () => {
  it('brings lists forward when monitors were created, changed or deleted', () => {
    say('fleet')
    vi.advanceTimersByTime(1_000)
    expect(refreshed).toEqual(['overview', 'monitors'])
  })

  it.each([
    ['of a small fleet', 20_000, ['overview', 'monitors', 'map']],
    ['of a large fleet not', 20_001, ['overview', 'monitors']],
  ])('brings the map %s forward with them', (_, total, expected) => {
    sayOverview(total)
    say('fleet')
    vi.advanceTimersByTime(1_000)
    expect(refreshed).toEqual(expected)
  })

  it('brings lists forward when the overview tells that the fleet is another one', () => {
    sayOverview(10)
    vi.advanceTimersByTime(1_000)
    readAll()
    sayOverview(10)
    vi.advanceTimersByTime(1_000)
    expect(refreshed).toEqual(['overview'])
    readAll()
    sayOverview(10, { http: 9, tcp: 1 })
    vi.advanceTimersByTime(1_000)
    expect(refreshed).toEqual(['overview', 'monitors', 'map'])
  })

  it('brings forward soon what comes alone, and once a second what keeps coming', () => {
    say('fleet')
    vi.advanceTimersByTime(100)
    expect(refreshed).toEqual(['overview', 'monitors'])
    let refreshes = 0
    for (let tenths = 0; tenths < 50; tenths++) {
      readAll()
      for (let event = 0; event < 100; event++) say('fleet')
      vi.advanceTimersByTime(100)
      if (refreshed.length > 0) refreshes++
    }
    expect(refreshes).toBe(5)
  })

  it('brings the resources of an event forward, and no others', () => {
    say('overview')
    vi.advanceTimersByTime(1_000)
    expect(refreshed).toEqual(['overview'])
  })

  it('brings them forward once for many events of a second', () => {
    for (let count = 0; count < 50; count++) say('snapshot')
    vi.advanceTimersByTime(1_000)
    expect(refreshed).toEqual(['overview', 'monitors', 'map'])
  })

  it('is closed while the page is hidden or paused, and forgets what waited', () => {
    say('overview')
    hide(true)
    expect(FakeSource.open).toHaveLength(0)
    hide(false)
    expect(FakeSource.open).toHaveLength(1)
    paused.set(true)
    expect(FakeSource.open).toHaveLength(0)
    vi.advanceTimersByTime(60_000)
    expect(refreshed).toEqual([])
  })

  it('is opened again after a refusal, not at once', () => {
    const source = FakeSource.open[0]!
    source.readyState = FakeSource.CLOSED
    source.dispatchEvent(new Event('error'))
    expect(FakeSource.open).toHaveLength(0)
    vi.advanceTimersByTime(30_000)
    expect(FakeSource.open).toHaveLength(1)
  })

  it('is left to the browser while that tries again by itself', () => {
    FakeSource.open[0]!.readyState = 0
    say('error')
    expect(FakeSource.open).toHaveLength(1)
  })

  it('opens no second stream when it is stopped while one waits to be opened again', () => {
    const source = FakeSource.open[0]!
    source.readyState = FakeSource.CLOSED
    source.dispatchEvent(new Event('error'))
    stop()
    vi.advanceTimersByTime(60_000)
    expect(FakeSource.open).toHaveLength(0)
  })
})
