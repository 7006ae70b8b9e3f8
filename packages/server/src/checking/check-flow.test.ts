// The way of a check, with a runner that does what the test says and a clock that the test moves.

import { type CheckInFlight, EngineUnderTest } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { failure, success, timedOut } from '../checks/driver.ts'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'

const intervalMs = 10_000

function tcp(id: string, changes: Partial<MonitorDocument> = {}): MonitorDocument {
  return { id, name: id, check: { type: 'tcp', interval: '10s', config: { host: id, port: 1 } }, ...changes }
}

/** Leaves no worker free, so that whatever is due has to wait. */
function occupyPool({ flow, clock }: EngineUnderTest): () => void {
  const startedMs = clock.monotonicMs()
  let occupied = 0
  while (flow.pool.start(startedMs, 1_000)) occupied++
  return () => {
    for (; occupied > 0; occupied--) flow.pool.finish(startedMs, 1_000, clock.monotonicMs())
  }
}

function reportOf({ engine }: EngineUnderTest, driver: string) {
  return engine.reading.sloReport().reports.find((report) => report.driver === driver)
}

describe('a due check', () => {
  it('is never early, never late on a calm machine, and never beside another one of its monitor', async () => {
    const tested = await EngineUnderTest.start(Array.from({ length: 50 }, (_, index) => tcp(`m${index}`)))
    const dueMs = (row: number) => tested.flow.scheduler.nextDueMs(row)!
    const due = Array.from({ length: 50 }, (_, row) => dueMs(row))
    const counts = new Uint32Array(50)
    let underWay: CheckInFlight[] = []
    for (let passedMs = 0; passedMs < 60_000; passedMs += 10) {
      const nowMs = tested.clock.monotonicMs()
      const isOver = ({ startedMs }: CheckInFlight) => startedMs + 300 <= nowMs
      for (const check of underWay.filter(isOver)) tested.end(check, success(300))
      underWay = underWay.filter((check) => !isOver(check))
      tested.advance(10, (check) => {
        const { row, startedMs } = check
        expect(startedMs).toBeGreaterThanOrEqual(due[row]!)
        expect(startedMs).toBeLessThan(due[row]! + 20)
        expect(underWay.some((other) => other.row === row)).toBe(false)
        due[row] = dueMs(row)
        counts[row]!++
        underWay.push(check)
      })
    }
    // The first check comes within an interval, the others an interval apart.
    for (const count of counts) expect([6, 7]).toContain(count)
    expect(reportOf(tested, 'tcp')).toMatchObject({ missed: 0, overdue: 0 })
  })

  it('is missed, and not made up for, while the last one is under way', async () => {
    const tested = await EngineUnderTest.start([tcp('slow')])
    const first = tested.next()
    tested.advance(3 * intervalMs + 100)
    expect(tested.started).toEqual([first])
    tested.end(first, success(30_100))
    expect(reportOf(tested, 'tcp')).toMatchObject({ samples: 1, missed: 3 })
    const second = tested.next()
    expect(second.startedMs - first.startedMs).toBe(4 * intervalMs)
    expect(second.generation).toBeGreaterThan(first.generation)
  })

  it('waits for a worker and starts as soon as one is free, not at the next tick', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    const holder = tested.next()
    const release = occupyPool(tested)
    tested.reload([tcp('a'), tcp('b')])
    tested.advance(intervalMs)
    expect(tested.flow.queue.depth).toBe(1)
    tested.end(holder, success(1))
    expect(tested.started.map(({ row }) => row)).toEqual([0, 1])
    release()
  })

  it('is dropped and counted as missed when the queue is full, and comes again at its next row', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    const { queue, scheduler } = tested.flow
    const dueMs = scheduler.nextDueMs(0)!
    const release = occupyPool(tested)
    const unwanted = 999
    while (queue.enqueue(unwanted, dueMs, tested.clock.monotonicMs())) {}
    tested.advance(intervalMs)
    expect(tested.started).toEqual([])
    expect(reportOf(tested, 'tcp')).toMatchObject({ missed: 1, pending: 0 })
    expect(scheduler.isInFlight(0)).toBe(false)
    queue.dequeue(queue.capacity, tested.clock.monotonicMs(), () => true)
    release()
    expect(tested.next().startedMs - dueMs).toBeLessThan(intervalMs + 20)
  })
})

describe('a check that waits', () => {
  async function waiting(): Promise<{ tested: EngineUnderTest; release: () => void }> {
    const tested = await EngineUnderTest.start([tcp('a')])
    const release = occupyPool(tested)
    tested.advance(intervalMs)
    expect(tested.flow.queue.depth).toBe(1)
    return { tested, release }
  }

  it.each<[string, readonly MonitorDocument[]]>([
    ['removed', []],
    ['disabled', [tcp('a', { enabled: false })]],
  ])('is not started when its monitor is %s, and was never expected', async (_, monitors) => {
    const { tested, release } = await waiting()
    tested.reload(monitors)
    release()
    tested.advance(2 * intervalMs)
    expect(tested.started).toEqual([])
    expect(tested.flow.queue.depth).toBe(0)
    expect(tested.flow.scheduler.isInFlight(0)).toBe(false)
    expect(reportOf(tested, 'tcp')).toBeUndefined()
  })

  it('closes its account where it was opened when its monitor gets another type', async () => {
    const { tested, release } = await waiting()
    tested.reload([tcp('a', { check: { type: 'icmp', interval: '10s', config: { host: 'a' } } })])
    release()
    const check = tested.next()
    tested.end(check, success(1))
    expect(reportOf(tested, 'tcp')).toMatchObject({ samples: 1, pending: 0, overdue: 0 })
    expect(reportOf(tested, 'icmp')).toBeUndefined()
    expect(tested.statusOf(0)).toBe('up')
  })
})

