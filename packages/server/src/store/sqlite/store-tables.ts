// store/sqlite/store-tables.ts: the tables of one database, each behind the class that writes and reads it.
// Their state in memory changes only after the commit.
import type { DatabaseSync } from 'node:sqlite'
import type { StoreBounds } from '../retention.ts'
import { TrendKeeping } from '../trend-keeping.ts'
import { ActionLedger } from './action-ledger.ts'
import { BulkTable } from './bulk-table.ts'
import { EscalationTable } from './escalation-table.ts'
import { EventLog } from './event-log.ts'
import { ExecutionTable } from './execution-table.ts'
import { IdentityBlocks } from './identity-blocks.ts'
import { IncidentTable } from './incident-table.ts'
import { LogRow } from './log-row.ts'
import { ManagedResources } from './managed-resources.ts'
import { OperationLog } from './operation-log.ts'
import { PresentTables } from './present-tables.ts'
import { PushTable } from './push-table.ts'
import { RevisionTable } from './revision-table.ts'
import { StatementTable } from './statement-table.ts'
import { TrendTable } from './trend-table.ts'

export class StoreTables {
  readonly log: LogRow
  readonly events: EventLog
  readonly actions: ActionLedger
  readonly incidents: IncidentTable
  readonly identities: IdentityBlocks
  readonly present: PresentTables
  readonly pushes: PushTable
  readonly escalations: EscalationTable
  readonly revisions: RevisionTable
  readonly resources: ManagedResources
  readonly operations: OperationLog
  readonly bulk: BulkTable
  readonly executions: ExecutionTable
  readonly statements: StatementTable
  readonly trendRows: TrendTable
  readonly trends: TrendKeeping

  constructor(database: DatabaseSync, bounds: StoreBounds, run: string) {
    this.log = new LogRow(database, run)
    this.events = new EventLog(database, this.log)
    this.actions = new ActionLedger(database)
    this.incidents = new IncidentTable(database)
    this.identities = new IdentityBlocks(database)
    this.present = new PresentTables(database)
    this.pushes = new PushTable(database)
    this.escalations = new EscalationTable(database)
    this.revisions = new RevisionTable(database)
    this.resources = new ManagedResources(database, bounds, this.log.committed.committedAt)
    this.operations = new OperationLog(database)
    this.bulk = new BulkTable(database)
    this.executions = new ExecutionTable(database)
    this.statements = new StatementTable(database)
    this.trendRows = new TrendTable(database)
    this.trends = new TrendKeeping(this.trendRows)
  }

  /** After the transaction is committed. */
  settle(): void {
    for (const part of this.#parts) part.settle()
  }

  /** After the transaction is rolled back. */
  discard(): void {
    for (const part of this.#parts) part.discard()
  }

  get #parts(): readonly { settle(): void; discard(): void }[] {
    return [this.events, this.identities, this.log, this.resources, this.trends]
  }
}
