// fleet-map/paint-marks.ts: marks for trouble above the cells, larger than the cell and at full hue, each status with its
// own shape: circle incident, arrow head down, triangle degraded, ring verifying. Nothing moves.
import { type Status, statuses } from '@pulseward/contract'
import type { Camera } from './camera.ts'
import { cellBox, cellSide, groupOf, type Layout } from './layout.ts'
import type { Palette } from './palette.ts'

/** More marks would cover the map: the cells themselves are at full hue then. */
const marksAtMost = 20_000

export function areMarked(trouble: Uint32Array): boolean {
  return trouble.length <= marksAtMost
}

const smallest: Partial<Readonly<Record<Status, number>>> = {
  incident: 10,
  down: 9,
  degraded: 8,
  verifying: 8.5,
}

/** The diameter of a mark in CSS pixels; smaller if many monitors are in trouble. */
export function markSize(status: Status, cellOnScreen: number, marks: number): number {
  const crowd = marks > 400 ? 0.72 : 1
  return Math.min(30, Math.max((smallest[status] ?? 0) * crowd, cellOnScreen * 1.05))
}

export function paintMarks(
  context: CanvasRenderingContext2D,
  layout: Layout,
  statusBytes: Uint8Array,
  trouble: Uint32Array,
  camera: Camera,
  palette: Palette,
): void {
  const width = layout.width
  const height = layout.height
  for (const index of trouble) {
    const group = groupOf(layout, index)
    const box = cellBox(group, index)
    const x = (box.x + box.width / 2 - camera.x) * camera.scale
    const y = (box.y + box.height / 2 - camera.y) * camera.scale
    if (x < -20 || y < -20 || x > width + 20 || y > height + 20) continue
    const status = statusBytes[index]!
    const size = markSize(statuses[status]!, cellSide(group) * camera.scale, trouble.length)
    context.fillStyle = palette.hues[status]!
    context.strokeStyle = palette.plate
    context.lineWidth = 1.5
    drawForm(context, statuses[status]!, x, y, size / 2, palette.hues[status]!)
  }
}

function drawForm(
  context: CanvasRenderingContext2D,
  status: Status,
  x: number,
  y: number,
  radius: number,
  hue: string,
): void {
  context.beginPath()
  if (status === 'degraded') triangle(context, x, y, radius, 1)
  else if (status === 'down') triangle(context, x, y, radius, -1)
  else if (status === 'verifying') {
    context.arc(x, y, radius * 0.75, 0, Math.PI * 2)
    context.lineWidth = Math.max(2, radius * 0.45)
    context.strokeStyle = hue
    context.stroke()
    return
  } else context.arc(x, y, radius, 0, Math.PI * 2)
  context.stroke()
  context.fill()
}

function triangle(context: CanvasRenderingContext2D, x: number, y: number, radius: number, up: 1 | -1): void {
  context.moveTo(x, y - radius * up)
  context.lineTo(x + radius, y + radius * 0.85 * up)
  context.lineTo(x - radius, y + radius * 0.85 * up)
  context.closePath()
}
