import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ancestors } from './ancestors.ts'
import { clear } from './ancestors.ts'
import type { Maintenance } from './health.ts'
import { inTrouble, MonitorUnderTest, notChecked } from './monitor.fixture.ts'
import { attention, isPlainSuccess, isQuiet, QUIET, quietHealth } from './quiet.ts'
import { transition } from './transition.ts'

describe('quiet', () => {
  it('lets a plain success on a quiet monitor change nothing but the generation', () => {
    const someMaintenance = fc.constantFrom<(Maintenance | null)[]>(
      null,
      { announced: true },
      { announced: false },
    )
    const someAncestors = fc.constantFrom<Ancestors[]>(clear, inTrouble, notChecked)
    const someThreshold = fc.integer({ min: 1, max: 9 })
    fc.assert(
      fc.property(
        fc.record({
          generation: fc.nat(),
          revision: fc.nat(),
          maintenance: someMaintenance,
          control: fc.constantFrom(null, { revision: 3, recoveriesAt: [1] }),
          ancestors: someAncestors,
          healthyThreshold: someThreshold,
          recoveryConfigured: fc.boolean(),
          later: fc.integer({ min: 1, max: 1e9 }),
        }),
        ({ generation, revision, maintenance, control, ancestors, later, ...rules }) => {
          const m = new MonitorUnderTest(rules).dependsOn(ancestors)
          m.state = quietHealth(generation, revision, maintenance, control)
          const result = m.result({ generation: generation + later })
          expect(isQuiet(m.state) && isPlainSuccess(result)).toBe(true)
          expect(transition(m.state, result, m.rules, m.now)).toEqual({
            state: quietHealth(generation + later, revision, maintenance, control),
            events: [],
            effects: [],
          })
        },
      ),
    )
  })

  it('is what a monitor becomes by succeeding, in maintenance or not', () => {
    const m = new MonitorUnderTest().succeeds()
    expect(m.state).toEqual(quietHealth(1, 1, null, null))
    expect(m.beginsMaintenance().state).toEqual(quietHealth(1, 1, { announced: true }, null))
  })

  it.each<[string, (m: MonitorUnderTest) => MonitorUnderTest]>([
    ['was never checked', (m) => m],
    ['is disabled', (m) => m.succeeds().gets({ kind: 'disabled' })],
    ['is snoozed', (m) => m.succeeds().isSnoozed()],
    ['was snoozed and not checked since', (m) => m.succeeds().isSnoozed().isUnsnoozed()],
    ['said nothing at its last check', (m) => m.succeeds().saysNothing()],
    ['suffered our own fault', (m) => m.succeeds().suffersOwnFault()],
    ['had its check changed', (m) => m.succeeds().changesCheck()],
    ['has a warning', (m) => m.succeeds(1, 'slow')],
    ['is in an episode', (m) => m.fails().succeeds()],
    [
      'has an intervention under way',
      (m) => m.failsIntoIntervention().gets({ kind: 'disabled' }).gets({ kind: 'enabled' }).succeeds(),
    ],
    [
      'is held',
      (m) =>
        m
          .failsIntoIntervention()
          .gets({ kind: 'disabled' })
          .endsIntervention('unknown')
          .gets({ kind: 'enabled' })
          .succeeds(),
    ],
  ])('is no monitor that %s', (_, lead) => {
    const m = lead(new MonitorUnderTest({ recoveryConfigured: true }))
    expect(attention(m.state)).not.toBe(QUIET)
    expect(attention(m.state)).toBeLessThan(256)
  })

  it.each([
    ['failure', { status: 'failure' }],
    ['warning', { warning: 'slow' }],
    ['own fault', { ownFault: true }],
  ] as const)('does not take a %s for a plain success', (_, result) => {
    expect(isPlainSuccess(new MonitorUnderTest().result(result))).toBe(false)
  })
})
