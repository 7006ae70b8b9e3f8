// store/record-types.ts: the record types of a batch, as one table: how records are collected in a turn, how batches are
// merged, and how many entries they count as. Each store has a table with the same names that says how it keeps them. A
// new record type is a member of CommitBatch and an entry in each table; the compiler enforces that.
import type { CommitBatch } from './store.ts'

export type RecordType = keyof CommitBatch

/** A single record: an entry of a list, or the one value of its type. */
export type RecordOf<Type extends RecordType> = CommitBatch[Type] extends readonly (infer Entry)[]
  ? Entry
  : NonNullable<CommitBatch[Type]>

interface RecordRule<One, Kept> {
  readonly nothing: Kept
  /** Records of one turn with the same key are merged: the last one wins. */
  readonly keyOf?: (record: One) => unknown
  countOf(kept: Kept): number
  merge(inOrder: readonly Kept[]): Kept
  /** `kept` plus the record; may modify `kept`, unless it is `nothing`. */
  add(kept: Kept, record: One): Kept
}

/**
 * In the order in which stores write them: a monitor is deleted or recreated only after the actions that were
 * made for it.
 */
export const recordTypes: {
  readonly [Type in RecordType]: RecordRule<RecordOf<Type>, CommitBatch[Type]>
} = {
  identities: listed(),
  events: listed(),
  actions: listed(({ id }) => id),
  states: listed(({ numericId }) => numericId),
  pushes: listed(({ numericId }) => numericId),
  escalations: listed(({ key }) => key),
  revisions: listed(),
  blocks: listed(),
  slo: latest(),
  destinations: latest(),
  resources: listed(),
  operations: listed(),
  bulk: listed(),
  executions: listed(),
  statements: listed(),
  trends: listed(),
}

export const recordTypeNames = Object.keys(recordTypes) as readonly RecordType[]

/** Shared by all batches, so absent record types cost nothing. */
export const emptyBatch: CommitBatch = batchOf(
  (type) => recordTypes[type].nothing as CommitBatch[typeof type],
)

/** The number of entries in a batch, used for back-pressure and group size. */
export function entriesOf(batch: CommitBatch): number {
  let entries = 0
  // Most batches have few types of records.
  for (const type of recordTypeNames) if (batch[type] !== emptyBatch[type]) entries += countOf(batch, type)
  return entries
}

/** Merges batches, in order. */
export function mergeBatches(batches: readonly CommitBatch[]): CommitBatch {
  const [only] = batches
  if (only !== undefined && batches.length === 1) return only
  return batchOf((type) => mergeType(batches, type))
}

/** Calls back for each record type in the batch, in the order in which stores write them. */
export function visitRecords(
  batch: CommitBatch,
  visit: <Type extends RecordType>(type: Type, kept: CommitBatch[Type]) => void,
): void {
  for (const type of recordTypeNames) if (countOf(batch, type) > 0) visit(type, batch[type])
}

function countOf<Type extends RecordType>(batch: CommitBatch, type: Type): number {
  return recordTypes[type].countOf(batch[type])
}

function mergeType<Type extends RecordType>(batches: readonly CommitBatch[], type: Type): CommitBatch[Type] {
  return recordTypes[type].merge(batches.map((batch) => batch[type]))
}

function batchOf(kept: <Type extends RecordType>(type: Type) => CommitBatch[Type]): CommitBatch {
  return Object.fromEntries(recordTypeNames.map((type) => [type, kept(type)])) as unknown as CommitBatch
}

/** Keeps every record, in order. */
function listed<One>(keyOf?: (record: One) => unknown): RecordRule<One, readonly One[]> {
  const nothing: readonly One[] = Object.freeze([])
  return {
    nothing,
    ...(keyOf === undefined ? {} : { keyOf }),
    countOf: (kept) => kept.length,
    merge(inOrder) {
      const filled = inOrder.filter(({ length }) => length > 0)
      return filled.length > 1 ? filled.flat() : (filled[0] ?? nothing)
    },
    add(kept, record) {
      if (kept === nothing) return [record]
      ;(kept as One[]).push(record)
      return kept
    },
  }
}

/** Keeps only the last record; null if there is none. */
function latest<One>(): RecordRule<One, One | null> {
  return {
    nothing: null,
    countOf: (kept) => (kept === null ? 0 : 1),
    merge: (inOrder) => inOrder.findLast((kept) => kept !== null) ?? null,
    add: (_kept, record) => record,
  }
}
