import { type CheckInFlight, EngineUnderTest } from '@pulseward/testing/engine'
import { definitionOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { failure, success } from '../checks/driver.ts'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'
import type { FleetChange } from '../fleet/fleet-change.ts'

const minuteMs = 60_000

function tcp(id: string, more: Partial<MonitorDocument> = {}): MonitorDocument {
  return { id, name: id, check: { type: 'tcp', interval: '10s', config: { host: id, port: 1 } }, ...more }
}

function changeOf(entries: readonly MonitorDocument[], removed: readonly string[] = []): FleetChange {
  return { entries: definitionOf(entries), removed, head: null }
}

async function amend(tested: EngineUnderTest, change: FleetChange): Promise<Uint32Array> {
  let rows = new Uint32Array()
  await tested.engine.turn((turn) => {
    rows = Uint32Array.from(tested.engine.amendFleet(turn, change, null))
  })
  return rows
}

/** Its next check; those of others succeed. */
function nextOf(tested: EngineUnderTest, monitorId: string): CheckInFlight {
  for (;;) {
    const check = tested.next()
    if (check.monitorId === monitorId) return check
    tested.end(check, success(1))
  }
}

describe('a change of single monitors', () => {
  it('begins to check a monitor that is added to an empty fleet', async () => {
    const tested = await EngineUnderTest.start([])
    const [row] = await amend(tested, changeOf([tcp('a')]))
    tested.advance(minuteMs)
    expect(tested.started.map((check) => check.monitorId)).toEqual(['a'])
    tested.end(tested.started[0]!, success(1))
    expect(tested.statusOf(row!)).toBe('up')
    expect(tested.fleet.counts.total).toBe(1)
  })

  it('stops checking one that is removed, and forgets what was known of it when it comes back', async () => {
    const tested = await EngineUnderTest.start([tcp('a'), tcp('b')])
    tested.advance(10_000, (check) => tested.end(check, success(1)))
    await amend(tested, changeOf([], ['a']))
    const before = tested.started.length
    tested.advance(minuteMs, (check) => tested.end(check, success(1)))
    expect(new Set(tested.started.slice(before).map(({ monitorId }) => monitorId))).toEqual(new Set(['b']))
    const [row] = await amend(tested, changeOf([tcp('a')]))
    expect(tested.statusOf(row!)).toBe('unknown')
  })

  it('forgets the health of one whose check changes, and drops the result of the old check', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    const check = tested.next()
    const changed = tcp('a', { check: { type: 'tcp', interval: '10s', config: { host: 'other', port: 2 } } })
    await amend(tested, changeOf([changed]))
    tested.end(check, success(1))
    expect(tested.statusOf(check.row)).toBe('unknown')
    tested.end(tested.next(), success(1))
    expect(tested.statusOf(check.row)).toBe('up')
  })

  it('leaves state and phase of one that is only described otherwise', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    tested.end(tested.next(), success(1))
    const due = tested.flow.scheduler.nextDueMs(0)
    await amend(tested, changeOf([tcp('a', { name: 'another', tags: ['x'] })]))
    expect(tested.statusOf(0)).toBe('up')
    expect(tested.flow.scheduler.nextDueMs(0)).toBe(due)
    expect(tested.fleet.nameOf(0)).toBe('another')
  })

  it('lets a child wait no longer for a parent that it does not stand behind any more', async () => {
    const check = { type: 'tcp', interval: '30s', unhealthy_threshold: 1, config: { host: 'h', port: 1 } }
    const parent = tcp('parent', { check: { ...check, interval: '300s' } })
    const child = (parents: string[]) => tcp('child', { check, depends_on: parents })
    const tested = await EngineUnderTest.start([parent, tcp('other', { check }), child(['parent'])])
    const row = tested.fleet.rowOf('child')
    tested.advance(31_000, (one) => tested.end(one, success(1)))
    tested.end(nextOf(tested, 'child'), failure(1, 'refused'))
    expect(tested.statusOf(row)).toBe('down')
    await amend(tested, changeOf([child(['other'])]))
    expect(tested.statusOf(row)).toBe('down')
    tested.end(nextOf(tested, 'other'), success(1))
    expect(tested.statusOf(row)).toBe('incident')
  })

  it.each<[string, (parent: MonitorDocument, child: MonitorDocument) => FleetChange]>([
    ['it stands behind nobody any more', (_, child) => changeOf([{ ...child, depends_on: [] }])],
    ['its parent is disabled', (parent) => changeOf([{ ...parent, enabled: false }])],
    ['its parent leaves', () => changeOf([], ['parent'])],
  ])('opens what a child waits with when %s', async (_, change) => {
    const check = { type: 'tcp', interval: '30s', unhealthy_threshold: 1, config: { host: 'h', port: 1 } }
    const parent = tcp('parent', { check: { ...check, interval: '300s' } })
    const child = tcp('child', { check, depends_on: ['parent'] })
    const tested = await EngineUnderTest.start([parent, child])
    const row = tested.fleet.rowOf('child')
    tested.advance(31_000, (one) => tested.end(one, success(1)))
    tested.end(nextOf(tested, 'child'), failure(1, 'refused'))
    expect(tested.statusOf(row)).toBe('down')
    await amend(tested, change(parent, child))
    expect(tested.statusOf(row)).toBe('incident')
  })

  it('knows a parent that comes after its child, and forgets one that leaves', async () => {
    const tested = await EngineUnderTest.start([tcp('child', { depends_on: ['parent'] })])
    const { dependencies } = tested.parts
    const parents = () => dependencies.parentsOf(tested.fleet.rowOf('child')).parents
    expect(parents()).toEqual([])
    await amend(tested, changeOf([tcp('parent')]))
    expect(parents()).toEqual([tested.fleet.rowOf('parent')])
    await amend(tested, changeOf([], ['parent']))
    expect(parents()).toEqual([])
    await amend(tested, changeOf([tcp('parent'), tcp('child')]))
    expect(parents()).toEqual([])
  })

  it('takes a monitor into the maintenance that it is given, and out of it', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    tested.end(tested.next(), failure(1, 'refused'))
    const start = new Date(tested.clock.wallMs() - minuteMs).toISOString()
    const end = new Date(tested.clock.wallMs() + 10 * minuteMs).toISOString()
    await amend(tested, changeOf([tcp('a', { maintenance: [{ start, end }] })]))
    tested.advance(100)
    expect(tested.parts.health.isInMaintenance(0)).toBe(true)
    await amend(tested, changeOf([tcp('a')]))
    tested.advance(100)
    expect(tested.parts.health.isInMaintenance(0)).toBe(false)
  })

  it('ends the maintenance of a monitor that was given its windows later', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    const start = new Date(tested.clock.wallMs() + minuteMs).toISOString()
    const end = new Date(tested.clock.wallMs() + 2 * minuteMs).toISOString()
    await amend(tested, changeOf([tcp('b', { maintenance: [{ start, end }] })]))
    const row = tested.fleet.rowOf('b')
    const inMaintenance = () => tested.parts.health.isInMaintenance(row)
    const wait = (ms: number) => tested.advance(ms, (check) => tested.end(check, success(1)))
    expect(inMaintenance()).toBe(false)
    wait(90_000)
    expect(inMaintenance()).toBe(true)
    wait(60_000)
    expect(inMaintenance()).toBe(false)
  })

  it('switches a monitor off and on', async () => {
    const tested = await EngineUnderTest.start([tcp('a')])
    tested.end(tested.next(), success(1))
    await amend(tested, changeOf([tcp('a', { enabled: false })]))
    expect(tested.statusOf(0)).toBe('disabled')
    const before = tested.started.length
    tested.advance(minuteMs)
    expect(tested.started.length).toBe(before)
    await amend(tested, changeOf([tcp('a')]))
    tested.end(tested.next(), success(1))
    expect(tested.statusOf(0)).toBe('up')
  })

  it('grows the fleet far beyond what it began with', { tags: 'long' }, async () => {
    const tested = await EngineUnderTest.start([tcp('first')])
    for (let batch = 0; batch < 30; batch++)
      await amend(tested, changeOf(Array.from({ length: 100 }, (_, index) => tcp(`m${batch}-${index}`))))
    expect(tested.fleet.counts.total).toBe(3_001)
    const checked = new Set<string>()
    tested.advance(2 * minuteMs, (check) => {
      checked.add(check.monitorId)
      tested.end(check, success(1))
    })
    expect(checked.size).toBe(3_001)
    expect(tested.fleet.counts.byStatus).toEqual(
      Uint32Array.from(tested.fleet.counts.byStatus, (count) => (count > 0 ? 3_001 : 0)),
    )
  })
})
