// The promises of the scheduler under random fleets, pauses, slow checks and full queues, on a simulated clock.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DISTURBANCE_MS, Scheduler } from './scheduler.ts'
import { TICK_MS } from './timing-wheel.ts'

const EPOCH_MS = 1_700_000_000_000
const HASHES = fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), { minLength: 1, maxLength: 12 })
const intervalMs = fc.constantFrom(1_000, 1_500, 4_000, 10_000, 45_000)
const startMs = fc.integer({ min: 0, max: 200_000 })

/** Between two turns of the wheel: mostly a tick, now and then a lag or a pause. */
const gapMs = fc.oneof(
  { weight: 20, arbitrary: fc.constant(TICK_MS) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: DISTURBANCE_MS }) },
  { weight: 1, arbitrary: fc.integer({ min: DISTURBANCE_MS, max: 120_000 }) },
)

interface Told {
  monitor: number
  slotMs: number
  atMs: number
  started: boolean
}

function fleet(
  hashes: number[],
  interval: number,
  atMs: number,
  everChecked: boolean,
  accepts: () => boolean,
) {
  const told: Told[] = []
  let nowMs = atMs
  const scheduler = new Scheduler(hashes.length, atMs, EPOCH_MS + atMs, {
    due: (monitor, slotMs) => {
      const started = accepts()
      if (started) told.push({ monitor, slotMs, atMs: nowMs, started })
      return started
    },
    missed: (monitor, firstMs, count) => {
      for (let index = 0; index < count; index++) {
        told.push({ monitor, slotMs: firstMs + index * interval, atMs: nowMs, started: false })
      }
    },
    disturbed: () => undefined,
    identityHash: (monitor) => hashes[monitor]!,
  })
  for (const monitor of hashes.keys()) {
    scheduler.enroll(monitor, { intervalMs: interval, everChecked }, atMs, EPOCH_MS + atMs)
  }
  const advance = (byMs: number) => {
    nowMs += byMs
    scheduler.advance(nowMs, EPOCH_MS + nowMs)
    return nowMs
  }
  return { scheduler, told, advance }
}

describe('Scheduler, whatever happens', () => {
  it('is never early, tells every slot exactly once, and has one check of a monitor under way', () => {
    fc.assert(
      fc.property(
        HASHES,
        intervalMs,
        startMs,
        fc.array(fc.record({ gapMs, accepts: fc.boolean(), finishes: fc.nat(11) }), {
          minLength: 20,
          maxLength: 200,
        }),
        (hashes, interval, atMs, steps) => {
          let accepts = true
          const underWay = new Set<number>()
          const { scheduler, told, advance } = fleet(hashes, interval, atMs, true, () => accepts)
          for (const step of steps) {
            accepts = step.accepts
            const before = told.length
            const nowMs = advance(step.gapMs)
            for (const { monitor, slotMs, started } of told.slice(before)) {
              expect(slotMs).toBeLessThanOrEqual(nowMs)
              if (!started) continue
              expect(underWay.has(monitor)).toBe(false)
              underWay.add(monitor)
              if (step.gapMs > DISTURBANCE_MS) expect(slotMs).toBeGreaterThanOrEqual(nowMs - TICK_MS)
            }
            if (underWay.delete(step.finishes)) scheduler.finished(step.finishes)
          }
          for (const monitor of hashes.keys()) {
            const slots = told.filter((one) => one.monitor === monitor).map((one) => one.slotMs)
            const nextMs = scheduler.nextDueMs(monitor)!
            // Without a gap and without a repetition up to the slot that is armed: the counts are exact.
            expect(slots).toEqual(slots.map((_, index) => nextMs - (slots.length - index) * interval))
          }
          expect(scheduler.startedSlots + scheduler.missedSlots).toBe(told.length)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('checks every monitor in each interval when nothing hinders', () => {
    fc.assert(
      fc.property(HASHES, intervalMs, startMs, fc.boolean(), (hashes, interval, atMs, everChecked) => {
        const { scheduler, told, advance } = fleet(hashes, interval, atMs, everChecked, () => true)
        for (let passedMs = 0; passedMs < 3 * interval + TICK_MS; passedMs += TICK_MS) {
          advance(TICK_MS)
          for (const monitor of hashes.keys()) scheduler.finished(monitor)
        }
        expect(scheduler.missedSlots).toBe(0)
        for (const monitor of hashes.keys()) {
          const slots = [atMs, ...told.filter((one) => one.monitor === monitor).map((one) => one.slotMs)]
          expect(slots.length).toBeGreaterThanOrEqual(4)
          for (const [index, slotMs] of slots.slice(1).entries()) {
            expect(slotMs - slots[index]!).toBeLessThanOrEqual(interval)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('finds the same slots again after a restart, whenever that is', () => {
    fc.assert(
      fc.property(HASHES, intervalMs, startMs, startMs, (hashes, interval, firstMs, secondMs) => {
        const first = fleet(hashes, interval, firstMs, true, () => true).scheduler
        const second = fleet(hashes, interval, secondMs, true, () => true).scheduler
        for (const monitor of hashes.keys()) {
          expect(Math.abs(first.nextDueMs(monitor)! - second.nextDueMs(monitor)!) % interval).toBe(0)
        }
      }),
    )
  })

  it('is neither early nor twice in a slot under a clock with fractions beside one without', () => {
    const fraction = fc.double({ min: 0, max: 60_000, noNaN: true })
    fc.assert(
      fc.property(HASHES, intervalMs, fraction, fc.boolean(), (hashes, interval, atMs, everChecked) => {
        const lastMs = new Map<number, number>()
        let nowMs = atMs
        const wallMs = () => Math.floor(EPOCH_MS + nowMs)
        const scheduler: Scheduler = new Scheduler(hashes.length, nowMs, wallMs(), {
          due: (monitor, slotMs) => {
            expect(slotMs).toBeLessThanOrEqual(nowMs)
            const earliestMs =
              (lastMs.get(monitor) ?? Number.NEGATIVE_INFINITY) + Math.min(interval / 4, 15_000)
            expect(slotMs).toBeGreaterThanOrEqual(earliestMs)
            lastMs.set(monitor, slotMs)
            scheduler.finished(monitor)
            return true
          },
          missed: () => undefined,
          disturbed: () => undefined,
          identityHash: (monitor) => hashes[monitor]!,
        })
        for (const monitor of hashes.keys()) {
          scheduler.enroll(monitor, { intervalMs: interval, everChecked }, nowMs, wallMs())
        }
        for (; nowMs < atMs + 2 * interval; nowMs += 9.7) scheduler.advance(nowMs, wallMs())
        expect(lastMs.size).toBe(hashes.length)
        expect(scheduler.missedSlots).toBe(0)
      }),
      { numRuns: 50 },
    )
  })
})
