// What customers are told about every mix of monitors.
import { statuses } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { type ComponentState, count, noTally, stateOf, worstOf } from './component-state.ts'

describe('a component', () => {
  it.each<[string, string, number, ComponentState]>([
    ['up up up', '', 0.5, 'operational'],
    ['up degraded', '', 0.5, 'operational'],
    // A single failure is not an outage.
    ['down down', '', 0.5, 'operational'],
    ['incident up up', '', 0.5, 'degraded_performance'],
    ['verifying up up', '', 0.5, 'degraded_performance'],
    ['incident up', '', 0.5, 'partial_outage'],
    ['incident up', '', 0.51, 'degraded_performance'],
    ['incident verifying', '', 0.5, 'major_outage'],
    ['incident', '', 1, 'major_outage'],
    ['incident up up', '', 0.01, 'partial_outage'],
    // What is not known is no part of the share.
    ['incident unknown disabled', '', 0.5, 'major_outage'],
    ['up unknown', '', 0.5, 'operational'],
    ['unknown disabled', '', 0.5, 'no_data'],
    ['', '', 0.5, 'no_data'],
    // Nor is what is in maintenance.
    ['', 'incident up', 0.5, 'under_maintenance'],
    ['unknown', 'up', 0.5, 'under_maintenance'],
    ['up', 'incident', 0.5, 'operational'],
    ['incident', 'up', 0.5, 'major_outage'],
    // A disabled monitor is not being maintained: nobody checks it.
    ['', 'disabled', 0.5, 'no_data'],
  ])(
    'of monitors %j, and %j in maintenance, with down_when %d, is %s',
    (open, inMaintenance, share, state) => {
      const tally = noTally()
      const words = (text: string) =>
        text.split(' ').filter((word) => word !== '') as (typeof statuses)[number][]
      for (const status of words(open)) count(tally, status, false)
      for (const status of words(inMaintenance)) count(tally, status, true)
      expect(stateOf(tally, share)).toBe(state)
    },
  )

  it('counts every status', () => {
    const tally = noTally()
    for (const status of statuses) count(tally, status, false)
    expect(tally).toEqual({ up: 3, down: 2, maintenance: 0, unknown: 2 })
  })
})

it('the page has the worst state of its components', () => {
  expect(worstOf(['operational', 'partial_outage', 'under_maintenance'])).toBe('partial_outage')
  expect(worstOf(['major_outage', 'partial_outage'])).toBe('major_outage')
  expect(worstOf(['no_data', 'under_maintenance'])).toBe('no_data')
  expect(worstOf(['operational', 'operational'])).toBe('operational')
})
