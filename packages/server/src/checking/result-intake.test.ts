// The intake against the state machine that it stands for: whatever stays in columns, and however it cuts short, must
// come out as if every result had gone through the pure transition.
import { statuses } from '@pulseward/contract'
import { FakeClock } from '@pulseward/testing'
import { definitionOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure, type Outcome, type OutcomeStatus, success } from '../checks/driver.ts'
import { Ledger } from '../deciding/actions/ledger.ts'
import { Decider, type Input } from '../deciding/decide.ts'
import type { Decision } from '../deciding/decision.ts'
import { DependencyGraph } from '../deciding/dependency-graph.ts'
import { clear } from '../deciding/health/ancestors.ts'
import type { HealthRules } from '../deciding/health/health.ts'
import { type Health, newHealth } from '../deciding/health/health.ts'
import type { HealthInput } from '../deciding/health/input.ts'
import { consecutiveFailures, statusOf } from '../deciding/health/status.ts'
import type { Effect, MonitorEvent, Step } from '../deciding/health/step.ts'
import { transition } from '../deciding/health/transition.ts'
import { HealthTable } from '../deciding/health-table.ts'
import { MonitorRules } from '../deciding/monitor-rules.ts'
import { Escalations } from '../deciding/on-call/escalations.ts'
import type { Turn } from '../deciding/turn.ts'
import { arrange } from '../fleet/arrangement.ts'
import { Fleet } from '../fleet/fleet.ts'
import { ServiceTime } from '../platform/service-time.ts'
import { OwnFaultDetector } from '../self-watch/own-fault.ts'
import { TrendCells } from '../trends/trend-cells.ts'
import { LastChecks } from './last-checks.ts'
import { ResultBuffer } from './probe/result-buffer.ts'
import { ResultIntake } from './result-intake.ts'

const monitors = 3
const intervalMs = 10_000
const rules: HealthRules = {
  unhealthyThreshold: 2,
  healthyThreshold: 2,
  recoveryConfigured: false,
  settleMs: intervalMs,
  repeatMs: null,
}

function testFleet(): Fleet {
  const fleet = new Fleet(['tcp'])
  const documents = Array.from({ length: monitors }, (_, index) => ({
    id: `m${index}`,
    name: `m${index}`,
    check: {
      type: 'tcp',
      interval: '10s',
      config: { host: 'a', port: 1 },
      unhealthy_threshold: rules.unhealthyThreshold,
      healthy_threshold: rules.healthyThreshold,
    },
  }))
  fleet.apply(arrange(definitionOf(documents), null))
  return fleet
}

interface Told {
  readonly events: MonitorEvent[][]
  readonly effects: Effect[][]
}

const nothingTold = (): Told => ({
  events: Array.from({ length: monitors }, () => []),
  effects: Array.from({ length: monitors }, () => []),
})

function note(told: Told, row: number, { events, effects }: Step): void {
  told.events[row]!.push(...events)
  told.effects[row]!.push(...effects)
}

/** The intake, and beside it the bare state machine, fed with the same. */
class Twins implements Turn {
  readonly fleet = testFleet()
  readonly clock = new FakeClock()
  readonly told = nothingTold()
  /** Monitors that something is stored of. */
  readonly kept = new Set<number>()
  readonly toldByMachine = nothingTold()
  readonly health = new HealthTable(this.fleet)
  readonly ended: [row: number, excused: boolean][] = []
  readonly ownFault = new OwnFaultDetector()
  readonly #time = new ServiceTime(this.clock)
  readonly #machine: Health[]
  readonly #decider: Decider
  readonly #intake: ResultIntake

