import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FleetMap, readFleetMap } from './fleet-map.ts'
import { statuses } from './values.ts'

/** A second writer of the layout, as plain as it can be. */
function written({ tags, statuses, ids }: FleetMap): Uint8Array {
  const table: number[] = tags.flatMap(({ tag, count }) => {
    const name = new TextEncoder().encode(tag)
    return [...uint32(count), name.length & 255, name.length >> 8, ...name]
  })
  while (table.length % 4 !== 0) table.push(0)
  const padding = Array((4 - (statuses.length % 4)) % 4).fill(0)
  const head = [...new TextEncoder().encode('PWM1'), ...uint32(ids.length), ...uint32(tags.length)]
  return Uint8Array.from([
    ...head,
    ...uint32(table.length),
    ...table,
    ...statuses,
    ...padding,
    ...[...ids].flatMap(uint32),
  ])
}

const uint32 = (value: number) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255)

const maps: fc.Arbitrary<FleetMap> = fc
  .array(
    fc.record({
      tag: fc.string({ unit: 'grapheme', maxLength: 5 }),
      monitors: fc.array(fc.tuple(fc.nat(statuses.length - 1), fc.nat(0xffff_ffff)), { maxLength: 5 }),
    }),
    { maxLength: 4 },
  )
  .map((groups) => {
    const monitors = groups.flatMap((group) => group.monitors)
    return {
      tags: groups.map(({ tag, monitors }) => ({ tag, count: monitors.length })),
      statuses: Uint8Array.from(monitors, ([status]) => status),
      ids: Uint32Array.from(monitors, ([, id]) => id),
    }
  })

describe('a fleet map', () => {
  it('is read as it was written, wherever its bytes lie', () => {
    fc.assert(
      fc.property(maps, fc.nat(7), (map, offset) => {
        const bytes = written(map)
        const elsewhere = new Uint8Array(offset + bytes.length)
        elsewhere.set(bytes, offset)
        expect(readFleetMap(elsewhere.subarray(offset))).toEqual(map)
      }),
    )
  })

  it('that is cut or longer than it says is refused', () => {
    fc.assert(
      fc.property(maps, fc.nat(), (map, at) => {
        const bytes = written(map)
        expect(() => readFleetMap(bytes.subarray(0, at % bytes.length))).toThrow(RangeError)
        expect(() => readFleetMap(Uint8Array.from([...bytes, 0]))).toThrow(RangeError)
      }),
    )
  })

  it('with other letters, a wrong sum or an unknown status is refused', () => {
    const map = { tags: [{ tag: 'a', count: 1 }], statuses: Uint8Array.of(6), ids: Uint32Array.of(7) }
    expect(() => readFleetMap(written(map).with(3, 0x32))).toThrow('this is not a fleet map')
    expect(() => readFleetMap(written({ ...map, tags: [{ tag: 'a', count: 2 }] }))).toThrow('do not add up')
    expect(() => readFleetMap(written({ ...map, statuses: Uint8Array.of(7) }))).toThrow('unknown status')
  })

  it('of a million monitors that holds none is refused before space is taken', () => {
    const bytes = written({ tags: [], statuses: new Uint8Array(), ids: new Uint32Array() })
    bytes.set(uint32(0xffff_ffff), 4)
    expect(() => readFleetMap(bytes)).toThrow('another length')
  })
})
