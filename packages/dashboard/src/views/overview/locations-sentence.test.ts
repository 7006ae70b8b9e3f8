import type { LocationProbe } from '@pulseward/contract'
import { expect, it } from 'vitest'
import { locationsSentence } from './locations-sentence.ts'

const probe = (state: LocationProbe['state']): LocationProbe => ({
  name: 'a',
  principal: 'a',
  version: '0.1.0',
  connected_since: '2026-01-01T00:00:00.000Z',
  state,
  monitors: 1,
  in_flight: 0,
})
const at = (name: string, ...states: LocationProbe['state'][]) => ({ name, probes: states.map(probe) })

it.each([
  [[], null],
  [[at('fra', 'connected')], 'Location fra is connected.'],
  [
    [at('fra', 'connected'), at('iad', 'connected'), at('sin', 'draining', 'connected')],
    'Locations fra, iad and sin are connected.',
  ],
  [[at('fra')], 'Location fra is away.'],
  [
    [at('fra', 'connected'), at('iad'), at('sin', 'overloaded')],
    'Locations iad and sin are away; Location fra is connected.',
  ],
])('says of %j: %s', (locations, sentence) => {
  expect(locationsSentence(locations)).toBe(sentence)
})
