// fleet-map/painter.ts: draws the map onto its canvas: cells, then snoozed monitors and trouble, then labels, then the monitor under the
// pointer. Keeps its image between frames; creates another only when the size of the canvas changes.
import type { Camera } from './camera.ts'
import { cellBox, groupOf, type Layout } from './layout.ts'
import type { LookMap } from './look-map.ts'
import { gapFor, paintCells } from './paint-cells.ts'
import { paintLabels } from './paint-labels.ts'
import { areMarked, paintMarks, paintSnoozed } from './paint-marks.ts'
import type { Palette } from './palette.ts'

export interface Scene {
  readonly map: LookMap
  readonly layout: Layout
  readonly trouble: Uint32Array
  readonly snoozed: Uint32Array
  readonly camera: Camera
  readonly palette: Palette
  /** The index in the map of the monitor under the pointer. */
  readonly pointedAt: number | null
}

export class Painter {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  #image: ImageData | null = null
  #shown = new Uint8Array()

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
    this.#context = canvas.getContext('2d', { alpha: false })!
  }

  paint({ map, layout, trouble, snoozed, camera, palette, pointedAt }: Scene, pixelRatio: number): void {
    const image = this.#imageFor(
      Math.round(layout.width * pixelRatio),
      Math.round(layout.height * pixelRatio),
    )
    const picture = {
      width: image.width,
      height: image.height,
      pixels: new Uint32Array(image.data.buffer),
      shown: this.#shown,
    }
    const isMarked = areMarked(trouble)
    const tints = isMarked ? palette.tintsUnderMarks : palette.tints
    paintCells(picture, layout, map.looks, camera, pixelRatio, { tints, ground: palette.ground })
    const context = this.#context
    context.putImageData(image, 0, 0)
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
    paintSnoozed(context, layout, snoozed, camera, palette)
    if (isMarked) paintMarks(context, layout, map.looks, trouble, camera, palette)
    paintLabels(context, layout, camera, palette)
    if (pointedAt !== null && pointedAt < map.ids.length) this.#outline(layout, camera, palette, pointedAt)
    context.setTransform(1, 0, 0, 1, 0, 0)
  }

  #outline(layout: Layout, camera: Camera, palette: Palette, index: number): void {
    const box = cellBox(groupOf(layout, index), index)
    const gap = gapFor(Math.min(box.width, box.height) * camera.scale)
    const width = Math.max(box.width * camera.scale - gap, 7) + 2
    const height = Math.max(box.height * camera.scale - gap, 7) + 2
    const x = (box.x + box.width / 2 - camera.x) * camera.scale - (gap + width) / 2
    const y = (box.y + box.height / 2 - camera.y) * camera.scale - (gap + height) / 2
    this.#context.strokeStyle = palette.ink
    this.#context.lineWidth = 1.5
    this.#context.strokeRect(x, y, width, height)
  }

  #imageFor(width: number, height: number): ImageData {
    if (this.#image?.width === width && this.#image.height === height) return this.#image
    this.#canvas.width = width
    this.#canvas.height = height
    this.#shown = new Uint8Array(width * height)
    this.#image = new ImageData(width, height)
    return this.#image
  }
}