  constructor() {
    const { fleet, health, ownFault } = this
    const settings = { cooldownMs: 0, greenBypassesCooldown: false, interventionsPerMinute: 1 }
    const ids = () => 'id'
    this.#decider = new Decider({
      fleet,
      health,
      ledger: new Ledger({ settings, destinations: [], newId: ids }),
      escalations: new Escalations({
        fleet: () => fleet.definition,
        keepsAlerts: () => false,
        isEndOnItsWay: () => false,
        newId: ids,
      }),
      rules: new MonitorRules(fleet),
      dependencies: new DependencyGraph(fleet),
      ids,
      recoveryTargetOf: () => null,
    })
    this.#decider.fleetChanged()
    this.#intake = new ResultIntake({
      ...{ fleet, health, ownFault, time: this.#time },
      ...{ trends: new TrendCells(), lastChecks: new LastChecks() },
    })
    this.#machine = Array.from({ length: monitors }, (_, row) =>
      newHealth(this.fleet.columns.checkRevision[row]!),
    )
  }

  get now(): number {
    return this.#time.now()
  }

  decide(input: Input): Decision {
    const decision = this.#decider.decide(input, this.now)
    for (const { row, step, stored } of decision.steps) {
      note(this.told, row, step)
      if (stored === null) this.kept.delete(row)
      else this.kept.add(row)
    }
    return decision
  }

  afterCommit(): void {}

  get statuses(): string[] {
    return Array.from({ length: monitors }, (_, row) => statuses[this.fleet.columns.status[row]!]!)
  }

  get failures(): number[] {
    return [...this.fleet.columns.consecutiveFailures.subarray(0, monitors)]
  }

  get statusesByMachine(): string[] {
    return this.#machine.map(statusOf)
  }

  get failuresByMachine(): number[] {
    return this.#machine.map(consecutiveFailures)
  }

  /** One batch, each result of a check that was started for it; a stale one is of a check of long ago. */
  results(batch: readonly { row: number; outcome: Outcome; stale?: boolean }[]): void {
    this.clock.advance(1_000)
    const { columns } = this.fleet
    const nowMs = this.clock.monotonicMs()
    const buffer = new ResultBuffer()
    for (const { row, outcome, stale } of batch) {
      const generation = stale ? 0 : ++columns.generation[row]!
      buffer.add(row, generation, outcome, nowMs - 500, nowMs, false)
      this.#feedMachine(row, {
        kind: 'result',
        status: outcome.status,
        ownFault: false,
        warning: outcome.warning,
        reason: outcome.reason,
        from: null,
        generation,
        checkRevision: columns.checkRevision[row]!,
        startedAt: this.#time.at(nowMs - 500),
        finishedAt: this.#time.at(nowMs),
        context: { ancestors: clear, ids: { episode: 'id', incident: 'id', intervention: 'id' } },
      })
    }
    const taken = buffer.take()
    this.#intake.count(taken, this)
    for (const [position, { row }] of batch.entries()) {
      const words = taken.notes.find((one) => one.position === position) ?? null
      this.ended.push([row, this.#intake.take(this, taken, position, words)])
    }
  }

  lifecycle(row: number, kind: 'disabled' | 'enabled'): void {
    this.decide({ kind: 'monitor', row, input: { kind } })
    this.#feedMachine(row, { kind })
  }

  changeCheck(row: number): void {
    const { checkRevision, generation } = this.fleet.columns
    checkRevision[row]!++
    generation[row]!++
    this.decide({
      kind: 'monitor',
      row,
      input: { kind: 'configuration-changed', check: true, recovery: false },
    })
    const input = {
      kind: 'configuration-changed',
      checkRevision: checkRevision[row]!,
      recoveryChanged: false,
    } as const
    this.#feedMachine(row, input)
  }

  #feedMachine(row: number, input: HealthInput): void {
    const step = transition(this.#machine[row]!, input, rules, this.#time.at(this.clock.monotonicMs()))
    this.#machine[row] = step.state
    note(this.toldByMachine, row, step)
  }
}

const outcomes: Record<string, Outcome> = {
  success: success(3),
  renewed: success(3, 1_900_000_000_000),
  slow: { ...success(900), warning: 'it took 900 ms' },
  failure: failure(2, 'refused'),
  timeout: { ...failure(5, 'no reply', 'local'), status: 'timeout' },
  no_data: { ...failure(0, 'no ping here', 'local'), status: 'no_data' },
}

const row = fc.nat(monitors - 1)
const outcome = fc.oneof(
  { weight: 3, arbitrary: fc.constant(outcomes['success']!) },
  { weight: 4, arbitrary: fc.constantFrom(...Object.values(outcomes)) },
)
const stale = fc.oneof(
  { weight: 9, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
)
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('results' as const),
      // One result of a monitor at a time, as in life.
      batch: fc.uniqueArray(fc.record({ row, outcome, stale }), {
        minLength: 1,
        maxLength: monitors,
        selector: (result) => result.row,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('disabled' as const, 'enabled' as const), row }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), row }) },
)

