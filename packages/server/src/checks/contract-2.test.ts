// Part 2 of the contracts of the checks: four files share the drivers of the registry, so that they run at the same time.
import { checkContracts } from '@pulseward/testing/checks'
import { checks } from './registry.ts'

checkContracts(checks, { part: 2, of: 4 })
