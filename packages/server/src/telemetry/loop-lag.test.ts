import { afterEach, expect, it } from 'vitest'
import { LoopLagMeter } from './loop-lag.ts'

const meters: LoopLagMeter[] = []

function newMeter(): LoopLagMeter {
  const meter = new LoopLagMeter(0)
  meters.push(meter)
  return meter
}

afterEach(() => {
  for (const meter of meters.splice(0)) meter[Symbol.dispose]()
})

function blockFor(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

/** Turns the loop until the meter says what is waited for; the test's own timeout is the bound. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}

it('says nothing before anything was sampled', () => {
  expect(newMeter().observe(0)).toBeNull()
})

it('sees a blocked loop, without the distance of its own samples', async () => {
  const meter = newMeter()
  await until(() => meter.observe(0) !== null)
  blockFor(300)
  await until(() => meter.observe(0)!.maxMs > 200)
  const lag = meter.observe(0)!
  expect(lag.p99Ms).toBeGreaterThanOrEqual(0)
  expect(lag.p99Ms).toBeLessThanOrEqual(lag.maxMs)
})

it('remembers a stall for at least thirty seconds and at most sixty', async () => {
  const meter = newMeter()
  await until(() => meter.observe(0) !== null)
  blockFor(300)
  await until(() => meter.observe(0)!.maxMs > 200)
  expect(meter.observe(30_000)!.maxMs).toBeGreaterThan(200)
  expect(meter.observe(59_999)!.maxMs).toBeGreaterThan(200)
  expect(meter.observe(60_000)?.maxMs ?? 0).toBeLessThan(200)
})

it('samples no more once it is disposed', async () => {
  const meter = newMeter()
  await until(() => meter.observe(0) !== null)
  meter[Symbol.dispose]()
  const before = meter.observe(0)!
  blockFor(300)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(meter.observe(0)).toEqual(before)
})
