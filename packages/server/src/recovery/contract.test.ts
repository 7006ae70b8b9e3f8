// Every recovery of the registry keeps its contract; contract-breakers.test.ts shows that the contract can fail.
import { recoveryContracts } from '@pulseward/testing/recovery'
import { recoveries } from './registry.ts'

await recoveryContracts(recoveries, import.meta.dirname)
