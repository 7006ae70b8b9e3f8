// store/moving/portable-rows.ts: the content of a store, independent of how a kind of store keeps it: a head, and parts
// that are lists of rows in the order of a key. Copying and comparing know only these. Texts and bytes are taken over as
// they are, so nothing is interpreted on the way. Indexes, sums and chains are not here: each store makes its own.
import type { StoreRestore } from '../epoch.ts'
import { type RecordType, recordTypeNames } from '../record-types.ts'
import type { StoredBlock, StoredIdentity } from '../store.ts'

/** How far the store has come. */
export interface PortableHead {
  /** As text; contains the key by which the service recognizes what it issued, and is never shown. */
  readonly identity: string
  readonly epoch: number
  readonly restores: readonly StoreRestore[]
  readonly position: number
  readonly oldest: number
  readonly historyBytes: number
  readonly highestNumericId: number
  readonly committedAt: number | null
  readonly keepsUntil: number | null
  readonly restoredAt: number | null
  readonly lastChange: number
  readonly pastForgottenUpTo: number
  readonly pastKeepsUntil: number | null
}

interface OfMonitor {
  readonly numericId: number
  readonly body: string
}

interface Version {
  readonly kind: number
  readonly id: string
  readonly change: number
  readonly labels: string
  readonly body: string
  readonly sealed: Uint8Array | null
}

export interface PortableRows {
  identities: Required<Omit<StoredIdentity, 'controlsBefore'>> & { readonly controlsBefore: number | null }
  events: {
    readonly position: number
    readonly numericId: number | null
    readonly at: number
    readonly isOfResource: boolean
    readonly body: string
  }
  incidents: {
    readonly opened: number
    readonly closed: number | null
    readonly numericId: number
    readonly id: string
    /** As it was opened. */
    readonly body: string
    readonly ended: string | null
    /** What people did about it, added up. */
    readonly handled: string | null
  }
  actions: {
    readonly number: number
    readonly id: string
    readonly monitorId: string | null
    readonly unsettled: number
    readonly changedAt: number
    readonly body: string
    readonly incarnation: string | null
  }
  states: OfMonitor
  pushes: OfMonitor
  escalations: { readonly key: string; readonly body: string }
  revisions: { readonly kind: string; readonly id: string; readonly until: number; readonly body: string }
  blocks: StoredBlock
  /** What there is one of: the SLO window and the destinations that are not healthy. */
  figures: { readonly name: string; readonly body: string }
  resources: Version
  pastResources: Version & { readonly endedBy: number; readonly endedAt: number }
  changes: {
    readonly change: number
    readonly kind: number
    readonly id: string
    readonly isDeleted: boolean
  }
  operations: { readonly id: number; readonly body: string }
  bulk: { readonly id: number; readonly endedAt: number | null; readonly body: string }
  outcomes: { readonly operation: number; readonly first: number; readonly body: string }
  executions: { readonly id: string; readonly forgetAt: number | null; readonly body: string }
  statements: { readonly executionId: string; readonly id: string; readonly body: string }
  /** `level`: its place in `storedLevels` of trend.ts. */
  trends: { readonly level: number; readonly key: number; readonly bytes: Uint8Array }
  openTrends: {
    readonly level: number
    readonly block: number
    readonly cell: number
    readonly bytes: Uint8Array
  }
  /** Like the rest: a file of the data directory, or a table of a shared store. Texts of which there is one, by name. */
  documents: { readonly name: string; readonly body: string }
  staged: { readonly operation: number; readonly body: string }
  stagedItems: {
    readonly operation: number
    readonly ordinal: number
    readonly body: string
    readonly sealed: Uint8Array | null
  }
  stagedPlans: { readonly operation: number; readonly ordinal: number; readonly body: string }
}

export const principalsDocument = 'principals'

export type PartName = keyof PortableRows
export type RowOf<Name extends PartName> = PortableRows[Name]

interface Part<Row> {
  /** What one row is, for people. */
  readonly noun: string
  /** The fields that the rows are ordered by; no two rows have the same values in them. */
  readonly key: readonly (keyof Row & string)[]
  /** How many rows are in memory at once. */
  readonly rowsAtOnce: number
}

const few = 32
const many = 2_000

export const parts: { readonly [Name in PartName]: Part<RowOf<Name>> } = {
  identities: { noun: 'monitor identity', key: ['numericId'], rowsAtOnce: 4_096 },
  events: { noun: 'event', key: ['position'], rowsAtOnce: many },
  incidents: { noun: 'incident', key: ['opened'], rowsAtOnce: many },
  actions: { noun: 'action', key: ['number'], rowsAtOnce: many },
  states: { noun: 'state of a monitor', key: ['numericId'], rowsAtOnce: many },
  pushes: { noun: 'push record', key: ['numericId'], rowsAtOnce: many },
  escalations: { noun: 'escalation record', key: ['key'], rowsAtOnce: many },
  revisions: { noun: 'revision', key: ['kind', 'id', 'until'], rowsAtOnce: many },
  blocks: { noun: 'block of counters', key: ['block'], rowsAtOnce: few },
  figures: { noun: 'figure', key: ['name'], rowsAtOnce: few },
  resources: { noun: 'resource', key: ['kind', 'id'], rowsAtOnce: 1_000 },
  pastResources: { noun: 'past version', key: ['endedBy'], rowsAtOnce: 1_000 },
  changes: { noun: 'change', key: ['change'], rowsAtOnce: 4_096 },
  operations: { noun: 'operation', key: ['id'], rowsAtOnce: many },
  bulk: { noun: 'bulk operation', key: ['id'], rowsAtOnce: many },
  outcomes: { noun: 'chunk of outcomes', key: ['operation', 'first'], rowsAtOnce: few },
  executions: { noun: 'job of a worker', key: ['id'], rowsAtOnce: many },
  statements: { noun: 'statement of a worker', key: ['executionId', 'id'], rowsAtOnce: many },
  trends: { noun: 'trend block', key: ['level', 'key'], rowsAtOnce: 200 },
  openTrends: { noun: 'open trend block', key: ['level', 'block'], rowsAtOnce: 200 },
  documents: { noun: 'document', key: ['name'], rowsAtOnce: few },
  staged: { noun: 'staged operation', key: ['operation'], rowsAtOnce: many },
  stagedItems: { noun: 'staged item', key: ['operation', 'ordinal'], rowsAtOnce: 1_000 },
  stagedPlans: { noun: 'plan of a staged item', key: ['operation', 'ordinal'], rowsAtOnce: many },
}

/** Where each type of record is: a new one is forgotten by no copy, because the compiler asks for its entry. */
const partsOfRecords: { readonly [Type in RecordType]: readonly PartName[] } = {
  identities: ['identities'],
  events: ['events', 'incidents'],
  actions: ['actions'],
  states: ['states'],
  pushes: ['pushes'],
  escalations: ['escalations'],
  revisions: ['revisions'],
  blocks: ['blocks'],
  slo: ['figures'],
  destinations: ['figures'],
  resources: ['resources', 'pastResources', 'changes'],
  operations: ['operations'],
  bulk: ['bulk', 'outcomes'],
  executions: ['executions'],
  statements: ['statements'],
  trends: ['trends', 'openTrends'],
}

/** In the order in which they are copied. */
export const partNames: readonly PartName[] = [
  ...new Set([
    ...recordTypeNames.flatMap((type) => partsOfRecords[type]),
    ...(['documents', 'staged', 'stagedItems', 'stagedPlans'] as const),
  ]),
]
