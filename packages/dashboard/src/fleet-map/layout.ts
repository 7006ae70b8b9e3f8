// fleet-map/layout.ts: the position of every monitor. Each tag has a box in proportion to its monitors, with a grid of
// nearly square cells, filled row by row in the order of the map. Units are CSS pixels of the map at scale 1.
import type { FleetMap } from '@pulseward/contract'
import { type Box, treemap } from './treemap.ts'

export interface Group extends Box {
  readonly tag: string
  /** The index in the map of its first monitor. */
  readonly first: number
  readonly count: number
  /** The upper left corner of the grid. */
  readonly gridX: number
  readonly gridY: number
  readonly columns: number
  readonly cellWidth: number
  readonly cellHeight: number
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly groups: readonly Group[]
}

const gap = 6
const labelHeight = 18
/** A narrower label would be unreadable. */
const labelWidthAtLeast = 44
const labelRoomAtLeast = 48
const stretchAtMost = 1.2

export function layOut(tags: FleetMap['tags'], width: number, height: number): Layout {
  if (width <= 0 || height <= 0) return { width, height, groups: [] }
  const filled = tags.map((tag) => Math.max(1, tag.count))
  const boxes = treemap(filled, { x: 0, y: 0, width, height })
  let first = 0
  const groups = tags.map(({ tag, count }, index) => {
    const group = groupIn(boxes[index]!, tag, first, count)
    first += count
    return group
  })
  return { width, height, groups: groups.filter(({ count }) => count > 0) }
}

function groupIn(box: Box, tag: string, first: number, count: number): Group {
  const margin = Math.min(gap, box.width / 4, box.height / 4)
  const hasLabel = box.width >= labelWidthAtLeast && box.height >= labelRoomAtLeast
  const top = hasLabel ? labelHeight : margin / 2
  const width = Math.max(box.width - margin, 0)
  const height = Math.max(box.height - top - margin / 2, 0)
  const { columns, cell } = gridFor(count, width, height)
  const rows = Math.ceil(count / columns)
  // Stretched to reach the edges of the box, but not so far that they stop looking like cells.
  const cellWidth = Math.min(width / columns, cell * stretchAtMost)
  const cellHeight = Math.min(height / Math.max(1, rows), cell * stretchAtMost)
  const gridX = box.x + margin / 2
  return { ...box, tag, first, count, gridX, gridY: box.y + top, columns, cellWidth, cellHeight }
}

/** The largest square cells of which `count` fit. */
export function gridFor(count: number, width: number, height: number): { columns: number; cell: number } {
  if (count === 0 || width <= 0 || height <= 0) return { columns: 1, cell: 0 }
  const ideal = Math.sqrt((count * width) / height)
  let best = { columns: 1, cell: 0 }
  for (const columns of [Math.floor(ideal), Math.ceil(ideal), Math.ceil(ideal) + 1]) {
    if (columns < 1) continue
    const cell = Math.min(width / columns, height / Math.ceil(count / columns))
    if (cell > best.cell) best = { columns, cell }
  }
  return best
}

/** The shorter side of its cells. */
export function cellSide({ cellWidth, cellHeight }: Group): number {
  return Math.min(cellWidth, cellHeight)
}

export function groupAt(layout: Layout, x: number, y: number): Group | null {
  return (
    layout.groups.find(
      (group) => x >= group.x && x < group.x + group.width && y >= group.y && y < group.y + group.height,
    ) ?? null
  )
}

/** The group of a monitor of the map: groups are in the order of the map. */
export function groupOf(layout: Layout, index: number): Group {
  let low = 0
  let high = layout.groups.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (layout.groups[middle]!.first <= index) low = middle
    else high = middle - 1
  }
  return layout.groups[low]!
}

export function cellBox(group: Group, index: number): Box {
  const place = index - group.first
  const column = place % group.columns
  const row = Math.floor(place / group.columns)
  return {
    x: group.gridX + column * group.cellWidth,
    y: group.gridY + row * group.cellHeight,
    width: group.cellWidth,
    height: group.cellHeight,
  }
}
