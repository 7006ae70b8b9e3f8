// Long random histories of a small fleet: results, answers, maintenance, restarts, gaps, reloads and time. After each
// deed the records say the same as the ledger, and nothing has happened that may never happen.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { clear } from '../health/ancestors.ts'
import {
  type Action,
  colorsByRank,
  isOpen,
  isUnknown,
  type ReviewResolution,
  reviewResolutions,
  reviewRevisionOf,
} from './action.ts'
import {
  accepted,
  destination,
  everyColorTo,
  type FedMonitor,
  gone,
  LedgerUnderTest,
  minuteMs,
  rejected,
  retryLater,
  review,
  unanswered,
} from './ledger.fixture.ts'
import type { Ledger } from './ledger.ts'
import type { LedgerDecision } from './ledger-decision.ts'

const monitors = ['a', 'b', 'c'] as const
const inTrouble = { kind: 'in-trouble', by: 'gateway' } as const
const chat = destination('chat', { maxInFlight: 2, ratePerSecond: 5 })
const mail = destination('mail', { maxInFlight: 1 })

type Deed = (world: LedgerUnderTest) => void

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })

const ofMonitor = (deed: (monitor: FedMonitor) => unknown): fc.Arbitrary<Deed> =>
  fc.constantFrom(...monitors).map((name) => (world) => void deed(world.monitor(name)))

const someResult = fc.oneof(
  often(
    6,
    ofMonitor((monitor) => monitor.fails(1)),
  ),
  often(
    2,
    ofMonitor((monitor) => monitor.fails(3)),
  ),
  often(
    4,
    ofMonitor((monitor) => monitor.succeeds(1)),
  ),
  often(
    3,
    ofMonitor((monitor) => monitor.succeeds(2)),
  ),
  often(
    2,
    ofMonitor((monitor) => monitor.succeeds(1, 'expires soon')),
  ),
)

const someCircumstance = fc.oneof(
  ofMonitor((monitor) => monitor.beginsMaintenance()),
  ofMonitor((monitor) => monitor.endsMaintenance()),
  ofMonitor((monitor) => monitor.gets({ kind: 'disabled' })),
  ofMonitor((monitor) => monitor.gets({ kind: 'enabled' })),
  ofMonitor((monitor) => monitor.changesRecovery()),
  ofMonitor((monitor) => monitor.isDueToRepeat()),
  ofMonitor((monitor) => monitor.dependsOn(monitor.ancestors === clear ? inTrouble : clear)),
)

const someControl = fc.oneof(
  ofMonitor((monitor) => monitor.isSnoozed()),
  ofMonitor((monitor) => monitor.isUnsnoozed()),
  ofMonitor((monitor) => monitor.isUnsnoozed()),
  ofMonitor((monitor) => monitor.isHandled('acknowledged')),
  ofMonitor((monitor) => monitor.isHandled('dismissed')),
  ofMonitor((monitor) => monitor.isHandled('reopened')),
  ofMonitor((monitor) => monitor.isToRecover()),
  fc.constantFrom<ReviewResolution[]>(...reviewResolutions).map(
    (resolution): Deed =>
      (world) => {
        const [action] = world.ledger.view.firstUnknown(1)
        if (action === undefined) return
        const found = review(resolution, world.now, reviewRevisionOf(action) + 1)
        world.decide((ledger) => ledger.review(action.id, found, world.now))
      },
  ),
)

const someOutcome = fc.oneof(
  often(6, fc.constant(accepted)),
  often(2, fc.constant(rejected)),
  often(3, fc.constantFrom<ActionOutcome[]>(retryLater(), retryLater(30_000))),
  often(2, fc.constant(unanswered)),
)

const someAnswer = fc.record({ outcome: someOutcome, which: fc.nat() }).map(
  ({ outcome, which }): Deed =>
    (world) => {
      const started = world.open().filter(({ state }) => state === 'started')
      // No two at the same moment: records do not say which of them came first.
      if (started.length > 0) world.waits(1).answers(started[which % started.length]!, outcome)
    },
)

