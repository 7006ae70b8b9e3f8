// deciding/actions/because-situations.fixture.ts: for every kind of reason a situation that makes it. A kind without a situation
// does not compile.
import { clear } from '../health/ancestors.ts'
import type { BecauseKind, OwnFaultBecause, PageBecause, PushBecause } from '../health/because.ts'
import { inTrouble, notChecked } from '../health/monitor.fixture.ts'
import { destination, gone, type LedgerUnderTest, minuteMs, rejected, retryLater } from './ledger.fixture.ts'

const dayMs = 86_400_000
export const recovering = { recoveryConfigured: true }

/** Fails into a recovery, which is answered. */
export function recovers(world: LedgerUnderTest, answer?: typeof rejected) {
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
export type Decided = Exclude<BecauseKind, OwnFaultBecause['kind'] | PushBecause['kind'] | OfPages>

export const situations: Readonly<Record<Decided, (world: LedgerUnderTest) => unknown>> = {
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
