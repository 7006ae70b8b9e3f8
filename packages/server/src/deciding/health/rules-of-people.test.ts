// The rules of behaviour.md §3.8 to 3.10, §4 (hold, restart) and §6: what people, calendars, parents and restarts do.
import { describe, expect, it } from 'vitest'
import { clear } from './ancestors.ts'
import type { Because } from './because.ts'
import type { HealthRules } from './health.ts'
import { inTrouble, MonitorUnderTest, notChecked } from './monitor.fixture.ts'
import { repeatDueAt } from './on-time.ts'

const monitor = (rules: Partial<HealthRules> = {}) => new MonitorUnderTest(rules)
const recoverable = (rules: Partial<HealthRules> = {}) => monitor({ recoveryConfigured: true, ...rules })
const cancelled = (outcome: string, because: Because) => [{ kind: 'cancel-interventions', outcome, because }]

describe('8. maintenance', () => {
  it('counts on but opens and recovers nothing, and opens at the next failure after it', () => {
    const m = monitor().beginsMaintenance().fails(9)
    expect([m.status, m.history, m.state.episode?.failures]).toEqual(['down', [], 9])
    expect(m.endsMaintenance().status).toBe('down')
    expect(m.fails().status).toBe('incident')
    expect(recoverable().beginsMaintenance().fails(9).ordered('queue-intervention')).toEqual([])
  })

  it('cancels a queued intervention, and the incident opens at the next failure after it', () => {
    const m = recoverable().fails(3).beginsMaintenance()
    expect(m.ordered('cancel-interventions')).toEqual(
      cancelled('maintenance', { kind: 'maintenance', until: 2e12 }),
    )
    expect(m.endsMaintenance().fails().status).toBe('incident')
    expect(m.ordered('queue-intervention')).toHaveLength(1)
  })

  it('lets a verification go on, whose failure opens at the next failure after the window, below the threshold', () => {
    const m = recoverable().failsIntoVerification().succeeds().beginsMaintenance()
    expect(m.status).toBe('verifying')
    expect([m.fails().status, m.history]).toEqual(['down', []])
    expect([m.endsMaintenance().fails().status, m.state.episode?.failures]).toEqual(['incident', 2])
  })

  it('opens nothing afterwards when a success came meanwhile', () => {
    const m = recoverable().failsIntoVerification().beginsMaintenance().fails().succeeds().endsMaintenance()
    expect(m.fails().status).toBe('down')
  })

  it('opens nothing for an answer that comes in the window', () => {
    const m = recoverable().failsIntoIntervention().beginsMaintenance().endsIntervention('rejected')
    expect([m.status, m.history]).toEqual(['down', []])
    expect(m.endsMaintenance().fails().status).toBe('incident')
  })

  it('closes an incident that was open before', () => {
    const m = monitor().fails(3).beginsMaintenance().succeeds(2)
    expect(m.history).toEqual(['incident_opened', 'incident_closed recovered'])
  })

  it('sends gray once when it begins and once when it ends', () => {
    const m = monitor().beginsMaintenance().beginsMaintenance().endsMaintenance().endsMaintenance()
    expect(m.colors).toEqual(['gray', 'gray'])
  })

  it('sends no gray at its end when none was sent at its beginning', () => {
    const m = monitor().gets({ kind: 'disabled' }).beginsMaintenance().gets({ kind: 'enabled' })
    expect(m.endsMaintenance().colors).toEqual([])
  })
})

