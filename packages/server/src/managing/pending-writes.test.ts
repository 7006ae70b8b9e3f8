import { describe, expect, it } from 'vitest'
import { PendingWrites } from './pending-writes.ts'

function held(...numbers: number[]) {
  const changes = new PendingWrites()
  const takenBack: number[] = []
  for (const number of numbers)
    changes.begin(number, {
      kind: 'Monitor',
      id: `m${number}`,
      after: null,
      takeBack: () => void takenBack.push(number),
    })
  return { changes, takenBack }
}

describe('changes that are being committed', () => {
  it('end by their numbers, whatever else is held', () => {
    const { changes } = held(1, 2, 3)
    expect(changes.end(2).id).toBe('m2')
    expect(changes.since(0)).toEqual([1, 3])
  })

  it('are taken back newest first, once, and not when they have ended', () => {
    const { changes, takenBack } = held(1, 2, 3, 4)
    changes.end(3)
    changes.takeBack([2, 3, 4])
    changes.takeBack([4])
    expect([takenBack, changes.since(0)]).toEqual([[4, 2], [1]])
  })

  it('that are not held are named loudly, with those that are', () => {
    const { changes } = held(5)
    expect(() => changes.end(6)).toThrow(
      'the change 6 is committed and was not being committed; held are 5 of Monitor m5',
    )
    expect(() => held(5, 5)).toThrow(
      'the change 5 of Monitor m5 is being committed already, as one of Monitor m5',
    )
  })
})
