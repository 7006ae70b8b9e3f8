import { Overview } from '@pulseward/contract'
import { definitionOf } from '@pulseward/testing/fleet'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { arrange } from '../fleet/arrangement.ts'
import { codeNumber, statusNumber } from '../fleet/columns.ts'
import { Fleet } from '../fleet/fleet.ts'
import { LiveIndex } from './live-index.ts'

const clock = { monotonicMs: () => 0, wallMs: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) }
const contract = Compile(Overview)

function fleetOf(count: number): Fleet {
  const monitors = Array.from({ length: count }, (_, number) => ({
    name: `m${number}`,
    check:
      number % 2 ? { type: 'icmp', config: { host: 'a' } } : { type: 'tcp', config: { host: 'a', port: 1 } },
  }))
  const fleet = new Fleet(['http', 'tcp', 'dns', 'icmp'])
  fleet.apply(arrange(definitionOf(monitors), null))
  return fleet
}

function overviewOf(fleet: Fleet): Overview {
  const overview = new LiveIndex(fleet, clock).overview()
  if (!overview.available) throw new Error(overview.reason)
  expect(contract.Errors(overview.value)).toEqual([])
  return overview.value
}

describe('the overview', () => {
  it('is not available before the fleet is loaded, which is not the same as empty', () => {
    expect(new LiveIndex(new Fleet([]), clock).overview()).toEqual({
      available: false,
      reason: 'the fleet has not been loaded yet',
    })
  })

  it('has every status, and null where nothing was measured', () => {
    expect(overviewOf(fleetOf(0))).toEqual({
      generated: '2026-01-02T03:04:05.006Z',
      stale: null,
      total: 0,
      disabled: 0,
      by_status: { disabled: 0, verifying: 0, incident: 0, down: 0, unknown: 0, degraded: 0, up: 0 },
      by_pulse_type: {},
      by_code: { red: 0, yellow: 0, cyan: 0, green: 0, gray: 0 },
      incidents: 0,
      up_percent: null,
      healthy_sample_percent: null,
      index_capped: false,
    })
  })

  it('counts disabled and unknown monitors, but leaves them out of the percentage', () => {
    const fleet = fleetOf(10)
    const statuses = [
      'disabled',
      'disabled',
      'unknown',
      'up',
      'up',
      'degraded',
      'down',
      'incident',
      'verifying',
      'up',
    ]
    statuses.forEach((status, row) => {
      fleet.setStatus(row, statusNumber[status as keyof typeof statusNumber])
    })
    fleet.setOpenedAt(7, 1_000)
    fleet.setCode(7, codeNumber.red)
    expect(overviewOf(fleet)).toMatchObject({
      total: 10,
      disabled: 2,
      by_status: { disabled: 2, verifying: 1, incident: 1, down: 1, unknown: 1, degraded: 1, up: 3 },
      by_pulse_type: { tcp: 5, icmp: 5 },
      by_code: { red: 1, green: 0 },
      incidents: 1,
      up_percent: (4 / 7) * 100,
    })
  })

  it('counts snoozed monitors among the disabled, and apart from them only in the edition with snoozes', () => {
    const fleet = fleetOf(3)
    for (const row of [0, 1]) fleet.setStatus(row, statusNumber.disabled)
    fleet.setSnoozed(1, true)
    expect(overviewOf(fleet)).not.toHaveProperty('snoozed')
    const inNext = () => new LiveIndex(fleet, clock, { countsSnoozed: true }).overview()
    expect(inNext()).toMatchObject({ value: { total: 3, disabled: 2, snoozed: 1 } })
    fleet.setSnoozed(1, false)
    expect(inNext()).toMatchObject({ value: { disabled: 2, snoozed: 0 } })
  })

  it('counts an open incident also while its monitor is verifying', () => {
    const fleet = fleetOf(2)
    fleet.setOpenedAt(0, 1_000)
    fleet.setStatus(0, statusNumber.verifying)
    expect(overviewOf(fleet)).toMatchObject({ by_status: { verifying: 1, incident: 0 }, incidents: 1 })
    fleet.setOpenedAt(0, 0)
    expect(overviewOf(fleet).incidents).toBe(0)
  })

  it('has no percentage while nothing is known', () => {
    expect(overviewOf(fleetOf(3)).up_percent).toBeNull()
  })

  it('adds up the samples of the whole fleet', () => {
    const fleet = fleetOf(2)
    fleet.showSamples(0, 9, 9)
    fleet.showSamples(1, 0, 1)
    expect(overviewOf(fleet).healthy_sample_percent).toBe(90)
  })

  it('follows every change at once', () => {
    const fleet = fleetOf(1)
    const index = new LiveIndex(fleet, clock)
    fleet.setStatus(0, statusNumber.up)
    expect(index.overview()).toMatchObject({ value: { up_percent: 100 } })
    fleet.setStatus(0, statusNumber.down)
    expect(index.overview()).toMatchObject({ value: { up_percent: 0 } })
  })
})
