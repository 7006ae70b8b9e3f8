// fleet-map/paint-labels.ts: the tags above their groups. A label stays visible while any of its group is.
import type { Camera } from './camera.ts'
import type { Layout } from './layout.ts'
import type { Palette } from './palette.ts'

const font = '500 11.5px Inter, ui-sans-serif, system-ui, sans-serif'
const lineHeight = 17
const widthAtLeast = 44
const heightAtLeast = 40

export const untagged = 'without a tag'

export function paintLabels(
  context: CanvasRenderingContext2D,
  layout: Layout,
  camera: Camera,
  palette: Palette,
): void {
  context.font = font
  context.textBaseline = 'middle'
  for (const group of layout.groups) {
    const left = Math.max(0, (group.x - camera.x) * camera.scale)
    const right = Math.min(layout.width, (group.x + group.width - camera.x) * camera.scale)
    const top = Math.max(0, (group.y - camera.y) * camera.scale)
    const bottom = Math.min(layout.height, (group.y + group.height - camera.y) * camera.scale)
    if (right - left < widthAtLeast || bottom - top < heightAtLeast) continue
    const text = fit(context, group.tag === '' ? untagged : group.tag, right - left - 8)
    context.fillStyle = palette.plate
    context.fillRect(left, top, context.measureText(text).width + 8, lineHeight)
    context.fillStyle = palette.label
    context.fillText(text, left + 4, top + lineHeight / 2 + 0.5)
  }
}

/** Cuts by whole characters, since a tag may be in any script. */
function fit(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  const characters = [...text].slice(0, 80)
  while (characters.length > 1 && context.measureText(`${characters.join('')}…`).width > width)
    characters.pop()
  return `${characters.join('')}…`
}