const someTime = fc.constantFrom(1, 200, 4_000, 30_000, minuteMs, 5 * minuteMs).map(
  (ms): Deed =>
    (world) =>
      void world.waits(ms),
)

const start: fc.Arbitrary<Deed> = fc.constant((world) => void world.startsDue())

const restart: fc.Arbitrary<Deed> = fc
  .constantFrom(0, 1000, 10 * minuteMs)
  .map((downMs) => (world) => void world.restarts(downMs))

const someUpheaval = fc.oneof(
  restart,
  fc.constant<Deed>((world) => world.ledger.gapEnded(world.now)),
  fc.constant<Deed>(
    (world) => void world.reloads([chat, { ...mail, fingerprint: `changed at ${world.now}` }]),
  ),
  fc.constant<Deed>((world) => void world.reloads([chat])),
  fc.constant<Deed>((world) => {
    const [started] = world.open().filter(({ state, kind }) => state === 'started' && kind === 'code')
    if (started !== undefined) world.answers(started, gone)
  }),
  fc.constantFrom(...monitors).map(
    (name): Deed =>
      (world) =>
        void world.held.set(name, 'ancestor'),
  ),
  fc.constant<Deed>((world) => world.held.clear()),
)

const ordinary = [
  often(10, someResult),
  often(8, start),
  often(8, someAnswer),
  often(4, someTime),
  often(2, someCircumstance),
  often(2, someControl),
]
const someLife = fc.array(fc.oneof(...ordinary, often(1, someUpheaval)), {
  minLength: 1,
  maxLength: 120,
  size: 'max',
})
const someCalmLife = fc.array(fc.oneof(...ordinary), { minLength: 1, maxLength: 100, size: 'max' })

const rules = { recoveryConfigured: true, unhealthyThreshold: 2, repeatMs: 4 * minuteMs }

function newWorld(World = LedgerUnderTest, interventionsPerMinute = 2): LedgerUnderTest {
  const world = new World({
    destinations: [chat, mail],
    settings: { interventionsPerMinute, cooldownMs: minuteMs },
  })
  world.routes = { ...everyColorTo('chat', 'mail'), cyan: ['mail'], yellow: ['chat'] }
  for (const name of monitors) {
    world.monitor(name, rules)
    world.targets.set(name, name === 'c' ? 'other' : 'database')
  }
  return world
}

const openOf = (world: LedgerUnderTest, name: string) =>
  [...world.records.values()].filter((action) => action.monitorId === name && isOpen(action))

function expectAgreement(world: LedgerUnderTest): void {
  const byCode = { red: 0, yellow: 0, cyan: 0, green: 0, gray: 0 }
  for (const name of monitors) {
    const open = openOf(world, name)
    const keys = open.map(({ color, endpoint, kind }) => `${kind} ${color} ${endpoint}`)
    expect(new Set(keys).size).toBe(keys.length)
    const active = colorsByRank.filter((color) => open.some((action) => action.color === color))
    expect(world.ledger.view.activeColorsOf(name)).toEqual(active)
    expect(world.ledger.view.pendingColorOf(name)).toBe(active[0] ?? null)
    if (active[0] !== undefined) byCode[active[0]]++
    const unknown = [...world.records.values()].filter((one) => one.monitorId === name && isUnknown(one))
    expect(world.ledger.view.unknownActionsOf(name).all).toBe(unknown.length)
    expect(new Set(world.ledger.view.openActionsOf(name))).toEqual(new Set(open))
  }
  expect(world.ledger.view.monitorsByColor).toEqual(byCode)
}

function expectOrderlyStarts({ starts, settings }: LedgerUnderTest): void {
  const ids = starts.map(({ action }) => action.id)
  expect(new Set(ids).size).toBe(ids.length)
  const interventions = starts.filter(({ action }) => action.kind === 'intervention').map(({ at }) => at)
  for (const at of interventions)
    expect(interventions.filter((other) => other > at - minuteMs && other <= at).length).toBeLessThanOrEqual(
      settings.interventionsPerMinute,
    )
}

