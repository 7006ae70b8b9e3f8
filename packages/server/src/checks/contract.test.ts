// Every driver of the registry keeps the contract. That the contract is worth something is shown by
// contract-breakers.test.ts.
import { expect, it } from 'vitest'
import { checkContract } from '../../../testing/src/check-contract.ts'
import { checkScenarios } from '../../../testing/src/check-scenarios/index.ts'
import type { CheckDriver } from './driver.ts'
import { checks } from './registry.ts'

const drivers = checks as unknown as Readonly<Record<string, CheckDriver>>

it('has scenarios for every driver of the registry', () => {
  expect(Object.keys(checkScenarios).sort()).toEqual(Object.keys(drivers).sort())
})

for (const [name, driver] of Object.entries(drivers)) {
  const start = checkScenarios[name]
  if (start !== undefined) checkContract(name, driver, start)
}