describe('the intake of results', () => {
  it('gives the status, counters, events and effects that the state machine gives', () => {
    fc.assert(
      fc.property(fc.array(happening, { minLength: 1, maxLength: 40 }), (happenings) => {
        const twins = new Twins()
        for (const one of happenings) {
          if (one.kind === 'results') twins.results(one.batch)
          else if (one.kind === 'change') twins.changeCheck(one.row)
          else twins.lifecycle(one.row, one.kind)
          expect(twins.statuses).toEqual(twins.statusesByMachine)
          expect(twins.failures).toEqual(twins.failuresByMachine)
        }
        expect(twins.told).toEqual(twins.toldByMachine)
        const { byStatus } = twins.fleet.counts
        for (const [number, status] of statuses.entries())
          expect(byStatus[number]).toBe(twins.statuses.filter((each) => each === status).length)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps no object for a monitor that nothing is the matter with', () => {
    const twins = new Twins()
    twins.results([{ row: 0, outcome: outcomes['success']! }])
    expect(twins.kept.size).toBe(0)
    twins.results([{ row: 0, outcome: outcomes['failure']! }])
    expect(twins.kept.size).toBe(1)
    twins.results([{ row: 0, outcome: outcomes['success']! }])
    twins.results([{ row: 0, outcome: outcomes['success']! }])
    expect(twins.kept.size).toBe(0)
  })

  it('counts every check that said something, and shows the last one', () => {
    const twins = new Twins()
    const { columns } = twins.fleet
    for (const name of ['success', 'failure', 'no_data', 'success'])
      twins.results([{ row: 0, outcome: { ...outcomes[name]!, latencyMs: name.length } }])
    const succeededAt = twins.clock.wallMs()
    expect([columns.healthySamples[0], columns.totalSamples[0]]).toEqual([2, 3])
    expect([columns.lastCheck[0], columns.lastSuccess[0]]).toEqual([succeededAt, succeededAt])
    twins.results([{ row: 0, outcome: outcomes['no_data']! }])
    expect([columns.lastCheck[0], columns.lastSuccess[0]]).toEqual([succeededAt + 1_000, succeededAt])
    expect(columns.latencyMs[0]).toBe('success'.length)
  })

  it.each([
    [1e39, 86_400_000],
    [Number.POSITIVE_INFINITY, 86_400_000],
    [-1, 0],
  ])('holds a latency of %d ms, which no check can have, as %d', (given, held) => {
    const twins = new Twins()
    for (const name of ['success', 'failure']) {
      twins.results([{ row: 0, outcome: { ...outcomes[name]!, latencyMs: given } }])
      expect(twins.fleet.columns.latencyMs[0]).toBe(held)
    }
  })

  it('keeps the last error, and the certificate that was seen last with the time when it was', () => {
    const twins = new Twins()
    const { health } = twins
    twins.results([{ row: 0, outcome: outcomes['success']! }])
    expect(health.noteOf(0)).toBeNull()
    twins.results([{ row: 0, outcome: outcomes['renewed']! }])
    const seen = { certificateExpiresAt: 1_900_000_000_000, certificateObservedAt: twins.now }
    expect(health.noteOf(0)).toEqual({ lastError: null, ...seen })
    twins.clock.advance(1_000)
    twins.results([{ row: 0, outcome: outcomes['failure']! }])
    twins.results([{ row: 0, outcome: outcomes['success']! }])
    expect(health.noteOf(0)).toEqual({ lastError: 'refused', ...seen })
    twins.results([{ row: 0, outcome: outcomes['renewed']! }])
    expect(health.noteOf(0)).toMatchObject({ certificateObservedAt: twins.now })
    health.move(60_000, () => true)
    expect(health.noteOf(0)).toMatchObject({ certificateObservedAt: twins.now + 60_000 })
    health.forget(0)
    expect(health.noteOf(0)).toBeNull()
  })

  it('gives the words of a batch to the results that they belong to', () => {
    const twins = new Twins()
    twins.results([
      { row: 2, outcome: failure(1, 'for two') },
      { row: 0, outcome: success(1) },
      { row: 1, outcome: failure(1, 'for one') },
    ])
    expect([0, 1, 2].map((row) => twins.health.noteOf(row)?.lastError)).toEqual([
      undefined,
      'for one',
      'for two',
    ])
  })

  it('tells of the end of every check, also of one that says nothing any more', () => {
    const twins = new Twins()
    twins.results([
      { row: 0, outcome: success(1), stale: true },
      { row: 1, outcome: failure(1, 'x') },
    ])
    expect(twins.ended).toEqual([
      [0, false],
      [1, false],
    ])
    expect(twins.statuses).toEqual(['unknown', 'down', 'unknown'])
  })

  it.each<[OutcomeStatus, boolean]>([
    ['timeout', true],
    ['failure', false],
    ['no_data', false],
  ])('sets a %s that a stall caught aside: %s', (status, excused) => {
    const twins = new Twins()
    twins.results([{ row: 0, outcome: outcomes['success']! }])
    // The stall ends with the batch, which the checks below are judged in.
    twins.ownFault.lagged(5_000, twins.clock.wallMs() + 1_000)
    twins.results([{ row: 0, outcome: outcomes[status]! }])
    expect(twins.ended.at(-1)).toEqual([0, excused])
    expect(twins.statuses[0]).toBe(
      { timeout: 'unknown', failure: 'down', no_data: 'up' }[status as 'timeout'],
    )
  })
})
