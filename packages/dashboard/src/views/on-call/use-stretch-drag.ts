// views/on-call/use-stretch-drag.ts: marks a time by dragging over the rows of a calendar with a mouse or a pen. Fingers scroll,
// a click stays a click, and Escape ends it.
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { type PlaceInWeeks, type Stretch, stretchBetween } from './dragged-stretch.ts'
import type { Week } from './weeks.ts'

/** A shorter one is a click. */
const leastPixels = 6

interface Drag {
  readonly x: number
  readonly y: number
  readonly place: PlaceInWeeks
  isLong: boolean
}

/** `onMark` null: nothing can be marked. The handlers belong to the list whose items are the weeks. */
export function useStretchDrag(weeks: readonly Week[], onMark: ((stretch: Stretch) => void) | null) {
  const drag = useRef<Drag | null>(null)
  const wasDragged = useRef(false)
  const [marked, setMarked] = useState<Stretch | null>(null)
  const end = () => {
    drag.current = null
    setMarked(null)
  }
  useEffect(() => {
    if (marked === null) return
    const cancel = (event: KeyboardEvent) => event.key === 'Escape' && end()
    addEventListener('keydown', cancel)
    return () => removeEventListener('keydown', cancel)
  })
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      wasDragged.current = false
      if (onMark === null || event.button !== 0 || event.pointerType === 'touch') return
      drag.current = { x: event.clientX, y: event.clientY, place: placeOf(event), isLong: false }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { current } = drag
      if (current === null) return
      if (!current.isLong) {
        if (Math.hypot(event.clientX - current.x, event.clientY - current.y) < leastPixels) return
        current.isLong = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }
      setMarked(stretchBetween(weeks, current.place, placeOf(event)))
    },
    onPointerUp() {
      const isDone = drag.current?.isLong === true && marked !== null
      wasDragged.current = isDone
      end()
      if (isDone) onMark?.(marked)
    },
    onPointerCancel: end,
    /** The browser takes the end of a drag for a click as well. */
    onClickCapture(event: MouseEvent) {
      if (wasDragged.current) event.stopPropagation()
      wasDragged.current = false
    },
  }
  return { marked, handlers }
}

function placeOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): PlaceInWeeks {
  const rows = [...currentTarget.children].map((row) => row.getBoundingClientRect())
  const below = rows.findIndex(({ bottom }) => clientY < bottom)
  const { left, width } = rows[0]!
  return { row: below === -1 ? rows.length - 1 : below, share: (clientX - left) / width }
}
