// deciding/actions/ledger-parts.ts: the parts of the ledger, created once and shared by all functions that decide for it.

import { ActionQueues } from './action-queues.ts'
import { ActionTable } from './action-table.ts'
import type { Destination } from './destination.ts'
import { NotificationPlanner, type NotificationSettings } from './notification-planner.ts'
import { UntoldIncidents } from './untold.ts'

export interface LedgerSettings extends NotificationSettings {
  /** Limit for the whole service. */
  readonly interventionsPerMinute: number
}

export interface LedgerOptions {
  readonly settings: LedgerSettings
  readonly destinations: Iterable<Destination>
  /** Returns an id that no process has used before. */
  readonly newId: () => string
}

export interface LedgerParts {
  readonly queues: ActionQueues
  readonly table: ActionTable
  readonly planner: NotificationPlanner
  readonly untold: UntoldIncidents
}

export function createParts({ settings, destinations, newId }: LedgerOptions): LedgerParts {
  const queues = new ActionQueues(settings.interventionsPerMinute, destinations)
  const table = new ActionTable(queues)
  const untold = new UntoldIncidents(queues)
  return { queues, table, untold, planner: new NotificationPlanner(settings, table, queues, untold, newId) }
}
