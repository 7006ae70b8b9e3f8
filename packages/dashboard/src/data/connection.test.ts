import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connection, endBeats, reportAnswer, reportBeat, reportSilence } from './connection.ts'

const everyMs = 2_000
const state = () => connection.get()
const beat = () => reportBeat(everyMs, Date.now())

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  endBeats()
  vi.useRealTimers()
})

describe('the connection', () => {
  it('is late after two missed beats, and lost since the last one after five', () => {
    beat()
    const lastAtMs = Date.now()
    vi.advanceTimersByTime(2 * everyMs)
    expect(state()).toEqual({ state: 'live' })
    vi.advanceTimersByTime(everyMs)
    expect(state()).toEqual({ state: 'late' })
    vi.advanceTimersByTime(2 * everyMs)
    expect(state()).toEqual({ state: 'late' })
    vi.advanceTimersByTime(everyMs)
    expect(state()).toEqual({ state: 'lost', sinceMs: lastAtMs })
  })

  it.each([
    ['a beat', beat],
    ['an answer', () => reportAnswer(Date.now())],
  ])('is live again with %s, from late and from lost', (_, sign) => {
    beat()
    for (const missed of [3, 6]) {
      vi.advanceTimersByTime(missed * everyMs)
      expect(state().state).toBe(missed === 3 ? 'late' : 'lost')
      sign()
      expect(state()).toEqual({ state: 'live' })
    }
    vi.advanceTimersByTime(3 * everyMs)
    expect(state()).toEqual({ state: 'late' })
  })

  it('is not judged by beats where there are none: before the first, and after the stream has ended', () => {
    reportAnswer(Date.now())
    vi.advanceTimersByTime(100 * everyMs)
    expect(state()).toEqual({ state: 'live' })
    beat()
    endBeats()
    vi.advanceTimersByTime(100 * everyMs)
    expect(state()).toEqual({ state: 'live' })
  })

  it('is lost at once when a request gets no answer, also while it is late', () => {
    beat()
    const lastAtMs = Date.now()
    vi.advanceTimersByTime(3 * everyMs)
    reportSilence(Date.now())
    expect(state()).toEqual({ state: 'lost', sinceMs: lastAtMs })
  })
})
