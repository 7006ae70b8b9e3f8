// fleet-map/paint-cells.ts: fills an image with the visible cells. Writes pixels itself, since a million
// canvas calls would take a second: the work is bounded by the pixels of the image and the visible monitors.
// If several monitors share a pixel, the loudest is shown: trouble is never hidden by healthy monitors.
import type { Camera } from './camera.ts'
import type { Group, Layout } from './layout.ts'
import { ranks } from './trouble.ts'

export interface Picture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint32Array
  /** 1 + the rank of what each pixel shows; 0 for background. Only used if cells are smaller than a pixel. */
  readonly shown: Uint8Array
}

export interface CellColors {
  readonly tints: Uint32Array
  readonly ground: number
}

/** The grid of a group in pixels of the image, and its visible part. */
interface Grid {
  readonly left: number
  readonly top: number
  readonly cellWidth: number
  readonly cellHeight: number
  readonly firstColumn: number
  readonly endColumn: number
  readonly firstRow: number
  readonly endRow: number
}

export function paintCells(
  picture: Picture,
  layout: Layout,
  statusBytes: Uint8Array,
  camera: Camera,
  pixelRatio: number,
  colors: CellColors,
): void {
  picture.pixels.fill(colors.ground)
  picture.shown.fill(0)
  for (const group of layout.groups) {
    const grid = seenGrid(picture, group, camera, camera.scale * pixelRatio)
    if (grid === null) continue
    const paint = Math.min(grid.cellWidth, grid.cellHeight) < 1 ? paintDense : paintGrid
    paint(picture, group, grid, statusBytes, colors.tints)
  }
}

function seenGrid(picture: Picture, group: Group, camera: Camera, zoom: number): Grid | null {
  const cellWidth = group.cellWidth * zoom
  const cellHeight = group.cellHeight * zoom
  if (cellWidth <= 0 || cellHeight <= 0) return null
  const left = (group.gridX - camera.x) * zoom
  const top = (group.gridY - camera.y) * zoom
  const grid = {
    left,
    top,
    cellWidth,
    cellHeight,
    firstColumn: Math.max(0, Math.floor(-left / cellWidth)),
    endColumn: Math.min(group.columns, Math.ceil((picture.width - left) / cellWidth)),
    firstRow: Math.max(0, Math.floor(-top / cellHeight)),
    endRow: Math.min(Math.ceil(group.count / group.columns), Math.ceil((picture.height - top) / cellHeight)),
  }
  return grid.firstColumn < grid.endColumn && grid.firstRow < grid.endRow ? grid : null
}

function paintDense(
  { width, height, pixels, shown }: Picture,
  group: Group,
  grid: Grid,
  statusBytes: Uint8Array,
  tints: Uint32Array,
): void {
  for (let row = grid.firstRow; row < grid.endRow; row++) {
    const y = Math.floor(grid.top + row * grid.cellHeight)
    if (y < 0 || y >= height) continue
    const rowStart = group.first + row * group.columns
    const end = Math.min(rowStart + grid.endColumn, group.first + group.count)
    for (let index = rowStart + grid.firstColumn; index < end; index++) {
      const x = Math.floor(grid.left + (index - rowStart) * grid.cellWidth)
      if (x < 0 || x >= width) continue
      const status = statusBytes[index]!
      const rank = ranks[status]! + 1
      const at = y * width + x
      if (rank <= shown[at]!) continue
      shown[at] = rank
      pixels[at] = tints[status]!
    }
  }
}

/** Writes the first line of a row of cells cell by cell; the lines below are copies. */
function paintGrid(
  { width, height, pixels }: Picture,
  group: Group,
  grid: Grid,
  statusBytes: Uint8Array,
  tints: Uint32Array,
): void {
  const { left, top, cellWidth, cellHeight } = grid
  const gap = gapFor(Math.min(cellWidth, cellHeight))
  const from = Math.max(0, Math.floor(left + grid.firstColumn * cellWidth))
  const to = Math.min(width, Math.ceil(left + grid.endColumn * cellWidth))
  for (let row = grid.firstRow; row < grid.endRow; row++) {
    const y = Math.max(0, Math.round(top + row * cellHeight))
    const yEnd = Math.min(height, Math.round(top + (row + 1) * cellHeight) - gap)
    if (y >= yEnd) continue
    const line = y * width
    const rowStart = group.first + row * group.columns
    const end = Math.min(rowStart + grid.endColumn, group.first + group.count)
    for (let index = rowStart + grid.firstColumn; index < end; index++) {
      const column = index - rowStart
      const x = Math.max(0, Math.round(left + column * cellWidth))
      const xEnd = Math.min(width, Math.round(left + (column + 1) * cellWidth) - gap)
      const tint = tints[statusBytes[index]!]!
      // Not `fill`: a call per cell costs more than the few pixels of a small one.
      for (let at = line + x; at < line + xEnd; at++) pixels[at] = tint
    }
    for (let next = y + 1; next < yEnd; next++) pixels.copyWithin(next * width + from, line + from, line + to)
  }
}

/** The gap between cells of this side, in the same pixels. */
export function gapFor(side: number): number {
  if (side < 3) return 0
  return side < 14 ? 1 : Math.round(side * 0.1)
}
