// Which queued actions may start: pacing of destinations, the recovery budget, one intervention a target.
import { describe, expect, it } from 'vitest'
import { accepted, destination, LedgerUnderTest, minuteMs, retryLater } from './ledger.fixture.ts'

const names = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`)

function failing(count: number, limits = {}): LedgerUnderTest {
  const w = new LedgerUnderTest({ destinations: [destination('chat', limits)], routes: { yellow: ['chat'] } })
  for (const name of names(count)) w.monitor(name).fails(1)
  return w
}

function recovering(count: number, settings = {}): LedgerUnderTest {
  const w = new LedgerUnderTest({ routes: {}, settings })
  for (const name of names(count))
    w.monitor(name, { recoveryConfigured: true, unhealthyThreshold: 1 }).fails(1)
  return w
}

describe('a destination', () => {
  it('has at most so many deliveries under way', () => {
    const w = failing(6)
    const started = w.startsDue()
    expect([started.length, w.startsDue().length]).toEqual([4, 0])
    expect(w.ledger.view.waitOf(w.open().at(-1)!.id, w.now)).toBe('pacing')
    w.answers(started[0]!, accepted)
    expect(w.startsDue()).toHaveLength(1)
  })

  it('counts deliveries in flight from before it was taken out of the fleet and put back', () => {
    const chat = destination('chat', { maxInFlight: 1 })
    const w = new LedgerUnderTest({ destinations: [chat], routes: { yellow: ['chat'] } })
    w.monitor('first').fails(1)
    const [inFlight] = w.startsDue()
    w.reloads([])
    w.reloads([chat])
    w.monitor('second').fails(1)
    expect(w.startsDue()).toEqual([])
    w.answers(inFlight!, accepted)
    expect(w.waits(1000).startsDue()).toMatchObject([{ monitorId: 'second' }])
  })

  it('is not sent to faster than its rate', () => {
    const w = failing(3, { ratePerSecond: 2 })
    const at = w.now
    expect(w.startsDue()).toHaveLength(1)
    expect(w.ledger.nextStartAt(w.now)).toBe(at + 500)
    expect(w.waits(499).startsDue()).toEqual([])
    expect(w.waits(1).startsDue()).toHaveLength(1)
  })

  it('is left alone as long as it asks for, with all that is queued for it', () => {
    const w = failing(6)
    const [first] = w.startsDue()
    w.answers(first!, retryLater(30_000))
    expect(w.startsDue()).toEqual([])
    expect(w.ledger.view.destinations(w.now)).toEqual([
      { name: 'chat', state: 'limited', since: w.now, reason: '503', until: w.now + 30_000, queued: 3 },
    ])
    expect(w.ledger.view.waitOf(w.open().at(-2)!.id, w.now)).toBe('pacing')
    expect(w.waits(30_000).startsDue()).toHaveLength(1)
  })

  it('delays no other', () => {
    const w = new LedgerUnderTest({
      destinations: [destination('slow', { maxInFlight: 1 }), destination('fast')],
    })
    for (const name of names(5)) w.monitor(name).fails(1)
    const started = w.startsDue().map(({ endpoint }) => endpoint)
    expect([started.filter((e) => e === 'slow').length, started.filter((e) => e === 'fast').length]).toEqual([
      1, 4,
    ])
  })

  it('gets what was queued first first', () => {
    const w = failing(9, { maxInFlight: 1 })
    expect(w.delivers().map(({ monitorId }) => monitorId)).toEqual(names(9))
  })

  it('is visited in turn when a batch is full', () => {
    const w = new LedgerUnderTest({ destinations: ['a', 'b', 'c'].map((name) => destination(name)) })
    for (const name of names(3)) w.monitor(name).fails(1)
    const batch = () =>
      w
        .commit(w.ledger.startDue(w.now, w.guard, { interventions: 3, notifications: 3 }))
        .actions.map(({ endpoint }) => endpoint)
    expect([...batch(), ...batch(), ...batch()].sort()).toEqual([...'aaabbbccc'])
  })

  it('makes the next wait for a cooldown, and a second attempt for its time', () => {
    const w = failing(1)
    w.delivers()
    w.monitor('m0').succeeds(2).fails(1)
    expect(w.ledger.view.waitOf(w.open('yellow')[0]!.id, w.now)).toBe('cooldown')
    const other = failing(1)
    other.answers(other.startsDue()[0]!, retryLater())
    expect(other.ledger.view.waitOf(other.open('yellow')[0]!.id, other.now)).toBe('retry')
  })

  it('says when it is worth asking again', () => {
    const w = failing(1)
    expect(w.ledger.nextStartAt(w.now)).toBeLessThanOrEqual(w.now)
    const [yellow] = w.startsDue()
    expect(w.ledger.nextStartAt(w.now)).toBeNull()
    w.answers(yellow!, retryLater())
    expect(w.ledger.nextStartAt(w.now)).toBe(w.now + 4000)
  })

  it('counts what is queued for it, and not what was cancelled', () => {
    const w = failing(1)
    w.delivers()
    for (let flap = 0; flap < 5000; flap++) w.monitor('m0').succeeds(2).fails(1)
    expect(w.ledger.view.destinations(w.now)).toMatchObject([{ queued: 1 }])
  })
})

describe('interventions', () => {
  it('start at most as many in a minute as the budget allows; the rest is shown as held', () => {
    const w = recovering(12)
    expect(w.delivers()).toHaveLength(10)
    expect(w.ledger.view.interventions(w.now)).toEqual({ queued: 2, heldByBudget: 2 })
    expect(w.ledger.view.waitOf(w.open()[0]!.id, w.now)).toBe('budget')
    expect(w.ledger.nextStartAt(w.now)).toBe(w.now + minuteMs)
    expect(w.waits(minuteMs - 1).startsDue()).toEqual([])
    expect(w.waits(1).startsDue()).toHaveLength(2)
  })

  it('keep the budget over a restart', () => {
    const w = recovering(12)
    w.delivers()
    w.restarts(1000)
    for (const name of names(12)) w.monitor(name).fails(1)
    expect(w.startsDue()).toEqual([])
    expect(w.waits(minuteMs).startsDue()).toHaveLength(2)
  })

  it('take up a changed budget at once', () => {
    const w = recovering(12)
    w.delivers()
    w.settings = { ...w.settings, interventionsPerMinute: 11 }
    w.reloads(w.destinations)
    expect(w.startsDue()).toHaveLength(1)
  })

  it('are cancelled when the monitor recovers while it waits', () => {
    const w = recovering(12)
    w.delivers()
    w.monitor('m10').succeeds(2)
    w.waits(minuteMs)
    expect(w.startsDue()).toMatchObject([{ monitorId: 'm11' }])
  })

  it('run one at a time for one recovery target, in turn', () => {
    const w = new LedgerUnderTest({ routes: {} })
    for (const name of names(4)) {
      w.targets.set(name, name === 'm3' ? 'other' : 'database')
      w.monitor(name, { recoveryConfigured: true, unhealthyThreshold: 1 }).fails(1)
    }
    const started = w.startsDue()
    expect(started.map(({ monitorId }) => monitorId)).toEqual(['m0', 'm3'])
    expect(w.ledger.view.waitOf(w.open().find((one) => one.monitorId === 'm1')!.id, w.now)).toBe(
      'target_busy',
    )
    w.monitor('m1').succeeds(2)
    w.answers(started[0]!, accepted)
    expect(w.startsDue()).toMatchObject([{ monitorId: 'm2' }])
  })

  it('behind a busy target all start in the end, also when the next one was held and then cancelled', () => {
    const w = new LedgerUnderTest({ routes: {}, settings: { interventionsPerMinute: 2 } })
    for (const name of ['a', 'b', 'c']) {
      w.targets.set(name, 'database')
      w.monitor(name, { recoveryConfigured: true, unhealthyThreshold: 1 }).fails(1)
    }
    const [first] = w.startsDue()
    w.held.set('b', 'ancestor')
    w.answers(first!, accepted)
    expect(w.startsDue()).toMatchObject([{ monitorId: 'c' }])
    w.monitor('b').succeeds(2)
    expect(w.open()).toMatchObject([{ monitorId: 'c', state: 'started' }])
  })

  it('wait while an ancestor is in trouble, and let others pass', () => {
    const w = new LedgerUnderTest({ routes: {} })
    w.held.set('m0', 'ancestor')
    for (const name of names(2)) w.monitor(name, { recoveryConfigured: true, unhealthyThreshold: 1 }).fails(1)
    expect(w.startsDue()).toMatchObject([{ monitorId: 'm1' }])
    expect(w.ledger.view.waitOf(w.open().find((one) => one.monitorId === 'm0')!.id, w.now)).toBe('ancestor')
    w.held.clear()
    expect(w.waits(1000).startsDue()).toMatchObject([{ monitorId: 'm0' }])
  })
})
