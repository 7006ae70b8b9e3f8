// fleet-map/point-at.ts: which monitor is under the pointer. A mark is larger than its cell, so the nearest
// mark within reach comes first, then the cell itself.
import { looks } from '../components/status-words.ts'
import type { Camera } from './camera.ts'
import { cellSide, type Group, groupAt, type Layout } from './layout.ts'
import type { LookMap } from './look-map.ts'
import { markSize } from './paint-marks.ts'
import { isLoud } from './trouble.ts'

/** The index in the map, or null for background. `x` and `y` are CSS pixels of the canvas. */
export function monitorAt(
  { looks: lookBytes }: LookMap,
  layout: Layout,
  camera: Camera,
  marks: number,
  x: number,
  y: number,
): number | null {
  const mapX = camera.x + x / camera.scale
  const mapY = camera.y + y / camera.scale
  const group = groupAt(layout, mapX, mapY)
  if (group === null || cellSide(group) <= 0) return null
  const column = (mapX - group.gridX) / group.cellWidth
  const row = (mapY - group.gridY) / group.cellHeight
  return (
    markNear(lookBytes, group, column, row, camera.scale, marks) ??
    indexIn(group, Math.floor(column), Math.floor(row))
  )
}

function markNear(
  lookBytes: Uint8Array,
  group: Group,
  column: number,
  row: number,
  scale: number,
  marks: number,
): number | null {
  const cell = cellSide(group) * scale
  const reach = markSize('incident', cell, marks) / 2 / cell
  let nearest: number | null = null
  let nearestDistance = Number.POSITIVE_INFINITY
  for (let r = Math.floor(row - reach); r <= row + reach; r++)
    for (let c = Math.floor(column - reach); c <= column + reach; c++) {
      const index = indexIn(group, c, r)
      if (index === null || !isLoud[lookBytes[index]!]) continue
      const distance = Math.hypot(c + 0.5 - column, r + 0.5 - row)
      const size = markSize(looks[lookBytes[index]!]!, cell, marks) / 2 / cell
      if (distance > size + 0.5 || distance >= nearestDistance) continue
      nearest = index
      nearestDistance = distance
    }
  return nearest
}

function indexIn(group: Group, column: number, row: number): number | null {
  if (column < 0 || row < 0 || column >= group.columns) return null
  const place = row * group.columns + column
  return place < group.count ? group.first + place : null
}
