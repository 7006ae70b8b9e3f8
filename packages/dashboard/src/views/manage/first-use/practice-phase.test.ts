import { expect, it } from 'vitest'
import { phaseOf } from './practice-phase.ts'

const closed = [{ type: 'incident_closed' }, { type: 'incident_opened' }] as const

it.each([
  ['is not checked yet', 'waiting', [true, false, undefined, []]],
  ['is up', 'up', [true, false, 'healthy', []]],
  ['is switched off', 'failing', [false, false, 'healthy', []]],
  ['has failed once', 'failing', [false, false, 'unhealthy', []]],
  ['has an incident', 'incident', [false, true, 'unhealthy', [{ type: 'incident_opened' }]]],
  ['is switched on during it', 'recovering', [true, true, 'unhealthy', [{ type: 'incident_opened' }]]],
  ['has recovered', 'recovered', [true, false, 'healthy', closed]],
  ['is switched off again', 'failing', [false, false, 'healthy', closed]],
  ['was off for less than an incident', 'up', [true, false, 'healthy', []]],
] as const)('the practice target %s: %s', (_, phase, [isOn, hasIncident, health, events]) => {
  expect(phaseOf(isOn, hasIncident, health, events)).toBe(phase)
})