describe('9. disabled, removed, changed', () => {
  it.each(['disabled', 'removed'] as const)('closes the incident as %s without a green', (kind) => {
    const m = monitor().fails(3).gets({ kind })
    expect(m.history).toEqual(['incident_opened', `incident_closed ${kind}`])
    expect(m.colors).toEqual(['yellow', 'red'])
    expect(m.ordered('cancel-queued-actions')).toEqual([
      { kind: 'cancel-queued-actions', outcome: kind, because: { kind } },
    ])
    expect(m.status).toBe('disabled')
  })

  it('ignores results while disabled and is unknown when enabled again', () => {
    const m = monitor().fails(2).gets({ kind: 'disabled' })
    const before = m.state
    expect(m.fails(3).state).toBe(before)
    expect(m.gets({ kind: 'enabled' }).status).toBe('unknown')
    expect(m.succeeds().status).toBe('up')
  })

  it('removes a disabled monitor, disables no removed one, and takes a removed one back', () => {
    const m = monitor().gets({ kind: 'disabled' }).gets({ kind: 'removed' }).gets({ kind: 'disabled' })
    expect(m.state.lifecycle).toBe('removed')
    expect(m.gets({ kind: 'enabled' }).status).toBe('unknown')
  })

  it('lets a started intervention run to its end, which moves no later episode', () => {
    const m = recoverable().failsIntoIntervention().gets({ kind: 'disabled' }).gets({ kind: 'enabled' })
    m.fails(4)
    expect([m.status, m.ordered('queue-intervention').length]).toEqual(['down', 1])
    expect(m.endsIntervention('accepted').status).toBe('down')
    expect(m.fails().ordered('queue-intervention')).toHaveLength(2)
  })

  it('makes health unknown, streaks 0 and drops the verification when the check changes', () => {
    const m = recoverable().failsIntoVerification().succeeds().changesCheck()
    expect(m.status).toBe('unknown')
    expect(m.state.episode).toMatchObject({ failures: 0, healthyStreak: 0, verification: null })
  })

  it('keeps an open incident until the new check decides', () => {
    const m = monitor().fails(3).changesCheck()
    expect(m.status).toBe('incident')
    expect(m.succeeds(2).history).toEqual(['incident_opened', 'incident_closed recovered'])
  })

  it('forgets that an incident was due when the check changes', () => {
    const m = monitor().beginsMaintenance().fails(3).endsMaintenance().changesCheck()
    expect(m.fails(2).status).toBe('down')
    expect(m.fails().status).toBe('incident')
  })

  it('still owes the green of a yellow after the check changed', () => {
    expect(monitor().fails().changesCheck().succeeds(2).colors).toEqual(['yellow', 'green'])
  })

  it.each([
    ['changesCheck', 'check'],
    ['changesRecovery', 'recovery'],
  ] as const)('cancels a queued intervention: %s', (change, what) => {
    const m = recoverable().fails(3)[change]()
    expect(m.ordered('cancel-interventions')).toEqual(
      cancelled('configuration_changed', { kind: 'configuration_changed', what }),
    )
  })

  it('opens nothing for an answer while the changed check has not spoken', () => {
    const m = recoverable().failsIntoIntervention().changesCheck().endsIntervention('rejected')
    expect([m.status, m.history]).toEqual(['unknown', []])
    expect(m.fails(3).status).toBe('incident')
  })

  it('changes nothing when neither check nor recovery changed', () => {
    const m = recoverable().fails(3)
    const before = m.state
    m.gets({ kind: 'configuration-changed', checkRevision: 1, recoveryChanged: false })
    expect(m.state).toBe(before)
    expect(m.ordered('cancel-interventions')).toEqual([])
  })
})

describe('10. repeat', () => {
  it('sends red again while the incident stays open, not before it is due', () => {
    const m = monitor({ repeatMs: 60_000 }).fails(3)
    expect(repeatDueAt(m.state, m.rules)).toBe(m.now + 60_000)
    expect(m.waits(59_999).isDueToRepeat().colors).toEqual(['yellow', 'red'])
    expect(m.waits(1).isDueToRepeat().isDueToRepeat().colors).toEqual(['yellow', 'red', 'red'])
    expect(m.history).toEqual(['incident_opened'])
  })

  it('is off by default and when the incident is attended to, closed, or its parent is in trouble', () => {
    expect(monitor().fails(3).waits(1e9).isDueToRepeat().colors).toEqual(['yellow', 'red'])
    const m = monitor({ repeatMs: 1 }).fails(3).waits(5)
    expect(m.dependsOn(inTrouble).isDueToRepeat().colors).toEqual(['yellow', 'red'])
    expect(m.dependsOn(clear).succeeds(2).isDueToRepeat().colors).toEqual(['yellow', 'red', 'green'])
  })
})

