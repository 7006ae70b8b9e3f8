// projection/query/query-view.ts: what a query looks at: the packed text of one arrangement and the columns that
// filters and orders need. All of it is shared memory, so posting a view to another thread copies nothing.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import type { FleetColumns } from '../../fleet/columns.ts'
import type { FirstTags } from '../../fleet/first-tags.ts'
import type { PackedStrings } from '../../platform/packed-strings.ts'

/**
 * Written by the controller while they are read. That is harmless: bytes and aligned 4-byte values never tear, and
 * openedAt, should it ever tear, misplaces one incident in one answer.
 */
export type QueryColumns = Pick<FleetColumns, 'status' | 'type' | 'code' | 'numericId' | 'openedAt'>

/** A fleet that can be queried: the live one, or what a snapshot kept. */
export interface QuerySource {
  readonly definition: FleetDefinition
  readonly present: Uint8Array
  readonly searchNames: PackedStrings
  readonly firstTags: FirstTags
  readonly columns: QueryColumns
}

export interface QueryView {
  /** Another one for every view. */
  readonly number: number
  /** Another one when rows mean other monitors than before: an answer says from which it comes. */
  readonly generation: number
  /** Another one when the whole fleet was arranged anew: orders are kept as long as it stays, and amended. */
  readonly arrangement: number
  readonly present: Uint8Array
  readonly ids: PackedStrings
  readonly names: PackedStrings
  /** The number of each row's labels. */
  readonly labels: Uint32Array
  /** The number of each row's source, and the number that means none: the monitor was created through v2. */
  readonly sources: Uint32Array
  readonly noSource: number
  readonly searchNames: PackedStrings
  /** The number of each row's list of tags. */
  readonly tagLists: Uint32Array
  readonly firstTags: FirstTags
  readonly columns: QueryColumns
}

export function viewOf(
  source: QuerySource,
  { number, generation, arrangement }: Pick<QueryView, 'number' | 'generation' | 'arrangement'>,
): QueryView {
  const { definition, present, searchNames, firstTags, columns } = source
  const { status, type, code, numericId, openedAt } = columns
  return {
    number,
    generation,
    arrangement,
    present,
    ids: definition.ids,
    names: definition.names,
    labels: definition.labels.of,
    sources: definition.sources.of,
    noSource: definition.sources.values.indexOf(null),
    searchNames,
    tagLists: definition.tags.of,
    firstTags,
    columns: { status, type, code, numericId, openedAt },
  }
}
