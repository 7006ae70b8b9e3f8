// Every driver of the registry keeps the contract. That the contract is worth something is shown by
// contract-breakers.test.ts.
import { expect, it } from 'vitest'
import { notifierContract } from '../../../testing/src/notifier-contract.ts'
import { notifierScenarios } from '../../../testing/src/notifier-scenarios/index.ts'
import type { Notifier } from './driver.ts'
import { notifiers } from './registry.ts'

const drivers = notifiers as unknown as Readonly<Record<string, Notifier>>

it('has scenarios for every driver of the registry', () => {
  expect(Object.keys(notifierScenarios).sort()).toEqual(Object.keys(drivers).sort())
})

for (const [name, driver] of Object.entries(drivers)) {
  const start = notifierScenarios[name]
  if (start !== undefined) notifierContract(name, driver, start)
}
