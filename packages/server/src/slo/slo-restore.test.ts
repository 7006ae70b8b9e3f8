import { describe, expect, it } from 'vitest'
import { SloWindow } from './slo-window.ts'

const settings = { drivers: ['http', 'tcp'], targets: { queueTargetMs: 250, resultTargetMs: 5_000 } }
const HTTP = 0
const TCP = 1
/** The wall time at which the first run's monotonic clock was 0. */
const EPOCH = 1_700_000_000_123.4

function firstRun(): SloWindow {
  const window = new SloWindow(settings, 1_234.5)
  for (let at = 2_000; at < 60_000; at += 10) {
    window.expected(HTTP, at)
    window.started(HTTP, at, at + (at % 300))
    window.finished(HTTP, at, at + (at % 300), at + (at % 7_000), at % 50 === 0 ? 'timeout' : 'success')
  }
  window.missed(TCP, 5_000, 3, 20_000)
  window.noteRecovery('held', 30_000)
  return window
}

describe('a restored window', () => {
  it('says the same as the original, on another monotonic clock, but for the gap', () => {
    const original = firstRun()
    const before = original.report(61_000, EPOCH + 61_000)
    const restored = SloWindow.restore(
      settings,
      original.snapshot(61_000, EPOCH + 61_000),
      7.5,
      EPOCH + 61_000,
    )
    expect(restored.report(7.5, EPOCH + 61_000)).toEqual({
      ...before,
      coverageComplete: false,
      gapStart: EPOCH + 61_000,
      gapEnd: EPOCH + 61_000,
    })
  })

  it('ages by the time that passed between the runs, which is a gap', () => {
    const original = firstRun()
    const restored = SloWindow.restore(
      settings,
      original.snapshot(61_000, EPOCH + 61_000),
      50,
      EPOCH + 320_000,
    )
    const now = original.report(320_000, EPOCH + 320_000)
    const { reports, ...rest } = restored.report(50, EPOCH + 320_000)
    expect(reports).toEqual(now.reports)
    expect(now.reports[0]!.samples).toBeLessThan(5_800)
    expect(rest).toMatchObject({
      coverageComplete: false,
      gapStart: EPOCH + 61_000,
      gapEnd: EPOCH + 320_000,
      recoveryCoverage: { held: 1 },
    })
    expect(restored.report(400_050, EPOCH + 720_000).coverageComplete).toBe(true)
  })

  it('counts on in the buckets it restored', () => {
    const original = firstRun()
    const restored = SloWindow.restore(
      settings,
      original.snapshot(61_000, EPOCH + 61_000),
      50,
      EPOCH + 61_000,
    )
    restored.missed(TCP, 100, 1, 60_000)
    expect(restored.report(200, EPOCH + 61_150).reports[1]).toMatchObject({ driver: 'tcp', missed: 4 })
  })

  it('keeps what was overdue, and forgets what nobody had judged yet', () => {
    const original = new SloWindow(settings, 0)
    original.expected(HTTP, 1_000)
    original.started(HTTP, 1_000, 1_001)
    original.expected(HTTP, 19_000)
    original.started(HTTP, 19_000, 19_001)
    expect(original.report(20_000, 20_000).reports[0]).toMatchObject({ overdue: 1, pending: 1 })
    const restored = SloWindow.restore(settings, original.snapshot(20_000, 20_000), 0, 100_000)
    expect(restored.report(0, 100_000).reports[0]).toMatchObject({
      overdue: 1,
      pending: 0,
      expected: 1,
      queueAttainment: 1,
    })
  })

  it('is not touched by what happens to the original after the snapshot', () => {
    const original = firstRun()
    const saved = original.snapshot(61_000, EPOCH + 61_000)
    original.missed(TCP, 60_500, 1, 60_000)
    const restored = SloWindow.restore(settings, saved, 0, EPOCH + 61_000)
    expect(restored.report(0, EPOCH + 61_000).reports[1]).toMatchObject({ missed: 3 })
  })

  it('survives a structured clone, which is how it travels to another thread', () => {
    const saved = structuredClone(firstRun().snapshot(61_000, EPOCH + 61_000))
    expect(
      SloWindow.restore(settings, saved, 0, EPOCH + 61_000).report(0, EPOCH + 61_000).reports,
    ).toHaveLength(2)
  })

  it('goes by the names of the drivers, whose numbers may have changed', () => {
    const saved = firstRun().snapshot(61_000, EPOCH + 61_000)
    const drivers = ['dns', 'tcp']
    const restored = SloWindow.restore({ ...settings, drivers }, saved, 0, EPOCH + 61_000)
    expect(restored.report(0, EPOCH + 61_000).reports).toMatchObject([{ driver: 'tcp', missed: 3 }])
  })

  it('lets no time pass when the wall clock was set back', () => {
    const original = firstRun()
    const saved = original.snapshot(61_000, EPOCH + 61_000)
    const restored = SloWindow.restore(settings, saved, 10, EPOCH - 86_400_000)
    const report = restored.report(10, EPOCH - 86_400_000)
    expect(report.reports).toEqual(original.report(61_000, EPOCH + 61_000).reports)
    expect(report).toMatchObject({ gapStart: EPOCH - 86_400_000, gapEnd: EPOCH - 86_400_000 })
  })

  it('holds nothing but the gap after an absence longer than the window, even one of ten thousand years', () => {
    const saved = firstRun().snapshot(61_000, EPOCH + 61_000)
    for (const wallMs of [EPOCH + 361_000, EPOCH + 3e14]) {
      const restored = SloWindow.restore(settings, saved, 10, wallMs)
      expect(restored.report(10, wallMs)).toMatchObject({
        reports: [],
        recoveryCoverage: { held: 0 },
        gapEnd: wallMs,
      })
      expect(restored.report(10, wallMs).gapStart).toBeCloseTo(EPOCH + 61_000, -1)
      restored.missed(TCP, 20, 1, 1_000)
      expect(restored.report(30, wallMs + 20).reports).toMatchObject([{ missed: 1 }])
    }
  })

  it.each([
    ['the queue target', { queueTargetMs: 300 }],
    ['the result target', { resultTargetMs: 1_000 }],
    ['the format', { format: 0 }],
  ])('holds nothing when %s is another one, and says that its window is a gap', (_what, difference) => {
    const saved = { ...firstRun().snapshot(61_000, EPOCH + 61_000), ...difference }
    const report = SloWindow.restore(settings, saved, 10, EPOCH + 70_000).report(10, EPOCH + 70_000)
    expect(report).toMatchObject({ reports: [], gapStart: EPOCH + 61_000 - 300_000, gapEnd: EPOCH + 70_000 })
  })

  it('keeps earlier gaps, and closes one that was open', () => {
    const original = firstRun()
    original.beginGap(20_000)
    original.endGap(21_000)
    original.beginGap(50_000)
    const saved = original.snapshot(61_000, EPOCH + 61_000)
    const restored = SloWindow.restore(settings, saved, 0, EPOCH + 90_000)
    const gapStartAt = (wallMs: number) => restored.report(wallMs - EPOCH - 90_000, wallMs).gapStart
    expect(gapStartAt(EPOCH + 90_000)).toBe(EPOCH + 20_000)
    expect(gapStartAt(EPOCH + 350_000)).toBe(EPOCH + 50_000)
    expect(gapStartAt(EPOCH + 400_000)).toBeNull()
  })
})
