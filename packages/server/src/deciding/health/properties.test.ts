// Long random lives of a monitor, under random rules: every step keeps the laws, and so does the whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Ancestors, clear } from './ancestors.ts'
import type { Health, HealthRules } from './health.ts'
import type { HealthInput, InterventionOutcome, ResultInput } from './input.ts'
import { brokenLaws } from './laws.fixture.ts'
import { asked, inTrouble, MonitorUnderTest, notChecked } from './monitor.fixture.ts'
import type { Effect } from './step.ts'
import { transition } from './transition.ts'

const someRules: fc.Arbitrary<HealthRules> = fc.record({
  unhealthyThreshold: fc.integer({ min: 1, max: 4 }),
  healthyThreshold: fc.integer({ min: 1, max: 3 }),
  recoveryConfigured: fc.boolean(),
  settleMs: fc.constantFrom(0, 15, 100),
  repeatMs: fc.constantFrom(null, 50),
})

type Deed = (monitor: MonitorUnderTest) => HealthInput

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })

const someResult: fc.Arbitrary<Deed> = fc
  .record({
    status: fc.constantFrom<ResultInput['status'][]>('success', 'success', 'failure', 'failure', 'timeout'),
    isSpoiled: fc.oneof(often(9, fc.constant(false)), often(1, fc.boolean())),
    saysNothing: fc.oneof(often(9, fc.constant(false)), often(1, fc.boolean())),
    warning: fc.oneof(often(6, fc.constant(null)), often(1, fc.constantFrom('slow', 'expires soon'))),
    generationStep: fc.oneof(
      often(12, fc.integer({ min: 1, max: 5 })),
      often(1, fc.integer({ min: -9, max: 0 })),
    ),
    revisionStep: fc.oneof(often(12, fc.constant(0)), often(1, fc.constantFrom(-1, 1))),
    tookMs: fc.integer({ min: 0, max: 40 }),
  })
  .map((r) => (m) => {
    const status = r.saysNothing ? 'no_data' : r.status
    const generation = m.state.generation + r.generationStep
    const checkRevision = m.state.checkRevision + r.revisionStep
    const startedAt = m.now - r.tookMs
    return m.result({
      status,
      ownFault: r.isSpoiled,
      warning: r.warning,
      generation,
      checkRevision,
      startedAt,
    })
  })

const someAnswer: fc.Arbitrary<Deed> = fc
  .constantFrom<InterventionOutcome[]>('accepted', 'accepted', 'rejected', 'unknown', 'cancelled')
  .map((outcome) => (m) => {
    const actionId = m.state.intervention?.actionId ?? 'nobody'
    return { kind: 'action-ended', actionId, outcome, context: m.context() }
  })

const someOther: fc.Arbitrary<Deed> = fc.constantFrom<Deed[]>(
  (m) => ({ kind: 'ancestor-checked', context: m.context() }),
  (m) => ({ kind: 'maintenance-began', name: null, untilWallMs: 2e12, context: m.context() }),
  () => ({ kind: 'maintenance-ended' }),
  () => ({ kind: 'maintenance-ended' }),
  () => ({ kind: 'disabled' }),
  () => ({ kind: 'enabled' }),
  () => ({ kind: 'enabled' }),
  () => ({ kind: 'removed' }),
  () => ({ kind: 'hold-reviewed' }),
  () => ({ kind: 'hold-restored' }),
  (m) => ({ kind: 'repeat-due', context: m.context() }),
  (m) => ({ kind: 'restarted', interventionRuns: false, context: m.context() }),
  (m) => ({ kind: 'restarted', interventionRuns: true, context: m.context() }),
  ({ state }) => ({
    kind: 'configuration-changed',
    checkRevision: state.checkRevision,
    recoveryChanged: true,
  }),
  ({ state }) => ({
    kind: 'configuration-changed',
    checkRevision: state.checkRevision + 1,
    recoveryChanged: false,
  }),
)

const incidentOf = ({ state }: MonitorUnderTest) => state.episode?.incident?.id ?? 'nobody'

const someControl: fc.Arbitrary<Deed> = fc.constantFrom<Deed[]>(
  (m) => ({ kind: 'snoozed', untilWallMs: m.now + 50, asked }),
  () => ({ kind: 'unsnoozed', asked }),
  () => ({ kind: 'snooze-expired' }),
  () => ({ kind: 'snooze-expired' }),
  (m) => ({ kind: 'acknowledged', incidentId: incidentOf(m), asked }),
  (m) => ({ kind: 'dismissed', incidentId: incidentOf(m), asked }),
  (m) => ({ kind: 'reopened', incidentId: incidentOf(m), asked }),
  (m) => ({ kind: 'recovery-requested', asked, context: m.context() }),
)

const someStart: fc.Arbitrary<Deed> = fc.constant((m) => ({
  kind: 'action-started',
  actionId: m.state.intervention?.actionId ?? 'nobody',
}))

interface Moment {
  readonly afterMs: number
  readonly ancestors: Ancestors
  readonly deed: Deed
}

