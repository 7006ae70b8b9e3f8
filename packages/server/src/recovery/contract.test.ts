// Every recovery of the registry keeps its contract. That the contract is worth something is shown by
// contract-breakers.test.ts.
import { recoveryContracts } from '@pulseward/testing/recovery'
import { recoveries } from './registry.ts'

await recoveryContracts(recoveries, import.meta.dirname)
