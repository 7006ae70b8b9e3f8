import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fewestServers } from './queueing-theory.ts'
import { DEFAULT_BOUNDS, type Demand, sizePool, upperBound } from './sizing.ts'

const observed = (meanMs: number, cv: number | null = 1) => ({ meanMs, cv })
const size = (demand: Partial<Demand>, bounds = DEFAULT_BOUNDS) =>
  sizePool({ arrivalRate: 100, arrivalCv: 1, service: observed(50), ...demand }, 250, bounds)

describe('sizePool', () => {
  it('assumes 50 ms a job before any was observed', () => {
    const sizing = size({ arrivalRate: 16_667, service: null, arrivalCv: null })
    expect(sizing).toMatchObject({ model: 'awaiting_observations', recommended: 960 })
    expect(sizing.reason).toBe(
      '16,667 jobs per second of 50 ms (assumed, none was observed yet) keep 833 workers busy; ' +
        '834 keep the mean wait within 250 ms; 15 % headroom.',
    )
  })

  it('starts at the minimum while no arrival rate is known', () => {
    expect(size({ arrivalRate: null })).toMatchObject({ model: 'awaiting_observations', recommended: 5 })
  })

  it('takes the smallest count that meets the target, with 15 % headroom', () => {
    const load = { offeredLoad: 16_667 * 0.201, serviceMs: 201, arrivalCv: 12.9, serviceCv: 7 }
    const fewest = fewestServers(load, 250, 16_384)!
    expect(size({ arrivalRate: 16_667, service: observed(201, 7), arrivalCv: 12.9 })).toMatchObject({
      model: 'erlang_c_allen_cunneen',
      recommended: Math.ceil(fewest * 1.15),
    })
  })

  it('needs more workers the less regular jobs are', () => {
    const regular = size({ service: observed(1_000, 0) }).recommended
    expect(size({ service: observed(1_000, 7) }).recommended).toBeGreaterThan(regular)
  })

  it.each([
    ['arrivals', { arrivalCv: null }],
    ['services', { service: observed(1_000, null) }],
  ])('falls back to Little’s law while the variation of %s is unknown', (_, demand) => {
    const sizing = size({ service: observed(1_000), ...demand })
    expect(sizing).toMatchObject({ model: 'little_law_fallback', recommended: 115 })
  })

  it('says that the target cannot be met, and recommends all that is allowed', () => {
    const sizing = size({ arrivalRate: 16_667, service: observed(10_000) })
    expect(sizing).toMatchObject({ model: 'slo_unattainable', recommended: 16_384 })
    expect(sizing.reason).toContain('a queue that only grows')
    expect(size({ arrivalRate: 16_667, service: observed(10_000, null) })).toMatchObject({
      model: 'slo_unattainable',
      recommended: 16_384,
    })
  })

  it('is bounded by the file descriptors, also below the minimum, and says so', () => {
    const sizing = size({ service: observed(1_000, 0.1) }, { ...DEFAULT_BOUNDS, descriptors: 110 })
    expect(sizing.recommended).toBe(110)
    expect(sizing.reason).toContain('Cut to what the file descriptors allow, 110.')
    expect(upperBound({ ...DEFAULT_BOUNDS, descriptors: 3 })).toBe(3)
    expect(size({}, { ...DEFAULT_BOUNDS, descriptors: 3 }).recommended).toBe(3)
  })

  it('stays at the minimum for an idle pipeline', () => {
    const sizing = size({ arrivalRate: 0 })
    expect(sizing.recommended).toBe(5)
    expect(sizing.reason).toContain('Raised to the minimum of 5.')
  })

  it('always stays within its bounds and gives a reason', () => {
    const cv = fc.option(fc.double({ min: 0, max: 100, noNaN: true }))
    const rate = fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }))
    const service = fc.option(fc.record({ meanMs: fc.double({ min: 0, max: 1e6, noNaN: true }), cv }))
    fc.assert(
      fc.property(rate, cv, service, (arrivalRate, arrivalCv, service) => {
        const { recommended, reason } = size({ arrivalRate, arrivalCv, service })
        expect(Number.isInteger(recommended)).toBe(true)
        expect(recommended).toBeGreaterThanOrEqual(5)
        expect(recommended).toBeLessThanOrEqual(16_384)
        expect(reason).not.toMatch(/NaN|Infinity|∞|undefined/)
      }),
    )
  })
})
