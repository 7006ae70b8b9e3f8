import { describe, expect, it } from 'vitest'
import { placesOf } from '../config/places.ts'
import { Ballot } from './ballot.ts'
import { missingVote, voteOf } from './place-vote.ts'

function open() {
  const places = placesOf(['fra', 'iad'])!
  return new Ballot({ row: 1, generation: 1, places, offeredMs: 100 })
}

describe('a ballot', () => {
  it('closes with the last vote, and has the votes in the order of the places', () => {
    const ballot = open()
    expect(ballot.cast(voteOf('iad', 0, 5, null), 110)).toBe(true)
    expect([ballot.isClosed, ballot.awaits('fra'), ballot.awaits('iad')]).toEqual([false, true, false])
    expect(ballot.cast(voteOf('fra', 0, 5, null), 120)).toBe(true)
    expect(ballot.isClosed).toBe(true)
    expect(ballot.votes.map(({ location }) => location)).toEqual(['fra', 'iad'])
    expect(ballot.startedMs).toBe(110)
  })

  it('takes one vote of each place, and none of others', () => {
    const ballot = open()
    ballot.cast(voteOf('fra', 0, 5, null), 110)
    expect(ballot.cast(missingVote('fra', 'the probe fra-1 has disconnected'), 110)).toBe(false)
    expect(ballot.cast(voteOf('sin', 1, 5, null), 110)).toBe(false)
    expect(ballot.isClosed).toBe(false)
    ballot.cast(voteOf('iad', 0, 5, null), 110)
    expect(ballot.votes.map(({ status }) => status)).toEqual(['success', 'success'])
  })
})
