// Part 4 of the contracts of the notifiers: four files share the drivers of the registry, so that they run at the same
// time.
import { notifierContracts } from '@pulseward/testing/notify'
import { notifiers } from './registry.ts'

await notifierContracts(notifiers, import.meta.dirname, { part: 4, of: 4 })
