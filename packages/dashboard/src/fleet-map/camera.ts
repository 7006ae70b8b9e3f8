// fleet-map/camera.ts: which part of the map is visible. Scale 1 shows all of it; the camera never leaves the
// map, and zooming keeps the point under the pointer in place.

export interface Camera {
  readonly scale: number
  /** The point of the map in the upper left corner. */
  readonly x: number
  readonly y: number
}

export interface Extent {
  readonly width: number
  readonly height: number
}

export const wholeMap: Camera = { scale: 1, x: 0, y: 0 }

/** The scale at which the smallest cells are easy to hit. */
export function largestScale(smallestCell: number): number {
  const comfortable = 36
  return Math.max(4, Math.min(400, comfortable / Math.max(smallestCell, 0.05)))
}

export function zoomAt(
  camera: Camera,
  factor: number,
  at: { readonly x: number; readonly y: number },
  extent: Extent,
  scaleAtMost: number,
): Camera {
  const scale = Math.min(scaleAtMost, Math.max(1, camera.scale * factor))
  return within(
    {
      scale,
      x: camera.x + at.x / camera.scale - at.x / scale,
      y: camera.y + at.y / camera.scale - at.y / scale,
    },
    extent,
  )
}

/** Moves the view by this many screen pixels. */
export function panBy(camera: Camera, x: number, y: number, extent: Extent): Camera {
  return within({ ...camera, x: camera.x + x / camera.scale, y: camera.y + y / camera.scale }, extent)
}

export function within(camera: Camera, { width, height }: Extent): Camera {
  const clamp = (value: number, most: number) => Math.min(Math.max(0, value), Math.max(0, most))
  return {
    scale: camera.scale,
    x: clamp(camera.x, width - width / camera.scale),
    y: clamp(camera.y, height - height / camera.scale),
  }
}

/** Part of the way between two cameras; the scale moves by ratio, so that the speed looks even. */
export function between(from: Camera, to: Camera, progress: number): Camera {
  const mix = (a: number, b: number) => a + (b - a) * progress
  const scale = from.scale * (to.scale / from.scale) ** progress
  if (from.scale === to.scale) return { scale, x: mix(from.x, to.x), y: mix(from.y, to.y) }
  // The corner moves with the visible width, so that the point zoomed at stays in place all the way.
  const seen = (1 / scale - 1 / from.scale) / (1 / to.scale - 1 / from.scale)
  return { scale, x: from.x + (to.x - from.x) * seen, y: from.y + (to.y - from.y) * seen }
}
