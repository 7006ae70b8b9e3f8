// Every kind of reason with a situation that makes it, and that no decision goes without one.
import { describe, expect, it } from 'vitest'
import { becauses } from '../health/because.fixture.ts'
import type { RecordedBecause } from '../health/because.ts'
import { isOpen } from './action.ts'
import { type Decided, recovering, recovers, situations } from './because-situations.fixture.ts'
import { LedgerUnderTest, minuteMs, rejected, retryLater } from './ledger.fixture.ts'

/** All that was recorded: with the events of monitors and of the ledger, and with its actions. */
function recorded(world: LedgerUnderTest): RecordedBecause[] {
  const actions = [...world.records.values()]
  return [
    ...world.monitor().events.map(({ because }) => because),
    ...world.events.map(({ because }) => because),
    ...actions.flatMap(({ because, delay = null, endedBecause = null }) => [because, delay, endedBecause]),
  ]
}

const kinds = Object.keys(situations) as Decided[]

describe('a decision records why', () => {
  it.each(kinds)('%s, with what was compared', (kind) => {
    const world = new LedgerUnderTest()
    situations[kind](world)
    expect(recorded(world)).toContainEqual(becauses[kind])
  })

  it.each(kinds)('and nothing goes without a reason: %s', (kind) => {
    const world = new LedgerUnderTest()
    situations[kind](world)
    for (const action of world.records.values()) {
      const { because, delay, endedBecause, state, notBefore, queuedAt, attempt } = action
      expect(because, action.id).not.toBeNull()
      if (notBefore > queuedAt || attempt > 1) expect(delay, action.id).toBeDefined()
      expect(endedBecause !== undefined, action.id).toBe(!isOpen(action) && state !== 'succeeded')
    }
    for (const { type, because } of world.events)
      expect(because === null, type).toBe(type === 'action_started' || type === 'action_succeeded')
  })

  it('says what stood in the way of a recovery when an incident opens without one', () => {
    const world = new LedgerUnderTest()
    const monitor = world.monitor('edge', recovering).fails(3).changesRecovery().fails(3)
    expect(monitor.events.at(-1)?.because).toMatchObject({ kind: 'threshold', recovery: 'cancelled' })
  })

  it('a retry has the reason of its first attempt, and a restart keeps why it waits', () => {
    const world = new LedgerUnderTest()
    situations.retry(world)
    const [retry] = world.open('yellow')
    expect(retry).toMatchObject({ attempt: 2, because: becauses.first_failure, delay: becauses.retry })
    expect(world.ledger.view.waitOf(retry!.id, world.now)).toBe('retry')
    world.restarts()
    expect(world.ledger.view.waitOf(retry!.id, world.now)).toBe('retry')
  })

  it('a cyan that still waits names the recovery that was accepted last', () => {
    const world = new LedgerUnderTest()
    world.routes = { cyan: ['chat'] }
    recovers(world, rejected)
    const accepts = () => {
      world.monitor().isToRecover()
      const [intervention] = world.startsDue()
      world.answers(intervention!, { kind: 'accepted' })
      return { kind: 'recovery_accepted', actionId: intervention!.id }
    }
    accepts()
    world.delivers(retryLater(10 * minuteMs))
    world
      .monitor()
      .waits(2 * minuteMs)
      .fails()
    const last = accepts()
    expect(world.open('cyan')).toMatchObject([{ state: 'queued', attempt: 2, because: last }])
  })

  it('an action of a version without reasons waits without one instead of a guess', () => {
    const world = new LedgerUnderTest()
    situations.retry(world)
    for (const [id, { delay: _, ...action }] of world.records)
      world.records.set(id, { ...action, because: null })
    world.restarts()
    const [retry] = world.open('yellow')
    expect(world.ledger.view.waitOf(retry!.id, world.now)).toBeNull()
  })
})
