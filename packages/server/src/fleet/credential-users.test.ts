import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CredentialUsers } from './credential-users.ts'

const lists = ['', 'a', 'b', 'a\nb', 'c']

it('finds the same rows as a walk over all of them, whatever comes, changes and leaves', () => {
  const start = fc.array(fc.nat(lists.length - 1), { maxLength: 20 })
  const move = fc.record({ row: fc.nat(40), to: fc.option(fc.nat(lists.length - 1)) })
  fc.assert(
    fc.property(start, fc.array(move, { maxLength: 60 }), (of, moves) => {
      const present = new Uint8Array(of.length).fill(1)
      const users = new CredentialUsers({ values: lists, of: Uint32Array.from(of) }, present)
      const model = new Map(of.entries())
      for (const { row, to } of moves) {
        users.move(row, model.get(row) ?? null, to)
        if (to === null) model.delete(row)
        else model.set(row, to)
      }
      for (const name of ['a', 'b', 'c', 'd']) {
        const expected = [...model]
          .filter(([, list]) => lists[list]?.split('\n').includes(name))
          .map(([row]) => row)
        expect([...users.rowsWith(name)].sort()).toEqual(expected.sort())
      }
    }),
  )
})

it('takes over only rows that have a monitor', () => {
  const users = new CredentialUsers({ values: lists, of: Uint32Array.of(1, 1, 2) }, Uint8Array.of(1, 0, 1))
  expect([...users.rowsWith('a')]).toEqual([0])
})
