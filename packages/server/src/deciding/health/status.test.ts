import { expect, it } from 'vitest'
import { inTrouble, MonitorUnderTest, notChecked } from './monitor.fixture.ts'
import { consecutiveFailures } from './status.ts'

type Life = (m: MonitorUnderTest) => MonitorUnderTest

it.each<[string | null, Life]>([
  ['unknown: no check has said anything yet', (m) => m],
  [null, (m) => m.succeeds()],
  ['disabled: not checked', (m) => m.fails(3).gets({ kind: 'disabled' })],
  ['degraded: certificate ends in 6 days', (m) => m.succeeds(1, 'certificate ends in 6 days')],
  [
    'unknown: the last check was spoiled by our own fault and says nothing about the target',
    (m) => m.succeeds().suffersOwnFault(),
  ],
  ['down: 2 of 3 failures', (m) => m.fails(2)],
  ['down: 3 failures in a row; a recovery action is queued', (m) => m.fails(3)],
  ['down: 4 failures in a row; a recovery action is running', (m) => m.failsIntoIntervention().fails()],
  ['down: 3 failures in a row; the recovery action was cancelled', (m) => m.fails(3).beginsMaintenance()],
  ['down: 1 failure; suppressed by edge-gateway', (m) => m.dependsOn(inTrouble).fails()],
  [
    'down: 3 failures in a row; waiting for the next check of what it depends on',
    (m) => m.dependsOn(notChecked).fails(3),
  ],
  ['down: 3 failures in a row; in maintenance', (m) => m.beginsMaintenance().fails(3)],
  [
    'down: 3 failures in a row; an incident opens at the next failure',
    (m) => m.failsIntoIntervention().beginsMaintenance().endsIntervention('rejected').endsMaintenance(),
  ],
  ['verifying: 0 of 2 healthy checks after the recovery action', (m) => m.failsIntoVerification()],
  ['verifying: 1 of 2 healthy checks after the recovery action', (m) => m.failsIntoVerification().succeeds()],
  [
    'incident: 1 failure; the recovery action did not help',
    (m) => m.failsIntoVerification().succeeds().fails(),
  ],
  [
    'incident: 3 failures in a row; the recovery action was rejected',
    (m) => m.failsIntoIntervention().endsIntervention('rejected'),
  ],
  [
    'incident: 1 of 2 healthy checks needed to close it; the outcome of the recovery action is unknown',
    (m) => m.failsIntoIntervention().endsIntervention('unknown').succeeds(),
  ],
  [
    'incident: 3 failures in a row; recovery is held: the outcome of an earlier action is unknown',
    (m) =>
      m
        .failsIntoIntervention()
        .gets({ kind: 'disabled' })
        .endsIntervention('unknown')
        .gets({ kind: 'enabled' })
        .fails(3),
  ],
  ['up: 1 of 2 healthy checks needed to count as recovered', (m) => m.fails().succeeds()],
  [
    'up: 2 of 2 healthy checks needed to count as recovered; a recovery action is running',
    (m) => m.failsIntoIntervention().succeeds(2),
  ],
])('says "%s"', (words, life) => {
  expect(life(new MonitorUnderTest({ recoveryConfigured: true })).reason).toBe(words)
})

it('shows the failures in a row, 0 outside an episode', () => {
  const m = new MonitorUnderTest().fails(2)
  expect(consecutiveFailures(m.state)).toBe(2)
  expect(consecutiveFailures(m.succeeds(2).state)).toBe(0)
})
