// Every kind of reason with a situation that makes it, and that no decision goes without one. A kind without a situation
// does not compile.
import { describe, expect, it } from 'vitest'
import { clear } from '../health/ancestors.ts'
import { becauses } from '../health/because.fixture.ts'
import type {
  BecauseKind,
  OwnFaultBecause,
  PageBecause,
  PushBecause,
  RecordedBecause,
} from '../health/because.ts'
import { inTrouble, notChecked } from '../health/monitor.fixture.ts'
import { isOpen } from './action.ts'
import { destination, gone, LedgerUnderTest, minuteMs, rejected, retryLater } from './ledger.fixture.ts'

const dayMs = 86_400_000
const recovering = { recoveryConfigured: true }

/** Fails into a recovery, which is answered. */
function recovers(world: LedgerUnderTest, answer?: typeof rejected) {
  const monitor = world.monitor('edge', recovering).fails(3)
  const [intervention] = world.startsDue().filter(({ kind }) => kind === 'intervention')
  world.answers(intervention!, answer ?? { kind: 'accepted' })
  return monitor.waits(monitor.rules.settleMs)
}

function untold(world: LedgerUnderTest): void {
  world.routes = { red: ['chat'] }
  world.monitor().fails(3).succeeds(2)
  world.waits(5 * minuteMs)
}

/** timeline-on-call.test.ts has them. */
type OfPages = PageBecause['kind'] | 'paged_recently' | 'page_ended' | 'page_paused' | 'page_restarted'

/** Own faults are decided where the service watches itself: own-fault.test.ts has them. */
type Decided = Exclude<BecauseKind, OwnFaultBecause['kind'] | PushBecause['kind'] | OfPages>

const situations: Readonly<Record<Decided, (world: LedgerUnderTest) => unknown>> = {
  first_failure: (world) => world.monitor().fails(),
  threshold: (world) => world.monitor().fails(3),
  withheld: (world) => {
    const monitor = world.monitor().dependsOn(notChecked).fails(3).dependsOn(clear)
    monitor.gets({ kind: 'ancestor-checked', context: monitor.context() })
  },
  still_failing: (world) => world.monitor().fails(3).isSnoozed().isUnsnoozed().fails(3),
  verification_failed: (world) => recovers(world).succeeds().fails(),
  recovery_failed: (world) => recovers(world, rejected),
  recovery_accepted: (world) => recovers(world),
  recovery_threshold: (world) => world.monitor().fails(3).succeeds(2),
  verified: (world) => recovers(world).succeeds(2),
  warning: (world) => world.monitor().succeeds(1, 'expires in 12 days'),
  warning_ended: (world) => {
    world.monitor().succeeds(1, 'expires in 12 days')
    world.delivers()
    world.monitor().succeeds()
  },
  ancestor: (world) => world.monitor().dependsOn(inTrouble).fails(3),
  maintenance: (world) => world.monitor().beginsMaintenance(),
  maintenance_ended: (world) => world.monitor().beginsMaintenance().endsMaintenance(),
  reminder: (world) => {
    world.monitor('edge', { repeatMs: minuteMs }).fails(3)
    world.delivers()
    world.monitor().waits(minuteMs).isDueToRepeat()
  },
  control: (world) => world.monitor().fails().isSnoozed(),
  snooze_expired: (world) => world.monitor().isSnoozed().gets({ kind: 'snooze-expired' }),
  dismissed: (world) => world.monitor().fails(3).isHandled('dismissed').succeeds(1, 'expires').fails(),
  disabled: (world) => world.monitor().fails().gets({ kind: 'disabled' }),
  removed: (world) => world.monitor().fails().gets({ kind: 'removed' }),
  configuration_changed: (world) => world.monitor('edge', recovering).fails(3).changesCheck(),
  superseded: (world) => world.monitor().fails(3),
  new_episode: (world) => {
    world.monitor().fails(3)
    world.delivers()
    world.monitor().succeeds(2).fails()
  },
  owed_green: (world) => {
    situations.new_episode(world)
    // What the new episode said is withdrawn with it, and it says nothing more.
    world
      .monitor()
      .gets({ kind: 'disabled' })
      .gets({ kind: 'enabled' })
      .dependsOn(inTrouble)
      .fails()
      .succeeds(2)
  },
  digest: (world) => {
    untold(world)
    world.startsDue()
  },
  nothing_untold: (world) => {
    world.reloads([destination('chat', { maxInFlight: 1 })])
    untold(world)
    world.monitor('other').fails(3)
    world.startsDue()
    world.monitor().gets({ kind: 'removed' })
    world.startsDue()
  },
  cooldown: (world) => {
    world.monitor().fails(3)
    world.delivers()
    world.monitor().succeeds(2).fails(3)
  },
  retry: (world) => {
    world.monitor().fails()
    world.delivers(retryLater())
  },
  answer: (world) => {
    world.monitor().fails()
    world.delivers(rejected)
  },
  interrupted: (world) => {
    world.monitor().fails()
    world.startsDue()
    world.restarts()
  },
  taken: (world) => {
    situations.not_taken(world)
    world.waits(16_000).delivers()
  },
  not_taken: (world) => {
    world.monitor().fails()
    for (let attempt = 0; attempt < 3; attempt++) world.waits(minuteMs).delivers(retryLater())
  },
  destination_dead: (world) => {
    world.monitor().fails()
    world.delivers(gone)
    world.monitor().fails(2)
  },
  given_up: (world) => {
    world.monitor().fails()
    world.delivers(retryLater())
    world.waits(dayMs).decide((ledger) => ledger.expire(world.now))
  },
  restored: (world) => {
    world.monitor().fails()
    world.isRestored(1_000)
  },
}

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
