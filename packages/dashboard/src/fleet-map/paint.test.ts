import { describe, expect, it } from 'vitest'
import { looks } from '../components/status-words.ts'
import { wholeMap, zoomAt } from './camera.ts'
import { cellBox, groupOf, layOut } from './layout.ts'
import { findSnoozed, type LookMap, lookMapOf } from './look-map.ts'
import { type Picture, paintCells } from './paint-cells.ts'
import { mix, pixel } from './palette.ts'
import { monitorAt } from './point-at.ts'
import { summarize } from './summary.ts'
import { findTrouble, ranks } from './trouble.ts'

const up = looks.indexOf('up')
const incident = looks.indexOf('incident')
const down = looks.indexOf('down')
const degraded = looks.indexOf('degraded')
const colors = { tints: Uint32Array.from(looks, (_, index) => 100 + index), ground: 7 }

function fleet(count: number, troubled: Readonly<Record<number, number>> = {}): LookMap {
  const bytes = new Uint8Array(count).fill(up)
  for (const [index, status] of Object.entries(troubled)) bytes[Number(index)] = status
  return {
    tags: [{ tag: 'shop', count }],
    looks: bytes,
    ids: Uint32Array.from(bytes, (_, index) => index + 1),
  }
}

function picture(width: number, height: number): Picture {
  return { width, height, pixels: new Uint32Array(width * height), shown: new Uint8Array(width * height) }
}

describe('the cells', () => {
  it('show every status where its monitor is', () => {
    const map = fleet(60, { 0: incident, 17: down, 59: degraded })
    const layout = layOut(map.tags, 300, 200)
    const canvas = picture(300, 200)
    paintCells(canvas, layout, map.looks, wholeMap, 1, colors)
    for (let index = 0; index < 60; index++) {
      const box = cellBox(groupOf(layout, index), index)
      const at = Math.floor(box.y + box.height / 2) * 300 + Math.floor(box.x + box.width / 2)
      expect(canvas.pixels[at]).toBe(colors.tints[map.looks[index]!])
    }
  })

  it('show one incident among monitors that share its pixel', () => {
    const map = fleet(200_000, { 123456: incident })
    const canvas = picture(100, 60)
    paintCells(canvas, layOut(map.tags, 100, 60), map.looks, wholeMap, 1, colors)
    expect(canvas.pixels.filter((value) => value === colors.tints[incident])).toHaveLength(1)
  })

  it('leave no trace of the frame before', () => {
    const map = fleet(1)
    const canvas = picture(100, 60)
    canvas.pixels.fill(999)
    paintCells(canvas, layOut(map.tags, 100, 60), map.looks, wholeMap, 1, colors)
    expect(canvas.pixels.includes(999)).toBe(false)
  })

  it('are the same monitors under the pointer as on the picture, at any zoom', () => {
    const map = fleet(500)
    const layout = layOut(map.tags, 300, 200)
    for (const factor of [1, 3, 9]) {
      const camera = zoomAt(wholeMap, factor, { x: 120, y: 90 }, layout, 50)
      const index = monitorAt(map, layout, camera, 0, 120, 90)!
      const box = cellBox(groupOf(layout, index), index)
      expect(camera.x + 120 / camera.scale).toBeGreaterThanOrEqual(box.x)
      expect(camera.x + 120 / camera.scale).toBeLessThan(box.x + box.width)
    }
  })
})

describe('pointing', () => {
  it('finds a mark that is larger than its cell before the cell under the pointer', () => {
    const map = fleet(20_000, { 10000: incident })
    const layout = layOut(map.tags, 300, 200)
    const box = cellBox(groupOf(layout, 10_000), 10_000)
    expect(monitorAt(map, layout, wholeMap, 1, box.x + 4, box.y)).toBe(10_000)
    expect(monitorAt(map, layout, wholeMap, 1, box.x + 20, box.y)).not.toBe(10_000)
  })

  it('finds nothing on the ground', () => {
    expect(
      monitorAt(fleet(1), layOut([{ tag: 'shop', count: 1 }], 300, 100), wholeMap, 0, 299, 99),
    ).toBeNull()
  })
})

describe('snoozed monitors', () => {
  const disabled = looks.indexOf('disabled')
  const { tags, ids } = fleet(4)
  const statuses = Uint8Array.of(disabled, disabled, up, disabled)

  it('are apart from disabled ones, on the map and in its words', () => {
    const map = lookMapOf({ tags, ids, statuses }, Uint32Array.of(2, 4))
    expect([...findSnoozed(map.looks)]).toEqual([1, 3])
    expect(summarize(map)).toEqual(['shop: 4 monitors: 2 snoozed, 1 disabled, 1 up.'])
  })

  it('are those that both readings know as such', () => {
    const map = lookMapOf({ tags, ids, statuses }, Uint32Array.of(3, 99))
    expect([...findSnoozed(map.looks)]).toEqual([])
    expect([...map.looks]).toEqual([...statuses])
  })

  it('are no trouble, and cover a disabled one that shares their pixel', () => {
    const map = lookMapOf({ tags, ids, statuses }, Uint32Array.of(2))
    expect([...findTrouble(map.looks)]).toEqual([])
    expect(ranks[looks.indexOf('snoozed')]).toBeGreaterThan(ranks[disabled]!)
  })
})

describe('trouble', () => {
  it('is listed with the loudest last, so that it is drawn on top', () => {
    const { looks: bytes } = fleet(6, { 1: incident, 3: degraded, 5: down })
    expect([...findTrouble(bytes)]).toEqual([3, 5, 1])
  })
})

describe('the summary', () => {
  it('tells the group with incidents first and leaves no group out silently', () => {
    const tags = Array.from({ length: 14 }, (_, index) => ({ tag: index === 0 ? '' : `t${index}`, count: 2 }))
    const bytes = new Uint8Array(28).fill(up)
    bytes[27] = incident
    const lines = summarize({ tags, looks: bytes, ids: new Uint32Array(28) })
    expect(lines[0]).toBe('t13: 2 monitors: 1 incident, 1 up.')
    expect(lines[1]).toBe('without a tag: 2 monitors: 2 up.')
    expect(lines.at(-1)).toBe('And 2 more groups with less trouble.')
  })
})

describe('a tint', () => {
  it('lies between ground and hue, opaque', () => {
    expect(mix([0, 0, 0], [200, 100, 50], 0.5)).toEqual([100, 50, 25])
    expect(pixel([1, 2, 3])).toBe(0xff030201)
  })
})
