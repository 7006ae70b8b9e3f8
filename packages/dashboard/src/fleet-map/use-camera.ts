// fleet-map/use-camera.ts: the camera as state. Gestures move it at once; buttons and keys move it smoothly,
// or at once for people who prefer less motion.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { between, type Camera, type Extent, panBy, wholeMap, within, zoomAt } from './camera.ts'

const glideMs = 180

export interface CameraControl {
  readonly camera: Camera
  zoom(factor: number, at?: { readonly x: number; readonly y: number }): void
  pan(x: number, y: number): void
  /** The same, animated, starting where the last animation ends. */
  glideZoom(factor: number): void
  glidePan(x: number, y: number): void
  showAll(): void
  /** Whether zooming by the factor would change anything. */
  canZoom(factor: number): boolean
}

export function useCamera(extent: Extent, scaleAtMost: number): CameraControl {
  const [stored, setCamera] = useState(wholeMap)
  const goal = useRef(wholeMap)
  const frame = useRef(0)
  const camera = useMemo(() => within(stored, extent), [stored, extent])

  const jump = useCallback((next: Camera) => {
    cancelAnimationFrame(frame.current)
    goal.current = next
    setCamera(next)
  }, [])
  const glide = useCallback(
    (from: Camera, to: Camera) => {
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) return jump(to)
      cancelAnimationFrame(frame.current)
      goal.current = to
      const startedAt = performance.now()
      const step = () => {
        const progress = Math.min(1, (performance.now() - startedAt) / glideMs)
        setCamera(between(from, to, 1 - (1 - progress) ** 3))
        if (progress < 1) frame.current = requestAnimationFrame(step)
      }
      frame.current = requestAnimationFrame(step)
    },
    [jump],
  )
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  const middle = { x: extent.width / 2, y: extent.height / 2 }
  return {
    camera,
    zoom: (factor, at = middle) => jump(zoomAt(goal.current, factor, at, extent, scaleAtMost)),
    pan: (x, y) => jump(panBy(goal.current, x, y, extent)),
    glideZoom: (factor) => glide(camera, zoomAt(goal.current, factor, middle, extent, scaleAtMost)),
    glidePan: (x, y) => glide(camera, panBy(goal.current, x, y, extent)),
    showAll: () => glide(camera, wholeMap),
    canZoom: (factor) => (factor > 1 ? camera.scale < scaleAtMost : camera.scale > 1),
  }
}
