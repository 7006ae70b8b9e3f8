// The failed check that decides is recorded with what it decides: with the opening of an incident, and with a recovery.
import { describe, expect, it } from 'vitest'
import { failureIn } from './because.ts'
import { MonitorUnderTest } from './monitor.fixture.ts'

const becauseOf = (m: MonitorUnderTest) =>
  m.events.findLast(({ type }) => type === 'incident_opened')?.because

describe('the cause of an incident', () => {
  it('is the check that reached the threshold, with how long the monitor had been failing', () => {
    const m = new MonitorUnderTest().fails(1, 'refused').fails(1, 'no route').waits(980).fails(1, 'HTTP 503')
    expect(becauseOf(m)).toEqual({
      kind: 'threshold',
      failures: 3,
      threshold: 3,
      failureClass: 'failure',
      failure: 'HTTP 503',
      failingMs: 1_000,
    })
    expect(m.effects.at(-1)).toMatchObject({ color: 'red', because: { failure: 'HTTP 503' } })
  })

  it('is the failed check before a recovery that did not help', () => {
    const m = new MonitorUnderTest({ recoveryConfigured: true }).fails(3, 'HTTP 503').startsIntervention()
    expect(m.ordered('queue-intervention')).toMatchObject([{ because: { failure: 'HTTP 503' } }])
    m.endsIntervention('rejected')
    expect(becauseOf(m)).toMatchObject({ kind: 'recovery_failed', failure: 'HTTP 503', failingMs: 20 })
  })

  it('is the check that fails after a recovery', () => {
    const m = new MonitorUnderTest({ recoveryConfigured: true }).fails(3, 'refused').startsIntervention()
    m.endsIntervention('accepted').waits(m.rules.settleMs).fails(1, 'HTTP 500')
    expect(becauseOf(m)).toMatchObject({ kind: 'verification_failed', failure: 'HTTP 500' })
  })

  it('names its class and the worker that saw it, and leaves out words that nobody gave', () => {
    const m = new MonitorUnderTest({ unhealthyThreshold: 1 })
    m.gets(m.result({ status: 'timeout', from: 'lab-1' }))
    const because = becauseOf(m)
    expect(because).toMatchObject({ failureClass: 'timeout', from: 'lab-1', failingMs: 0 })
    expect(because).not.toHaveProperty('failure')
    expect(failureIn(because as never)).toBeNull()
  })

  it('is bounded, whatever the check says', () => {
    const m = new MonitorUnderTest({ unhealthyThreshold: 1 }).fails(1, '😀'.repeat(100_000))
    const words = failureIn(becauseOf(m) as never)!
    expect([...words]).toHaveLength(500)
    expect(words.isWellFormed()).toBe(true)
    expect(JSON.stringify(m.state).length).toBeLessThan(3_000)
  })

  it('is not invented for an episode of a version that did not keep it', () => {
    const m = new MonitorUnderTest({ recoveryConfigured: true }).fails(3).startsIntervention()
    const { lastFailure: _, ...episode } = m.state.episode!
    m.state = { ...m.state, episode }
    m.endsIntervention('rejected')
    expect(becauseOf(m)).toEqual({ kind: 'recovery_failed', actionId: 'action-3', outcome: 'rejected' })
  })

  it('costs a quiet monitor nothing: with its episode it is gone', () => {
    const m = new MonitorUnderTest().fails(3).succeeds(2)
    expect(m.state.episode).toBeNull()
    expect(JSON.stringify(m.state)).not.toContain('refused')
  })
})
