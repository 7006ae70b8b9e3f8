// fleet-map/use-gestures.ts: wheel, drag, pinch and click on the map. A wheel that is scrolling the page
// keeps doing so when the map moves under it, and a finger scrolls the page while the whole map is visible.
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { CameraControl } from './use-camera.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

const pageScrollsForMs = 350
/** A shorter drag is a click of an unsteady hand. */
const dragPixels = 4

interface Gestures {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerCancel: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerLeave: () => void
}

export function useGestures(
  element: RefObject<HTMLElement | null>,
  control: CameraControl,
  onPoint: (at: Point | null) => void,
  onChoose: (at: Point) => void,
): Gestures {
  const pointers = useRef(new Map<number, Point>())
  const movedPixels = useRef(0)
  useWheelZoom(element, control)

  const end = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId)
    if (event.pointerType !== 'mouse') onPoint(null)
  }
  return {
    onPointerDown(event) {
      if (event.button !== 0) return
      if (pointers.current.size === 0) movedPixels.current = 0
      pointers.current.set(event.pointerId, pointOf(event))
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event) {
      const now = pointOf(event)
      const before = pointers.current.get(event.pointerId)
      if (before === undefined) {
        if (event.pointerType === 'mouse') onPoint(now)
        return
      }
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      movedPixels.current += distance(before, now)
      if (other === undefined) {
        if (movedPixels.current >= dragPixels) control.pan(before.x - now.x, before.y - now.y)
      } else pinch(control, other, before, now)
      pointers.current.set(event.pointerId, now)
      if (movedPixels.current >= dragPixels) onPoint(null)
    },
    onPointerUp(event) {
      const wasAlone = pointers.current.size === 1 && pointers.current.has(event.pointerId)
      end(event)
      if (wasAlone && movedPixels.current < dragPixels) onChoose(pointOf(event))
    },
    onPointerCancel: end,
    onPointerLeave: () => onPoint(null),
  }
}

function pinch(control: CameraControl, other: Point, before: Point, now: Point): void {
  const was = distance(other, before)
  if (was < 1) return
  control.zoom(distance(other, now) / was, { x: (other.x + now.x) / 2, y: (other.y + now.y) / 2 })
  control.pan((before.x - now.x) / 2, (before.y - now.y) / 2)
}

/** Not through React, whose wheel listeners are passive and cannot keep the page from scrolling. */
function useWheelZoom(element: RefObject<HTMLElement | null>, control: CameraControl): void {
  const latest = useRef(control)
  useEffect(() => {
    latest.current = control
  })
  useEffect(() => {
    const target = element.current
    if (target === null) return
    let pageScrolledAtMs = Number.NEGATIVE_INFINITY
    const noteScroll = () => {
      pageScrolledAtMs = performance.now()
    }
    const zoom = (event: WheelEvent) => {
      const factor = Math.exp(-wheelPixels(event) * (event.ctrlKey ? 0.01 : 0.0022))
      const pageScrolls = performance.now() - pageScrolledAtMs < pageScrollsForMs
      if ((pageScrolls && !event.ctrlKey) || !latest.current.canZoom(factor)) return
      event.preventDefault()
      const { left, top } = target.getBoundingClientRect()
      latest.current.zoom(factor, { x: event.clientX - left, y: event.clientY - top })
    }
    target.addEventListener('wheel', zoom, { passive: false })
    window.addEventListener('scroll', noteScroll, { passive: true })
    return () => {
      target.removeEventListener('wheel', zoom)
      window.removeEventListener('scroll', noteScroll)
    }
  }, [element])
}

function wheelPixels({ deltaY, deltaMode }: WheelEvent): number {
  return deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * 16 : deltaY
}

function pointOf(event: PointerEvent<HTMLElement>): Point {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
