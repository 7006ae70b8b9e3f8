// fleet-map/paint-marks.ts: marks for trouble above the cells, larger than the cell and at full hue, each look with its
// own shape: circle incident, arrow head down, triangle degraded, ring verifying. Snoozed monitors have a small crescent. Nothing moves.
import { type Look, looks } from '../components/status-words.ts'
import type { Camera } from './camera.ts'
import { cellBox, cellSide, groupOf, type Layout } from './layout.ts'
import type { Palette } from './palette.ts'

/** More marks would cover the map: the cells themselves are at full hue then. */
const marksAtMost = 20_000

/** In a smaller cell a crescent would be a dot. */
const smallestCrescentCell = 9

export function areMarked(monitors: Uint32Array): boolean {
  return monitors.length <= marksAtMost
}

const smallest: Partial<Readonly<Record<Look, number>>> = {
  incident: 10,
  down: 9,
  degraded: 8,
  verifying: 8.5,
}

/** The diameter of a mark in CSS pixels; smaller if many monitors are in trouble. */
export function markSize(look: Look, cellOnScreen: number, marks: number): number {
  const crowd = marks > 400 ? 0.72 : 1
  return Math.min(30, Math.max((smallest[look] ?? 0) * crowd, cellOnScreen * 1.05))
}

export function paintMarks(
  context: CanvasRenderingContext2D,
  layout: Layout,
  lookBytes: Uint8Array,
  trouble: Uint32Array,
  camera: Camera,
  palette: Palette,
): void {
  for (const index of trouble) {
    const center = centerOf(layout, camera, index)
    if (center === null) continue
    const { x, y, group } = center
    const look = lookBytes[index]!
    const size = markSize(looks[look]!, cellSide(group) * camera.scale, trouble.length)
    context.fillStyle = palette.hues[look]!
    context.strokeStyle = palette.plate
    context.lineWidth = 1.5
    drawForm(context, looks[look]!, x, y, size / 2, palette.hues[look]!)
  }
}

/** A crescent in each cell that has room for one. They are quiet: no mark and no cell gives way to them. */
export function paintSnoozed(
  context: CanvasRenderingContext2D,
  layout: Layout,
  snoozed: Uint32Array,
  camera: Camera,
  palette: Palette,
): void {
  if (!areMarked(snoozed)) return
  context.fillStyle = palette.hues[looks.indexOf('snoozed')]!
  for (const index of snoozed) {
    const center = centerOf(layout, camera, index)
    const side = center === null ? 0 : cellSide(center.group) * camera.scale
    if (center !== null && side >= smallestCrescentCell)
      crescent(context, center.x, center.y, Math.min(9, side * 0.3))
  }
}

/** The center of its cell on the canvas; null if that is far outside. */
function centerOf(layout: Layout, camera: Camera, index: number) {
  const group = groupOf(layout, index)
  const box = cellBox(group, index)
  const x = (box.x + box.width / 2 - camera.x) * camera.scale
  const y = (box.y + box.height / 2 - camera.y) * camera.scale
  const isFar = x < -20 || y < -20 || x > layout.width + 20 || y > layout.height + 20
  return isFar ? null : { x, y, group }
}

function crescent(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  const [begin, end] = [0.1 * Math.PI, 1.4 * Math.PI]
  context.beginPath()
  context.arc(x, y, radius, begin, end)
  context.quadraticCurveTo(x, y, x + radius * Math.cos(begin), y + radius * Math.sin(begin))
  context.fill()
}

function drawForm(
  context: CanvasRenderingContext2D,
  look: Look,
  x: number,
  y: number,
  radius: number,
  hue: string,
): void {
  context.beginPath()
  if (look === 'degraded') triangle(context, x, y, radius, 1)
  else if (look === 'down') triangle(context, x, y, radius, -1)
  else if (look === 'verifying') {
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
