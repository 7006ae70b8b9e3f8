// views/monitors/use-rows-in-sight.ts: which rows are visible while the window scrolls, and how many pixels
// the others take above and below them.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { Density } from './density.ts'

/** As in rows.module.css: if rows have the estimated height, none has to be placed twice. */
const estimatedPixels = { comfortable: 54, compact: 32 } as const

export function useRowsInSight(count: number, density: Density, body: RefObject<HTMLElement | null>) {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop((body.current?.getBoundingClientRect().top ?? 0) + scrollY)
    measure()
    // What is above the rows may grow: filters that are opened, a banner.
    const resized = new ResizeObserver(measure)
    resized.observe(document.body)
    return () => resized.disconnect()
  }, [body])
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => estimatedPixels[density],
    overscan: 4,
    scrollMargin: top,
    // The bar at the top covers what scrolls under it.
    scrollPaddingStart: 120,
    scrollPaddingEnd: 40,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density makes every measured height wrong.
  useEffect(() => virtualizer.measure(), [density, virtualizer])
  const items = virtualizer.getVirtualItems()
  const above = (items[0]?.start ?? top) - top
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)
  return { virtualizer, items, above, below }
}
