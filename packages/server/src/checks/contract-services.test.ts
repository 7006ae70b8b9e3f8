// The contract of the checks of servers that people log in to or call; contract.test.ts sees to it that no driver is left out.
import { checkContracts } from '../../../testing/src/check-contract.ts'
import { scenarioGroups } from '../../../testing/src/check-scenarios/index.ts'
import { checks } from './registry.ts'

checkContracts(checks, scenarioGroups.services)
