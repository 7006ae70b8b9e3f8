// The rules of behaviour.md §3, a title a sentence.
import { describe, expect, it } from 'vitest'
import { clear } from './ancestors.ts'
import type { Because } from './because.ts'
import type { HealthRules } from './health.ts'
import { inTrouble, MonitorUnderTest } from './monitor.fixture.ts'

const monitor = (rules: Partial<HealthRules> = {}) => new MonitorUnderTest(rules)
const recoverable = (rules: Partial<HealthRules> = {}) => monitor({ recoveryConfigured: true, ...rules })
const cancelled = (outcome: string, because: Because) => [{ kind: 'cancel-interventions', outcome, because }]

describe('results', () => {
  it('ignores an older generation and a repeated one', () => {
    const m = monitor().fails(2)
    const before = m.state
    m.gets(m.result({ generation: 1 })).gets(m.result({ generation: 2 }))
    expect(m.state).toBe(before)
  })

  it('ignores a result for another check configuration', () => {
    const m = monitor().succeeds().changesCheck()
    const before = m.state
    m.gets(m.result({ checkRevision: 1, status: 'failure' })).gets(m.result({ checkRevision: 3 }))
    expect(m.state).toBe(before)
  })

  it('lets no_data touch no streak and keep the last health', () => {
    const m = monitor().fails(2)
    const { episode } = m.state
    expect(m.saysNothing().state.episode).toBe(episode)
    expect(m.status).toBe('down')
    expect(monitor().succeeds().saysNothing().status).toBe('up')
    expect(monitor().saysNothing().status).toBe('unknown')
  })

  it('shows own fault as unknown until the next result, and counts nothing', () => {
    const m = monitor().succeeds().suffersOwnFault()
    expect([m.status, m.state.episode]).toEqual(['unknown', null])
    expect(m.succeeds().status).toBe('up')
    expect(m.fails(3).suffersOwnFault().status).toBe('incident')
  })
})

describe('1. failure or timeout', () => {
  it('sends yellow at the first failure of an episode only', () => {
    expect(monitor().fails(2).colors).toEqual(['yellow'])
    expect(monitor().timesOut(2).colors).toEqual(['yellow'])
  })

  it('opens the incident with an event and red at the unhealthy threshold', () => {
    const m = monitor().fails(2)
    expect([m.status, m.history]).toEqual(['down', []])
    m.timesOut()
    expect([m.status, m.history, m.colors]).toEqual(['incident', ['incident_opened'], ['yellow', 'red']])
  })

  it('remembers when the episode began, failed last and reached the threshold', () => {
    const m = monitor().fails()
    const firstFailureAt = m.now
    expect(m.state.episode).toMatchObject({ firstFailureAt, thresholdReachedAt: null })
    const thresholdReachedAt = m.fails(2).now
    m.fails()
    expect(m.state.episode).toMatchObject({ firstFailureAt, thresholdReachedAt, lastFailureAt: m.now })
  })

  it('opens nothing twice however long it fails', () => {
    const m = monitor().fails(50)
    expect([m.history, m.colors]).toEqual([['incident_opened'], ['yellow', 'red']])
  })

  it('queues exactly one intervention where a recovery is configured, and stays down', () => {
    const m = recoverable().fails(20)
    expect(m.ordered('queue-intervention')).toHaveLength(1)
    expect([m.status, m.history]).toEqual(['down', []])
  })

  it('clears a warning without a green', () => {
    const m = monitor().succeeds(1, 'expires soon').fails()
    expect([m.state.warning, m.colors]).toEqual([null, ['yellow', 'yellow']])
  })

  it('opens at once while an earlier intervention is held', () => {
    const m = recoverable().failsIntoIntervention().gets({ kind: 'disabled' })
    m.endsIntervention('unknown').gets({ kind: 'enabled' }).fails(3)
    expect(m.ordered('queue-intervention')).toHaveLength(1)
    expect(m.status).toBe('incident')
  })

  it('gives an open incident its one intervention when the hold ends', () => {
    const m = recoverable().failsIntoIntervention().gets({ kind: 'disabled' })
    m.endsIntervention('unknown').gets({ kind: 'enabled' }).fails(3).changesRecovery().fails(3)
    const { id: incidentId } = m.state.episode!.incident!
    expect(m.ordered('queue-intervention')).toMatchObject([{ incidentId: null }, { incidentId }])
    expect(m.startsIntervention().endsIntervention('accepted').status).toBe('verifying')
    expect(m.waits(5_000).succeeds(2).history).toEqual(['incident_opened', 'incident_closed recovered'])
  })
})

