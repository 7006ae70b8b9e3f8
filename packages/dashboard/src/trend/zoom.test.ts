import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gridOf } from './grid.ts'
import { generatedMs, trendWith } from './trend.fixture.ts'
import { fittingWindow } from './use-trend-window.ts'
import { closer, fitted, parseZoom, shifted, windowFor, zoomed, zoomText } from './zoom.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const grid = gridOf(trendWith([{ ago: 0 }]))
const ago = (fromMs: number, toMs: number) => ({ fromMs: generatedMs - fromMs, toMs: generatedMs - toMs })

describe('a part of a window', () => {
  it('is in the URL and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4e9 }), fc.integer({ min: 1, max: 1e7 }), (from, length) => {
        const zoom = { fromMs: from * 1000, toMs: (from + length) * 1000 }
        expect(parseZoom(zoomText(zoom))).toEqual(zoom)
      }),
    )
  })

  it.each([null, '', 'now', '5-5', '9-3', '1-2-3', '-1-5', '1e3-2e3', '99999999999999-999999999999999'])(
    'is none: %j',
    (text) => {
      expect(parseZoom(text)).toBeNull()
    },
  )

  it('has the whole cells that it touches', () => {
    const part = zoomed(grid, ago(hourMs, 30 * minuteMs))
    expect(part.slots).toHaveLength(7)
    expect([part.fromMs, part.toMs]).toEqual([part.slots[0]!.fromMs, part.slots.at(-1)!.toMs])
    expect(part.fromMs).toBeLessThanOrEqual(generatedMs - hourMs)
  })

  it.each([null, ago(900 * hourMs, 800 * hourMs), ago(minuteMs, 0)])(
    'is the whole window where nothing useful is left of it',
    (zoom) => {
      expect(zoomed(grid, zoom)).toBe(grid)
    },
  )

  it('always fits, and is never too narrow', () => {
    const someMs = fc.integer({ min: grid.fromMs - hourMs, max: grid.toMs + hourMs })
    fc.assert(
      fc.property(someMs, someMs, (one, other) => {
        const part = fitted(grid, { fromMs: Math.min(one, other), toMs: Math.max(one, other) })
        if (part === null) return
        expect(part.fromMs).toBeGreaterThanOrEqual(grid.fromMs)
        expect(part.toMs).toBeLessThanOrEqual(grid.toMs)
        expect(part.toMs - part.fromMs).toBeGreaterThanOrEqual(3 * grid.cellMs - 1)
        expect(zoomed(grid, part)).not.toBe(grid)
      }),
    )
  })

  it('gets closer around its middle, and moves by half of its length', () => {
    const first = closer(grid, null)!
    expect(first).toEqual({ fromMs: grid.toMs - 6 * hourMs, toMs: grid.toMs })
    const second = closer(grid, first)!
    expect(second.toMs - second.fromMs).toBe(3 * hourMs)
    expect(shifted(grid, second, -1)!.fromMs).toBe(second.fromMs - 1.5 * hourMs)
    expect(shifted(grid, first, 1)).toEqual(first)
  })

  it('is shown with the finest cells that reach back to it', () => {
    expect(windowFor(ago(50 * minuteMs, 0), grid, '24h')).toBe('1h')
    expect(windowFor(ago(5 * hourMs, 4 * hourMs), grid, '24h')).toBe('6h')
    expect(windowFor(ago(20 * hourMs, 0), grid, '7d')).toBe('24h')
    expect(windowFor(ago(50 * minuteMs, 0), grid, '1h')).toBe('1h')
    expect(windowFor(ago(80 * 24 * hourMs, 0), grid, '90d')).toBe('90d')
  })
})

describe('the window without one in the URL', () => {
  it.each([
    [10, '1h'],
    [60, '6h'],
    [280, '24h'],
  ] as const)('of a trend that began %i cells of five minutes ago is %s', (cells, window) => {
    expect(fittingWindow(trendWith([{ ago: 0 }, { ago: cells }]))).toBe(window)
  })

  it('is a day where nothing was counted, and where cells are too long', () => {
    expect(fittingWindow(trendWith([]))).toBe('24h')
    expect(fittingWindow(trendWith([{ ago: 0 }], { cell_seconds: 3_600 }))).toBe('24h')
  })
})
