// Every driver of the registry keeps the contract: the first of them here, the others in contract-*.test.ts. That the
// contract is worth something is shown by contract-breakers.test.ts.
import { expect, it } from 'vitest'
import { checkContracts } from '../../../testing/src/check-contract.ts'
import { scenarioGroups } from '../../../testing/src/check-scenarios/index.ts'
import { checks } from './registry.ts'

it('has scenarios for every driver of the registry', () => {
  const tried = Object.values(scenarioGroups).flatMap((group) => Object.keys(group))
  expect(tried.sort()).toEqual(Object.keys(checks).sort())
})

checkContracts(checks, scenarioGroups.network)
