// Two monitors with one key, which validation refuses: files and v2 may still meet so at a start.
import { expect, it } from 'vitest'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import { keyDigest } from '../platform/key-table.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { PushFleet } from './push-fleet.ts'

const key = 'a-key-of-two-monitors-0123'

it('gives the signals of a shared key to one monitor, says so of the other, and frees the key', () => {
  const builder = new DefinitionBuilder()
  for (const id of ['first', 'second'])
    builder.add({
      id,
      name: id,
      check: { type: 'push', config: { every: '1h', key: { credential: `of-${id}` } } },
    })
  const definition = builder.finish({})
  const configs = new PackedReader(definition.configs)
  const fleet = new PushFleet({
    has: () => true,
    configOf: (row) => configs.get(row),
    rowsWithCredential: () => [],
  })
  const credentials = new Map([
    ['of-first', key],
    ['of-second', key],
  ])
  fleet.set(definition, credentials, 2)
  expect(fleet.find(keyDigest(key))?.row).toBe(0)
  expect([fleet.sharesKeyWith(0), fleet.sharesKeyWith(1)]).toEqual([null, 0])
  fleet.forget(0)
  expect(fleet.find(keyDigest(key))?.row).toBe(1)
  expect(fleet.sharesKeyWith(1)).toBeNull()
})
