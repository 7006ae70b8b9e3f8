import { describe, expect, it } from 'vitest'
import { type Episode, type Health, newHealth } from './health.ts'
import { isWorthKeeping } from './worth-keeping.ts'

const incident = { id: 'incident', openedAt: 60_000, lastRedAt: 60_000 }
const episode: Episode = {
  ...{ id: 'episode', firstFailureAt: 60_000, lastFailureAt: 61_000, failures: 3, healthyStreak: 0 },
  ...{ thresholdReachedAt: 60_000, announced: true, recovery: 'untried', verification: null },
  ...{ withheld: null, suppressedBy: null, suppressionReported: false, incident },
}
const down: Health = { ...newHealth(1), generation: 7, known: true, lastOutcome: 'failure', episode }

const failedAgain = (state: Health, at: number): Health => ({
  ...state,
  generation: state.generation + 1,
  episode: { ...state.episode!, failures: state.episode!.failures + 1, lastFailureAt: at },
})

describe('what is worth keeping of a state', () => {
  it('is not another failure of an open incident', () => {
    expect(isWorthKeeping(down, failedAgain(down, 71_000))).toBe(false)
  })

  it('is the first failure of every minute, so that little is lost', () => {
    expect(isWorthKeeping(down, failedAgain(down, 120_000))).toBe(true)
  })

  it('is every failure before an incident: the threshold counts them', () => {
    const failing = { ...down, episode: { ...episode, incident: null } }
    expect(isWorthKeeping(failing, failedAgain(failing, 62_000))).toBe(true)
  })

  it('is whatever else changes', () => {
    const again = failedAgain(down, 62_000)
    const changed: readonly Health[] = [
      { ...again, episode: { ...again.episode!, healthyStreak: 1 } },
      { ...again, episode: { ...again.episode!, incident: { ...incident, lastRedAt: 62_000 } } },
      { ...again, episode: { ...again.episode!, verification: { healthy: 0, needed: 2, countsFrom: 0 } } },
      { ...again, episode: null },
      { ...again, lastOutcome: 'timeout' },
      { ...again, maintenance: { announced: false } },
      { ...again, lifecycle: 'disabled' },
    ]
    for (const state of changed) expect(isWorthKeeping(down, state)).toBe(true)
    expect(isWorthKeeping({ ...down, episode: null }, down)).toBe(true)
  })

  it('looks at every part of a state but those that a failure counts on', () => {
    const again = failedAgain(down, 62_000)
    const ofHealth = Object.keys(down).filter((key) => key !== 'generation' && key !== 'episode')
    for (const key of ofHealth) expect(isWorthKeeping(down, { ...again, [key]: 'another' }), key).toBe(true)
    const ofEpisode = Object.keys(episode).filter((key) => key !== 'failures' && key !== 'lastFailureAt')
    for (const key of ofEpisode) {
      const other = { ...again, episode: { ...again.episode!, [key]: 'another' } } as unknown as Health
      expect(isWorthKeeping(down, other), key).toBe(true)
    }
  })
})