describe('dependencies', () => {
  it('opens, recovers and sends nothing while an ancestor is in trouble, and says so once an episode', () => {
    const m = recoverable().dependsOn(inTrouble).fails(9)
    expect(m.effects.map((effect) => effect.kind)).toEqual(['episode-began'])
    expect([m.history, m.status]).toEqual([['incident_suppressed'], 'down'])
    expect(m.state.episode?.suppressedBy).toBe('edge-gateway')
    expect(m.succeeds(2).fails(4).history).toEqual(['incident_suppressed', 'incident_suppressed'])
  })

  it('is judged again at each failure', () => {
    const m = monitor().dependsOn(inTrouble).fails(5).dependsOn(clear)
    expect(m.status).toBe('down')
    expect([m.fails().status, m.state.episode?.suppressedBy]).toEqual(['incident', null])
  })

  it('leaves an incident that was open before as it is, and its green too', () => {
    const m = monitor().fails(3).dependsOn(inTrouble).fails(3)
    expect([m.status, m.state.episode?.suppressedBy]).toEqual(['incident', null])
    expect(m.succeeds(2).colors).toEqual(['yellow', 'red', 'green'])
    expect(m.history).toEqual(['incident_opened', 'incident_closed recovered'])
  })

  it('begins no cyan, warning or maintenance code while an ancestor is in trouble', () => {
    const m = recoverable().failsIntoIntervention().dependsOn(inTrouble).endsIntervention('accepted')
    expect([m.status, m.colors]).toEqual(['verifying', ['yellow']])
    expect(monitor().dependsOn(inTrouble).succeeds(1, 'slow').succeeds().colors).toEqual([])
    expect(monitor().dependsOn(inTrouble).beginsMaintenance().endsMaintenance().colors).toEqual([])
  })

  it('waits for the check of a parent that was not checked since the first failure', () => {
    const m = recoverable().dependsOn(notChecked).fails(3)
    expect([m.status, m.history, m.colors]).toEqual(['down', [], ['yellow']])
    const waiting = m.state
    // Asked once a second: a state that is another one would be written down every time.
    expect(m.gets({ kind: 'ancestor-checked', context: m.context() }).state).toBe(waiting)
    m.dependsOn(clear).gets({ kind: 'ancestor-checked', context: m.context() })
    expect(m.ordered('queue-intervention')).toHaveLength(1)
  })

  it('waits for the next failure instead when maintenance begins meanwhile', () => {
    const m = monitor().dependsOn(notChecked).fails(3).beginsMaintenance().endsMaintenance().dependsOn(clear)
    expect(m.gets({ kind: 'ancestor-checked', context: m.context() }).status).toBe('down')
    expect(m.fails().status).toBe('incident')
  })

  it('does not open for a parent that was checked after the child succeeded again', () => {
    const m = monitor().dependsOn(notChecked).fails(3).succeeds().dependsOn(clear)
    const before = m.state
    expect(m.gets({ kind: 'ancestor-checked', context: m.context() }).state).toBe(before)
  })
})

describe('restart and hold', () => {
  it('takes a started intervention as unknown: the incident opens and further ones are held', () => {
    const m = recoverable().failsIntoIntervention().restarts()
    expect([m.status, m.state.hold, m.state.intervention]).toEqual(['incident', { healthy: 0 }, null])
    expect(m.restarts().history).toEqual(['incident_opened'])
  })

  it('keeps a queued intervention, a verification and an incident', () => {
    for (const m of [recoverable().fails(3), recoverable().failsIntoVerification(), monitor().fails(3)]) {
      const before = m.state
      expect(m.restarts().state).toBe(before)
    }
  })

  it('still verifies and repeats when the wall clock went back between two runs', () => {
    const m = recoverable().failsIntoIntervention().endsIntervention('accepted').waits(-500_000).restarts()
    expect(m.waits(5_000).succeeds(2).status).toBe('up')
    const repeating = monitor({ repeatMs: 60_000 }).fails(3).waits(-500_000).restarts()
    expect(repeating.waits(60_000).isDueToRepeat().colors).toEqual(['yellow', 'red', 'red'])
  })

  it('takes what began in the future of a clock that went back as begun now', () => {
    const m = monitor().fails(3).waits(-500_000).restarts()
    const { firstFailureAt, incident } = m.state.episode!
    expect([firstFailureAt, incident!.openedAt]).toEqual([m.now, m.now])
    const warned = monitor().succeeds(1, 'slow').waits(-500_000).restarts()
    expect(warned.state.warning!.since).toBe(warned.now)
  })

  it('ends a hold by review, by a changed recovery, or by healthy checks outside an episode', () => {
    const held = () => {
      const m = recoverable().failsIntoIntervention().gets({ kind: 'disabled' }).endsIntervention('unknown')
      return m.gets({ kind: 'enabled' })
    }
    expect(held().gets({ kind: 'hold-reviewed' }).state.hold).toBeNull()
    expect(held().changesRecovery().state.hold).toBeNull()
    expect(held().succeeds().state.hold).toEqual({ healthy: 1 })
    expect(held().succeeds(2).state.hold).toBeNull()
  })
})