describe('a check under way', () => {
  async function inFlight(): Promise<{ tested: EngineUnderTest; check: CheckInFlight }> {
    const tested = await EngineUnderTest.start([tcp('a'), tcp('b')])
    const check = tested.next()
    return { tested, check }
  }
  const others = (check: CheckInFlight) => (check.row === 0 ? [tcp('b')] : [tcp('a')])

  it('frees its worker and says nothing when its monitor is removed', async () => {
    const { tested, check } = await inFlight()
    const busy = tested.flow.pool.busy
    tested.reload(others(check))
    tested.end(check, failure(1, 'refused'))
    expect(tested.flow.pool.busy).toBe(busy - 1)
    expect(tested.fleet.counts).toMatchObject({ total: 1, totalSamples: 0 })
    expect(tested.parts.health.noteOf(check.row)).toBeNull()
  })

  it('leaves no words behind in its row when its monitor has left', async () => {
    const { tested, check } = await inFlight()
    tested.end(check, failure(1, 'refused'))
    expect(tested.parts.health.noteOf(check.row)).toMatchObject({ lastError: 'refused' })
    tested.reload(others(check))
    expect(tested.parts.health.noteOf(check.row)).toBeNull()
  })

  it('keeps its row from other monitors that are added to the fleet', async () => {
    const { tested, check } = await inFlight()
    tested.reload(others(check))
    tested.reload([...others(check), tcp('new')])
    expect(tested.fleet.rowOf('new')).not.toBe(check.row)
    tested.end(check, failure(1, 'refused'))
    expect(tested.flow.scheduler.isInFlight(check.row)).toBe(false)
  })

  it('says nothing about the next monitor in its row', async () => {
    const { tested, check } = await inFlight()
    tested.replace(others(check))
    tested.replace([...others(check), tcp('new')])
    expect(tested.fleet.idOf(check.row)).toBe('new')
    tested.end(check, failure(1, 'refused'))
    expect(tested.statusOf(check.row)).toBe('unknown')
    expect(tested.fleet.columns.totalSamples[check.row]).toBe(0)
    expect(tested.flow.scheduler.isInFlight(check.row)).toBe(false)
  })

  it('keeps the next monitor in its row waiting until it has ended', async () => {
    const { tested, check } = await inFlight()
    tested.replace(others(check))
    tested.replace([...others(check), tcp('new')])
    tested.advance(2 * intervalMs)
    expect(tested.started.filter(({ row }) => row === check.row)).toEqual([check])
  })

  it('changes nothing when its monitor is disabled', async () => {
    const { tested, check } = await inFlight()
    tested.reload([tcp('a', { enabled: false }), tcp('b', { enabled: false })])
    tested.end(check, failure(1, 'refused'))
    expect(tested.statusOf(check.row)).toBe('disabled')
    expect(tested.fleet.columns.consecutiveFailures[check.row]).toBe(0)
    expect(tested.flow.pool.busy).toBe(0)
  })

  it('says nothing about the check that its monitor has since', async () => {
    const { tested, check } = await inFlight()
    const moved = { check: { type: 'tcp', interval: '10s', config: { host: 'elsewhere', port: 2 } } }
    tested.reload([tcp('a', moved), tcp('b', moved)])
    tested.end(check, failure(1, 'refused'))
    expect(tested.statusOf(check.row)).toBe('unknown')
    expect(tested.fleet.columns.consecutiveFailures[check.row]).toBe(0)
    expect(tested.flow.pool.busy).toBe(0)
  })
})

describe('lost checks', () => {
  const words = 'the probe thread crashed: out of memory'

  it('end as no_data, keep the health that is known, and free their workers', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    tested.end(tested.next(), success(1))
    const lost = tested.next()
    tested.engine.takeLost(tested.targets, Uint32Array.of(lost.row), words)
    expect(tested.statusOf(0)).toBe('up')
    expect(tested.fleet.columns).toMatchObject({ totalSamples: expect.objectContaining({ 0: 1 }) })
    expect(tested.parts.health.noteOf(0)).toMatchObject({ lastError: words })
    expect(tested.flow.pool.busy).toBe(0)
    expect(reportOf(tested, 'tcp')).toMatchObject({ samples: 2, leftOut: 1, pending: 0 })
    const next = tested.next()
    expect(next.startedMs - lost.startedMs).toBe(intervalMs)
    tested.end(next, success(1))
    expect(tested.statusOf(0)).toBe('up')
  })

  it('say nothing about a check that was changed since', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    const lost = tested.next()
    tested.reload([tcp('a', { check: { type: 'tcp', interval: '10s', config: { host: 'b', port: 1 } } })])
    tested.engine.takeLost(tested.targets, Uint32Array.of(lost.row), words)
    expect(tested.parts.health.noteOf(0)).toBeNull()
    expect(tested.flow.pool.busy).toBe(0)
    expect(tested.flow.scheduler.isInFlight(0)).toBe(false)
  })
})

