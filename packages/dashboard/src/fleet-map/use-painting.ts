// fleet-map/use-painting.ts: keeps the canvas up to date: repaints it, at most once per frame, when anything changes.
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useIsDark } from '../theme/appearance.ts'
import { Painter, type Scene } from './painter.ts'
import { type Palette, readPalette } from './palette.ts'
import type { Size } from './use-size.ts'

export function usePainting(
  canvas: RefObject<HTMLCanvasElement | null>,
  { map, layout, trouble, snoozed, camera, pointedAt }: Omit<Scene, 'palette'>,
  { width, height, pixelRatio }: Size,
): void {
  const palette = usePalette(canvas)
  const painter = useRef<Painter>(null)
  useEffect(() => {
    if (canvas.current === null || palette === null || width === 0 || height === 0) return
    painter.current ??= new Painter(canvas.current)
    const scene = { map, layout, trouble, snoozed, camera, palette, pointedAt }
    const request = requestAnimationFrame(() => painter.current?.paint(scene, pixelRatio))
    return () => cancelAnimationFrame(request)
  }, [canvas, map, layout, trouble, snoozed, camera, palette, pointedAt, width, height, pixelRatio])
}

/** Read again when the appearance changes; null before the canvas is mounted. */
function usePalette(canvas: RefObject<HTMLCanvasElement | null>): Palette | null {
  const isDark = useIsDark()
  const [palette, setPalette] = useState<Palette | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens depend on the appearance.
  useEffect(() => {
    if (canvas.current !== null) setPalette(readPalette(canvas.current))
  }, [isDark, canvas])
  return palette
}
