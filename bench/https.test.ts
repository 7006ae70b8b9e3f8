import { describe, expect, it } from 'vitest'
import { withDueHandshakes, wrongSessions } from './https.ts'
import type { PeerFigures } from './peer-run.ts'

const row = { name: 'Pulseward', checks: 1_000, resumed: 900 } as PeerFigures

describe('the sessions of a run', () => {
  it('are resumed by the service as it is by default, and by nothing else', () => {
    expect(wrongSessions([row, { ...row, name: 'Go net/http', resumed: 0 }])).toEqual([])
    expect(wrongSessions([{ ...row, resumed: 899 }])).toEqual([
      'Pulseward resumed a session in 899 of 1000 checks.',
    ])
    expect(wrongSessions([{ ...row, name: 'Pulseward, all full', resumed: 1 }])).toHaveLength(1)
    expect(wrongSessions([{ ...row, checks: null, resumed: null }])).toEqual([])
  })
})

describe('the cost of a check whose sessions last five minutes', () => {
  it('has its share of full handshakes', () => {
    expect(withDueHandshakes(700, 1_000, 1)).toBe(701)
    expect(withDueHandshakes(700, 1_000, 30)).toBe(730)
    expect(withDueHandshakes(700, 1_000, 600)).toBe(1_000)
  })
})
