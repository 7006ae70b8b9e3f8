// The contract of the notifiers that post to chats; contract.test.ts sees to it that no driver is left out.
import { notifierContracts } from '../../../testing/src/notifier-contract.ts'
import { scenarioGroups } from '../../../testing/src/notifier-scenarios/index.ts'
import { notifiers } from './registry.ts'

notifierContracts(notifiers, scenarioGroups.chat)
