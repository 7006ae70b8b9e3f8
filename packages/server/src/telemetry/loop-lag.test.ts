import { expect, it } from 'vitest'
import { LoopLagMeter } from './loop-lag.ts'

it('says nothing before anything was noted', () => {
  expect(new LoopLagMeter(0).observe(0)).toBeNull()
})

it('shows a stall as the longest lag, and not in the percentile of many', () => {
  const meter = new LoopLagMeter(0)
  for (let wakeUp = 0; wakeUp < 200; wakeUp++) meter.note(0.5)
  meter.note(300)
  const lag = meter.observe(1_000)!
  expect(lag.maxMs).toBeCloseTo(300, 0)
  expect(lag.p99Ms).toBeCloseTo(0.5, 1)
})

it('takes a loop that is never late for one without lag', () => {
  const meter = new LoopLagMeter(0)
  meter.note(0)
  expect(meter.observe(0)).toEqual({ p99Ms: 0, maxMs: 0 })
})

it('remembers a stall for at least thirty seconds and at most sixty', () => {
  const meter = new LoopLagMeter(0)
  meter.note(300)
  expect(meter.observe(30_000)!.maxMs).toBeGreaterThan(200)
  meter.note(1)
  expect(meter.observe(59_999)!.maxMs).toBeGreaterThan(200)
  expect(meter.observe(60_000)!.maxMs).toBeLessThan(2)
})
