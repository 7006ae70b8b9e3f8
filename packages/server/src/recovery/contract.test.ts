// Every driver of the registry keeps the contract. That the contract is worth something is shown by
// contract-breakers.test.ts.
import { expect, it } from 'vitest'
import { recoveryContract } from '../../../testing/src/recovery-contract.ts'
import { recoveryScenarios } from '../../../testing/src/recovery-scenarios/index.ts'
import type { RecoveryDriver } from './driver.ts'
import { recoveries } from './registry.ts'

const drivers = recoveries as unknown as Readonly<Record<string, RecoveryDriver>>

it('has scenarios for every driver of the registry', () => {
  expect(Object.keys(recoveryScenarios).sort()).toEqual(Object.keys(drivers).sort())
})

for (const [name, driver] of Object.entries(drivers)) {
  const start = recoveryScenarios[name]
  if (start !== undefined) recoveryContract(name, driver, start)
}