function expectPacing(world: LedgerUnderTest): void {
  for (const { name, maxInFlight } of [chat, mail]) {
    const underWay = world.open().filter(({ state, endpoint }) => state === 'started' && endpoint === name)
    expect(underWay.length).toBeLessThanOrEqual(maxInFlight)
  }
  const targets = world
    .open()
    .flatMap(({ state, kind, monitorId }) =>
      state === 'started' && kind === 'intervention' ? [world.targets.get(monitorId!)] : [],
    )
  expect(new Set(targets).size).toBe(targets.length)
}

describe('any history', () => {
  function agreesWithItsRecords(numRuns: number): void {
    fc.assert(
      fc.property(someLife, (life) => {
        const world = newWorld()
        for (const deed of life) {
          deed(world)
          expectAgreement(world)
          expectPacing(world)
        }
        expectOrderlyStarts(world)
      }),
      { numRuns },
    )
  }

  it('leaves a ledger that agrees with its records, and starts nothing twice, too soon or too much', () =>
    agreesWithItsRecords(50))

  it('does so in hundreds of lives', { tags: 'long' }, () => agreesWithItsRecords(250))

  it('leaves nothing queued without a reason, and nothing at all when every reason is gone', () => {
    fc.assert(
      fc.property(someLife, (life) => {
        const world = newWorld()
        for (const deed of life) deed(world)
        world.startsDue()
        for (const { id, state } of world.open())
          if (state === 'queued') expect(world.ledger.view.waitOf(id, world.now)).not.toBe('about_to_start')
        world.held.clear()
        // Nothing settles after a recovery any more: a failed check counts again.
        world.waits(60 * minuteMs)
        for (const name of monitors) world.monitor(name).dependsOn(clear).endsMaintenance().fails(1)
        for (let hour = 0; hour < 40 && world.open().length > 0; hour++) {
          for (const action of world.open()) if (action.state === 'started') world.answers(action, accepted)
          world.waits(60 * minuteMs).delivers()
        }
        expect(world.open()).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  function goesOnFromItsRecords(numRuns: number): void {
    fc.assert(
      fc.property(someCalmLife, someCalmLife, (life, afterlife) => {
        const world = newWorld(TwinWorld, 1000) as TwinWorld
        world.targets.clear()
        for (const deed of life) deed(world)
        world.waits(1)
        // Pauses and pacing are not kept: they are over before the two are compared.
        for (const action of world.open()) if (action.state === 'started') world.answers(action, accepted)
        world.waits(minuteMs)
        world.fork()
        for (const deed of afterlife) deed(world)
      }),
      { numRuns },
    )
  }

  it('goes on from its records as if it had never been interrupted', () => goesOnFromItsRecords(80))

  it('goes on so in hundreds of lives', { tags: 'long' }, () => goesOnFromItsRecords(250))
})

/** From the fork on, a ledger that was restored from the records hears all that the live one hears. */
class TwinWorld extends LedgerUnderTest {
  #twin: Ledger | null = null

  fork(): void {
    this.ledger.gapEnded(this.now)
    this.#twin = this.newLedger()
    expect(this.#twin.restore(this.recordsFor(0), this.now).actions).toEqual([])
  }

  override decide(ask: (ledger: Ledger) => LedgerDecision): LedgerDecision {
    if (this.#twin === null) return super.decide(ask)
    const { idsGiven } = this
    const twins = ask(this.#twin)
    this.idsGiven = idsGiven
    const decision = ask(this.ledger)
    expect(inOrder(twins)).toEqual(inOrder(decision))
    return this.commit(decision)
  }
}

// Destinations are served in turn, and whose turn it is differs.
function inOrder({ actions, events, health }: LedgerDecision) {
  const byId = (a: Action, b: Action) => a.id.localeCompare(b.id)
  return {
    actions: actions.toSorted(byId),
    events: new Set(events),
    health: new Set(health),
  }
}