describe('2. intervention', () => {
  it('begins a verification with cyan when it is accepted', () => {
    const m = recoverable().failsIntoIntervention().endsIntervention('accepted')
    expect([m.status, m.colors]).toEqual(['verifying', ['yellow', 'cyan']])
    expect(m.state.episode?.verification).toMatchObject({ healthy: 0, needed: 2 })
  })

  it('neither counts nor fails checks that started before it was accepted or while it settles', () => {
    const m = recoverable().failsIntoIntervention()
    const early = m.now - 1
    m.endsIntervention('accepted')
    const { episode } = m.state
    m.gets(m.result({ status: 'failure', startedAt: early })).waits(4_999)
    m.gets(m.result({ status: 'timeout' })).gets(m.result({ status: 'success' }))
    expect(m.state.episode).toBe(episode)
    m.waits(1).gets(m.result({ status: 'success' }))
    expect(m.state.episode?.verification?.healthy).toBe(1)
  })

  it.each(['rejected', 'unknown'] as const)('opens the incident with red when it ends %s', (outcome) => {
    const m = recoverable().failsIntoIntervention().endsIntervention(outcome)
    expect([m.status, m.history, m.colors]).toEqual(['incident', ['incident_opened'], ['yellow', 'red']])
  })

  it.each(['rejected', 'unknown'] as const)(
    'recovers without an incident when it ends %s and the healthy threshold was reached meanwhile',
    (outcome) => {
      const m = recoverable().failsIntoIntervention().succeeds(2)
      expect(m.state.episode).not.toBeNull()
      m.endsIntervention(outcome)
      expect([m.status, m.history, m.colors]).toEqual(['up', [], ['yellow', 'green']])
      expect(m.state.hold).toBeNull()
    },
  )

  it('opens the incident when the healthy threshold was reached but the monitor fails again', () => {
    expect(
      recoverable().failsIntoIntervention().succeeds(2).fails().endsIntervention('rejected').status,
    ).toBe('incident')
  })

  it('verifies afresh when it is accepted after the healthy threshold was reached', () => {
    const m = recoverable().failsIntoIntervention().succeeds(5).endsIntervention('accepted')
    expect(m.status).toBe('verifying')
  })

  it('opens the incident at the next failure when a queued one was cancelled by somebody else', () => {
    const m = recoverable().fails(3).endsIntervention('cancelled')
    expect(m.status).toBe('down')
    expect(m.fails().status).toBe('incident')
  })

  it('takes a started one that is reported cancelled as unknown', () => {
    expect(recoverable().failsIntoIntervention().endsIntervention('cancelled').state.hold).not.toBeNull()
  })

  it('ignores the start and the end of an action it does not wait for', () => {
    const m = recoverable().fails(3)
    const before = m.state
    m.gets({ kind: 'action-started', actionId: 'other' })
    m.gets({ kind: 'action-ended', actionId: 'other', outcome: 'accepted', context: m.context() })
    expect(m.state).toBe(before)
  })

  it('is not tried again in the same episode', () => {
    const m = recoverable().failsIntoVerification().fails().succeeds().fails(9)
    expect(m.ordered('queue-intervention')).toHaveLength(1)
  })
})

describe('3. verification', () => {
  it('ends with the first failure, which opens the incident', () => {
    const m = recoverable().failsIntoVerification().succeeds().fails()
    expect([m.status, m.state.episode?.failures]).toEqual(['incident', 1])
    expect(m.colors).toEqual(['yellow', 'cyan', 'red'])
  })

  it('recovers when the count is reached, not before', () => {
    const m = recoverable({ healthyThreshold: 3 }).failsIntoVerification().succeeds(2)
    expect(m.status).toBe('verifying')
    m.succeeds()
    expect([m.status, m.colors, m.history]).toEqual(['up', ['yellow', 'cyan', 'green'], []])
  })

  it('is not touched by no_data or own fault', () => {
    const m = recoverable().failsIntoVerification().succeeds().saysNothing().suffersOwnFault()
    expect(m.state.episode?.verification?.healthy).toBe(1)
  })
})

