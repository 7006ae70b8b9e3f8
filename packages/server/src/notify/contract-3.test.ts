// A share of the notifiers keep their contract; contract-1 to contract-4 run beside each other. That the contract is
// worth something is shown by contract-breakers.test.ts.
import { notifierContracts } from '@pulseward/testing/notify'
import { notifiers } from './registry.ts'

await notifierContracts(notifiers, import.meta.dirname, { part: 3, of: 4 })
