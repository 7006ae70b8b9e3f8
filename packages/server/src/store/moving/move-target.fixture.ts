// moving/move-target.fixture.ts: targets that fail in chosen ways, for tests of moves.
import type { MoveTarget } from './movable-store.ts'
import type { PartName } from './portable-rows.ts'

/** A target with other methods in the place of its own. */
export function over(target: MoveTarget, methods: Partial<MoveTarget>): MoveTarget {
  return {
    place: target.place,
    write: (name, rows) => target.write(name, rows),
    finish: (head) => target.finish(head),
    readBack: () => target.readBack(),
    putInPlace: () => target.putInPlace(),
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
    ...methods,
  }
}

/** A target that a part never reaches. */
export function withoutPart(target: MoveTarget, forgotten: PartName): MoveTarget {
  return over(target, {
    write: async (name, rows) => {
      if (name !== forgotten) await target.write(name, rows)
    },
  })
}