describe('4. success', () => {
  it('sets the failure counter to 0 and the status to up at once without an incident', () => {
    const m = monitor().fails(2).succeeds()
    expect([m.status, m.state.episode?.failures, m.colors]).toEqual(['up', 0, ['yellow']])
  })

  it('keeps the incident until the healthy threshold', () => {
    const m = monitor().fails(3).succeeds()
    expect(m.status).toBe('incident')
    expect(m.fails().succeeds().status).toBe('incident')
    expect(m.succeeds().status).toBe('up')
  })

  it('counts failures from 1 again after a success', () => {
    expect(monitor().fails(2).succeeds().fails(2).status).toBe('down')
  })

  it('does not recover while an intervention is started', () => {
    const m = recoverable().failsIntoIntervention().succeeds(9)
    expect([m.status, m.colors]).toEqual(['up', ['yellow']])
  })
})

describe('5. recovered', () => {
  it('closes the incident and sends green', () => {
    const m = monitor().fails(3).succeeds(2)
    expect(m.history).toEqual(['incident_opened', 'incident_closed recovered'])
    expect([m.colors.at(-1), m.state.episode]).toEqual(['green', null])
  })

  it('cancels a queued intervention', () => {
    const m = recoverable().fails(3).succeeds(2)
    expect(m.ordered('cancel-interventions')).toEqual(
      cancelled('health_recovered', { kind: 'recovery_threshold', successes: 2, threshold: 2 }),
    )
    expect(m.state.intervention).toBeNull()
  })

  it('sends no green when nothing of the episode was sent, queued or started', () => {
    expect(monitor().dependsOn(inTrouble).fails(5).succeeds(2).colors).toEqual([])
  })

  it('sends its green when nothing but an intervention was queued', () => {
    const m = recoverable().dependsOn(inTrouble).fails(3).dependsOn(clear).fails()
    expect(m.ordered('queue-intervention')).toHaveLength(1)
    expect(m.succeeds(2).colors).toEqual(['green'])
  })

  it('sends its green even while a warning is active, before the yellow of a warning that rises with it', () => {
    expect(monitor().fails().succeeds(2, 'expires soon').colors).toEqual(['yellow', 'yellow', 'green'])
    expect(monitor().fails().succeeds().succeeds(1, 'expires soon').colors).toEqual([
      'yellow',
      'green',
      'yellow',
    ])
  })

  it('ends the hold of an unknown intervention', () => {
    const m = recoverable().failsIntoIntervention().endsIntervention('unknown')
    expect(m.state.hold).not.toBeNull()
    expect(m.succeeds(2).state.hold).toBeNull()
    expect(m.fails(3).ordered('queue-intervention')).toHaveLength(2)
  })

  it('tells the ledger that a new episode began, also when it sends nothing', () => {
    expect(monitor().dependsOn(inTrouble).fails(2).ordered('episode-began')).toHaveLength(1)
  })
})

describe('6. warning', () => {
  it('sends yellow when it rises and green when it falls with no episode', () => {
    const m = monitor().succeeds(3, 'expires soon')
    expect([m.status, m.colors]).toEqual(['degraded', ['yellow']])
    expect(m.succeeds().colors).toEqual(['yellow', 'green'])
  })

  it('takes new words without telling them again', () => {
    const m = monitor().succeeds(1, '7 days left').succeeds(1, '6 days left')
    expect([m.state.warning?.text, m.colors]).toEqual(['6 days left', ['yellow']])
  })

  it('never starts a recovery', () => {
    expect(recoverable().succeeds(20, 'slow').ordered('queue-intervention')).toEqual([])
  })

  it('leaves the green of its yellow to the episode that took it over', () => {
    const m = monitor().succeeds(1, 'expires soon').dependsOn(inTrouble).fails().dependsOn(clear).succeeds(2)
    expect(m.colors).toEqual(['yellow', 'green'])
  })
})

describe('7. thresholds', () => {
  it('acts at the first result with both at 1', () => {
    const m = monitor({ unhealthyThreshold: 1, healthyThreshold: 1 }).fails()
    expect(m.status).toBe('incident')
    expect(m.succeeds().status).toBe('up')
  })
})
