import fc from 'fast-check'
import { expect, it } from 'vitest'
import { OrderedIds } from './ordered-ids.ts'
import { compareUtf8 } from './utf8-order.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
})
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

it('orders texts as their UTF-8 bytes are ordered', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(Math.sign(compareUtf8(one, other))).toBe(byBytes(one, other))
    }),
  )
})

it('keeps ids in that order while they come and go', () => {
  const steps = fc.array(fc.record({ id: text, isAdded: fc.boolean() }), { maxLength: 200 })
  fc.assert(
    fc.property(steps, text, (all, after) => {
      const ids = new OrderedIds()
      const expected = new Set<string>()
      for (const { id, isAdded } of all) {
        if (isAdded) ids.add(id)
        else ids.remove(id)
        expected[isAdded ? 'add' : 'delete'](id)
      }
      expect([...ids.after(after)]).toEqual(
        [...expected].filter((id) => byBytes(id, after) > 0).sort(byBytes),
      )
    }),
  )
})

it('keeps many thousand ids in order, added in any order and partly removed', () => {
  const ids = new OrderedIds()
  const all = Array.from({ length: 20_000 }, (_, index) => String((index * 7_919) % 20_000))
  for (const id of all) ids.add(id)
  for (const id of all) if (Number(id) % 3 !== 0) ids.remove(id)
  expect([...ids.after('')]).toEqual(all.filter((id) => Number(id) % 3 === 0).sort(byBytes))
})
