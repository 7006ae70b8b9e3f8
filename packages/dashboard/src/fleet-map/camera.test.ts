import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { between, type Camera, largestScale, panBy, wholeMap, zoomAt } from './camera.ts'

const extent = { width: 900, height: 330 }
const points = fc.record({
  x: fc.double({ min: 0, max: extent.width, noNaN: true }),
  y: fc.double({ min: 0, max: extent.height, noNaN: true }),
})
const steps = fc.array(
  fc.record({ factor: fc.double({ min: 0.2, max: 5, noNaN: true }), at: points, pan: points }),
  { maxLength: 8 },
)

const onMap = (camera: Camera, at: { x: number; y: number }) => camera.x + at.x / camera.scale

describe('the camera', () => {
  it('never leaves the map, however it is moved', () => {
    fc.assert(
      fc.property(steps, (moves) => {
        let camera = wholeMap
        for (const { factor, at, pan } of moves)
          camera = panBy(zoomAt(camera, factor, at, extent, 50), pan.x - 450, pan.y - 165, extent)
        expect(camera.scale).toBeGreaterThanOrEqual(1)
        expect(camera.scale).toBeLessThanOrEqual(50)
        expect(camera.x).toBeGreaterThanOrEqual(0)
        expect(camera.x + extent.width / camera.scale).toBeLessThanOrEqual(extent.width + 1e-6)
        expect(camera.y + extent.height / camera.scale).toBeLessThanOrEqual(extent.height + 1e-6)
      }),
    )
  })

  it('keeps the point under the pointer when it zooms in', () => {
    fc.assert(
      fc.property(points, fc.double({ min: 1, max: 9, noNaN: true }), (at, factor) => {
        expect(onMap(zoomAt(wholeMap, factor, at, extent, 50), at)).toBeCloseTo(at.x, 6)
      }),
    )
  })

  it('keeps it all the way of a glide', () => {
    const at = { x: 200, y: 100 }
    const to = zoomAt(wholeMap, 8, at, extent, 50)
    for (const progress of [0, 0.25, 0.5, 1])
      expect(onMap(between(wholeMap, to, progress), at)).toBeCloseTo(200, 6)
  })

  it('can come close enough to hit the smallest cell, within bounds', () => {
    expect(largestScale(0.6) * 0.6).toBeCloseTo(36)
    expect(largestScale(0)).toBe(400)
    expect(largestScale(40)).toBe(4)
  })
})