describe('a reload', () => {
  it('keeps the phase and the state of what did not change', async () => {
    const tested = await EngineUnderTest.start([tcp('a'), tcp('b')])
    tested.advance(intervalMs, (check) => tested.end(check, check.row === 0 ? success(1) : failure(1, 'x')))
    const { scheduler } = tested.flow
    tested.advance(1_230)
    const before = [scheduler.nextDueMs(0), scheduler.nextDueMs(1)]
    tested.reload([tcp('c'), tcp('b', { name: 'another name' }), tcp('a')])
    expect([scheduler.nextDueMs(0), scheduler.nextDueMs(1)]).toEqual(before)
    expect([tested.statusOf(0), tested.statusOf(1), tested.statusOf(2)]).toEqual(['up', 'down', 'unknown'])
    expect(tested.fleet.columns.consecutiveFailures[1]).toBe(1)
  })

  it('keeps the phase of a monitor whose policy changed, and moves one whose interval did', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    tested.end(tested.next(), success(1))
    const dueMs = tested.flow.scheduler.nextDueMs(0)
    const check = { type: 'tcp', interval: '10s', config: { host: 'a', port: 1 } }
    tested.advance(1_000)
    tested.reload([tcp('a', { check: { ...check, timeout: '1s' } })])
    expect(tested.flow.scheduler.nextDueMs(0)).toBe(dueMs)
    expect(tested.statusOf(0)).toBe('up')
    tested.reload([tcp('a', { check: { ...check, interval: '2s' } })])
    expect(tested.flow.scheduler.nextDueMs(0)! - tested.clock.monotonicMs()).toBeLessThanOrEqual(2_000)
    expect(tested.flow.scheduler.checksPerSecond).toBe(0.5)
  })

  it.each(['healthy', 'failing'])(
    'forgets what was known of a %s monitor whose check changed',
    async (health) => {
      const tested = await EngineUnderTest.start([tcp('a')])
      const outcome = health === 'healthy' ? success(1) : failure(1, 'refused')
      tested.end(tested.next(), outcome)
      tested.reload([tcp('a', { check: { type: 'tcp', interval: '10s', config: { host: 'b', port: 1 } } })])
      expect(tested.statusOf(0)).toBe('unknown')
      tested.end(tested.next(), success(1))
      expect(tested.statusOf(0)).toBe('up')
    },
  )
})

describe('time that goes wrong', () => {
  it('is our own fault: timeouts that a stall caught do not count against their targets', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    tested.end(tested.next(), success(1))
    const caught = tested.next()
    tested.clock.advance(5_000)
    tested.engine.tick()
    tested.end(caught, timedOut(5_000, 'no connection'))
    expect(tested.statusOf(0)).toBe('unknown')
    expect(tested.fleet.columns.consecutiveFailures[0]).toBe(0)
    expect(tested.fleet.columns.totalSamples[0]).toBe(1)
    expect(reportOf(tested, 'tcp')).toMatchObject({ leftOut: 1 })
    tested.end(tested.next(), success(1))
    expect(tested.statusOf(0)).toBe('up')
  })

  it('does not excuse an answer of the target, caught in a stall or not', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    const caught = tested.next()
    tested.clock.advance(5_000)
    tested.engine.tick()
    tested.end(caught, failure(1, 'connection refused by a:1'))
    expect(tested.statusOf(0)).toBe('down')
  })

  it('starts no burst after a stall', async () => {
    const tested = await EngineUnderTest.start(Array.from({ length: 200 }, (_, index) => tcp(`m${index}`)))
    tested.advance(2 * intervalMs, (check) => tested.end(check, success(1)))
    const before = tested.started.length
    tested.clock.advance(60_000)
    tested.engine.tick()
    // Only what is due in this very tick: 200 in ten seconds are one in 50 ms.
    expect(tested.started.length - before).toBeLessThan(5)
    expect(reportOf(tested, 'tcp')!.missed).toBeGreaterThan(1_100)
  })

  it.each([-3_600_000, 3_600_000])(
    'does not move a check when the wall clock jumps by %i ms',
    async (jumpMs) => {
      const tested = await EngineUnderTest.start([tcp('a')])
      const first = tested.next()
      tested.end(first, success(1))
      tested.clock.jumpWall(jumpMs)
      const second = tested.next()
      expect(second.startedMs - first.startedMs).toBe(intervalMs)
      tested.end(second, timedOut(1, 'no connection'))
      expect(tested.statusOf(0)).toBe('down')
    },
  )
})