const someMoment: fc.Arbitrary<Moment> = fc.record({
  afterMs: fc.integer({ min: 0, max: 30 }),
  ancestors: fc.oneof(
    often(8, fc.constant(clear)),
    often(1, fc.constantFrom<Ancestors[]>(inTrouble, notChecked)),
  ),
  deed: fc.oneof(
    often(14, someResult),
    often(3, someStart),
    often(3, someAnswer),
    often(3, someOther),
    often(2, someControl),
  ),
})
const someLife = fc.array(someMoment, { minLength: 1, maxLength: 120, size: 'max' })

interface Lived {
  readonly before: Health
  readonly input: HealthInput
  readonly now: number
  readonly monitor: MonitorUnderTest
}

function live(rules: HealthRules, life: readonly Moment[], visit: (moment: Lived) => void = () => {}) {
  const monitor = new MonitorUnderTest(rules)
  const states: Health[] = []
  for (const { afterMs, ancestors, deed } of life) {
    monitor.waits(afterMs).dependsOn(ancestors)
    const before = monitor.state
    const input = deed(monitor)
    monitor.gets(input)
    visit({ before, input, now: monitor.now, monitor })
    states.push(monitor.state)
  }
  return { monitor, states }
}

const episodesOf = (effects: readonly Effect[], kind: 'queue-intervention' | 'episode-began') =>
  effects.flatMap((effect) =>
    effect.kind === kind && !('because' in effect && effect.because.kind === 'control')
      ? [effect.episodeId]
      : [],
  )

describe('any life of a monitor', () => {
  it('keeps every law at every step', () => {
    fc.assert(
      fc.property(someRules, someLife, (rules, life) => {
        live(rules, life, ({ before, input, now }) => {
          const step = transition(before, input, rules, now)
          expect(brokenLaws({ before, input, rules, step })).toEqual([])
        })
      }),
      { numRuns: 300 },
    )
  })

  it('has its incidents opened and closed in turn, each closed under the id it was opened with', () => {
    fc.assert(
      fc.property(someRules, someLife, (rules, life) => {
        const { monitor } = live(rules, life)
        let open: string | null = null
        for (const event of monitor.events) {
          if (event.type !== 'incident_opened' && event.type !== 'incident_closed') continue
          expect(event.incidentId === open).toBe(event.type === 'incident_closed')
          expect(open === null).toBe(event.type === 'incident_opened')
          open = open === null ? event.incidentId : null
        }
        expect(monitor.state.episode?.incident?.id ?? null).toBe(open)
      }),
      { numRuns: 300 },
    )
  })

  it('has at most one intervention an episode that nobody asked for, and never two pending', () => {
    fc.assert(
      fc.property(someRules, someLife, (rules, life) => {
        const { monitor } = live({ ...rules, recoveryConfigured: true }, life)
        const episodes = episodesOf(monitor.effects, 'queue-intervention')
        expect(new Set(episodes).size).toBe(episodes.length)
        expect(episodesOf(monitor.effects, 'episode-began')).toEqual(expect.arrayContaining(episodes))
      }),
      { numRuns: 300 },
    )
  })

  it('sends a green only to close what it announced, and one at most', () => {
    fc.assert(
      fc.property(someRules, someLife, (rules, life) => {
        const { monitor } = live(rules, life)
        const announced = new Set<string | null>()
        let isWarned = false
        for (const effect of monitor.effects) {
          if (effect.kind === 'queue-intervention') announced.add(effect.episodeId)
          if (effect.kind !== 'notify') continue
          if (effect.color === 'green') {
            const isOwed = effect.cause === 'episode' && announced.delete(effect.episodeId)
            expect(isOwed || isWarned).toBe(true)
            if (!isOwed) isWarned = false
          } else if (effect.cause === 'warning') isWarned = true
          else if (effect.cause === 'episode') announced.add(effect.episodeId)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is the same when its inputs are replayed from what was written down', () => {
    fc.assert(
      fc.property(someRules, someLife, (rules, life) => {
        const log: string[] = []
        const { states } = live(rules, life, ({ input, now }) => log.push(JSON.stringify({ input, now })))
        let state: Health = new MonitorUnderTest().state
        const replayed = log.map((line) => {
          const { input, now } = JSON.parse(line) as { input: HealthInput; now: number }
          state = JSON.parse(JSON.stringify(transition(state, input, rules, now).state)) as Health
          return state
        })
        expect(replayed).toEqual(states)
      }),
      { numRuns: 150 },
    )
  })

  it('ends healthy and silent when it succeeds for long enough and nothing is pending', () => {
    fc.assert(
      fc.property(someRules, someLife, (rules, life) => {
        const { monitor } = live(rules, life)
        monitor
          .dependsOn(clear)
          .gets({ kind: 'enabled' })
          .isUnsnoozed()
          .endsIntervention('accepted')
          .endsMaintenance()
        monitor.waits(rules.settleMs).succeeds(rules.healthyThreshold + 1)
        expect([monitor.status, monitor.state.episode, monitor.state.hold]).toEqual(['up', null, null])
        const told = monitor.effects.length
        expect(monitor.succeeds(5).effects).toHaveLength(told)
      }),
      { numRuns: 150 },
    )
  })
})
