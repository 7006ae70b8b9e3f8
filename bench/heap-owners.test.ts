import { join } from 'node:path'
import { writeHeapSnapshot } from 'node:v8'
import { expect, it } from 'vitest'
import { readHeapOwners } from './heap-owners.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const bytes = 1_000_000

class HolderOfPlain {
  readonly column = new Uint8Array(bytes)
}
class HolderOfShared {
  readonly columns = { state: new Uint32Array(new SharedArrayBuffer(bytes * 2)) }
}
class HolderOfHidden {
  readonly #column = new Float64Array(bytes / 2)
  get length(): number {
    return this.#column.length
  }
}

it('adds up buffers by the class that holds them', { tags: 'long' }, () => {
  using folder = new TemporaryFolder()
  const held = [new HolderOfPlain(), new HolderOfShared(), new HolderOfHidden(), new HolderOfPlain()]
  const { buffers, objectBytes } = readHeapOwners(writeHeapSnapshot(join(folder.path, 'test.heapsnapshot')))
  const found = (name: string): number => buffers.find((owner) => owner.name.startsWith(name))?.bytes ?? 0
  expect(found('HolderOfPlain')).toBe(2 * bytes)
  expect(found('HolderOfShared')).toBe(2 * bytes)
  expect(found('HolderOfHidden.#column')).toBe(4 * bytes)
  expect(objectBytes).toBeGreaterThan(bytes)
  expect(held).toHaveLength(4)
})
