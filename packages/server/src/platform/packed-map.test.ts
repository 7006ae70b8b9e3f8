import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PackedEntries, PackedMap } from './packed-map.ts'

const texts = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', 'ab', 'b'))

describe('a packed map', () => {
  it('has what a map of the same entries has', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, texts)), texts, (entries, other) => {
        const whole = entries.map(([name, text]) => [name.toWellFormed(), text.toWellFormed()] as const)
        const map = new Map(whole)
        const packed = PackedMap.of(whole)
        expect(packed.size).toBe(map.size)
        expect([...packed]).toEqual([...map])
        expect([...packed.keys()]).toEqual([...map.keys()])
        expect([...packed.values()]).toEqual([...map.values()])
        for (const name of [...map.keys(), other.toWellFormed()]) {
          expect(packed.get(name)).toBe(map.get(name))
          expect(packed.has(name)).toBe(map.has(name))
        }
      }),
    )
  })

  it('is the same map in another thread, in the same memory', async () => {
    const { packed } = PackedMap.from(new Map([['name', 'text']]))
    const { port1, port2 } = new MessageChannel()
    const arrived = once(port2, 'message')
    port1.postMessage(packed)
    const [data] = (await arrived) as [PackedEntries]
    port1.close()
    expect([...new PackedMap(data)]).toEqual([['name', 'text']])
    new Uint8Array(packed.texts.chunks[0]!).fill('T'.charCodeAt(0), 2)
    expect(new PackedMap(data).get('name')).toBe('TTTT')
  })
})
