import type { Destination } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { destinationTrouble, worstFirst } from './destination-words.ts'

const destination = (name: string, state: Destination['state'], queued = 0): Destination => ({
  name,
  driver: 'webhook',
  state,
  since: null,
  reason: null,
  until: null,
  queued,
})

describe('destinations in trouble', () => {
  it('are said with how many, or by name', () => {
    const well = destination('mail', 'ok')
    expect(destinationTrouble([well, destination('ops', 'ailing')])).toBe(
      'The destination ops does not accept notifications.',
    )
    expect(destinationTrouble([well, destination('ops', 'ailing'), destination('pager', 'dead')])).toBe(
      '2 destinations do not accept notifications.',
    )
  })

  it('mean that no notifications are sent when there is no other', () => {
    expect(destinationTrouble([destination('ops', 'dead')])).toBe(
      'The only destination, ops, does not accept notifications: no notifications are sent.',
    )
    expect(destinationTrouble([destination('ops', 'ailing'), destination('pager', 'dead')])).toBe(
      'None of the 2 destinations accepts notifications: no notifications are sent.',
    )
  })

  it('are not those that work or asked for a pause', () => {
    expect(destinationTrouble([])).toBeNull()
    expect(destinationTrouble([destination('ops', 'ok'), destination('chat', 'limited')])).toBeNull()
  })

  it('come before those for which most waits', () => {
    const all = [
      destination('ok', 'ok', 9),
      destination('limited', 'limited', 1),
      destination('busy', 'limited', 3),
      destination('ailing', 'ailing'),
      destination('dead', 'dead'),
    ]
    expect(worstFirst(all).map(({ name }) => name)).toEqual(['dead', 'ailing', 'busy', 'limited', 'ok'])
  })
})
