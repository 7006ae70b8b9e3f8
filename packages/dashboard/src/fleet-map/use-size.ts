// fleet-map/use-size.ts: the size of an element in CSS pixels, and the device pixels per CSS pixel; follows both.
import { type RefObject, useEffect, useState } from 'react'

export interface Size {
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
}

/** More pixels cost more than they show. */
const pixelRatioAtMost = 2

export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, pixelRatio: 1 })
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const measure = () => {
      const width = target.clientWidth
      const height = target.clientHeight
      const pixelRatio = Math.min(pixelRatioAtMost, Math.max(1, devicePixelRatio))
      setSize((before) =>
        before.width === width && before.height === height && before.pixelRatio === pixelRatio
          ? before
          : { width, height, pixelRatio },
      )
    }
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [element])
  return size
}
