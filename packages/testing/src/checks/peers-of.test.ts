import { expect, it } from 'vitest'
import { peersOf } from './peers-of.ts'

it('finds the peers of a driver by its name', async () => {
  const { troubles } = await peersOf('tcp')
  expect(troubles.refused.map(({ peer }) => peer)).toContain('refusing')
})

it('says which file is missing where a driver has no peers', async () => {
  await expect(peersOf('carrier-pigeon')).rejects.toThrow(
    'The check carrier-pigeon has no peers. Write packages/server/src/checks/carrier-pigeon/peers.ts (CONTRIBUTING.md, "Add a check").',
  )
})
