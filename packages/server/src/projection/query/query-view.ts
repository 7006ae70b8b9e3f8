// projection/query/query-view.ts: what a query reads: the packed text of one arrangement and the columns for
// filters and orders. All of it is shared memory, so posting a view to another thread copies nothing.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import type { FleetColumns } from '../../fleet/columns.ts'
import type { FirstTags } from '../../fleet/first-tags.ts'
import type { PackedStrings } from '../../platform/packed-strings.ts'

/**
 * The controller writes these while queries read them. That is harmless: bytes and aligned 4-byte values
 * never tear, and a torn openedAt or lastCheck would only misplace one monitor in one answer.
 */
export type QueryColumns = Pick<
  FleetColumns,
  | 'status'
  | 'type'
  | 'code'
  | 'tellsNobody'
  | 'snoozed'
  | 'numericId'
  | 'openedAt'
  | 'lastCheck'
  | 'latencyMs'
  | 'shownHealthySamples'
  | 'shownTotalSamples'
>

/** A fleet that can be queried: the live one, or a snapshot. */
export interface QuerySource {
  readonly definition: FleetDefinition
  readonly present: Uint8Array
  readonly searchNames: PackedStrings
  readonly firstTags: FirstTags
  readonly columns: QueryColumns
}

export interface QueryView {
  /** Changes with every view. */
  readonly number: number
  /** Changes when rows mean other monitors than before; every answer names its generation. */
  readonly generation: number
  /** Changes when the whole fleet is rearranged; until then, orders are kept and amended. */
  readonly arrangement: number
  readonly present: Uint8Array
  readonly ids: PackedStrings
  readonly names: PackedStrings
  /** The label set number of each row. */
  readonly labels: Uint32Array
  /** The number of each row's own rules about notifications. */
  readonly notifications: Uint32Array
  /** The source number of each row, and the number that means no source: the monitor was created through v2. */
  readonly sources: Uint32Array
  readonly noSource: number
  readonly searchNames: PackedStrings
  /** The tag list number of each row. */
  readonly tagLists: Uint32Array
  readonly firstTags: FirstTags
  readonly columns: QueryColumns
}

export function viewOf(
  source: QuerySource,
  { number, generation, arrangement }: Pick<QueryView, 'number' | 'generation' | 'arrangement'>,
): QueryView {
  const { definition, present, searchNames, firstTags, columns } = source
  const { status, type, code, tellsNobody, snoozed, numericId, openedAt } = columns
  const { lastCheck, latencyMs, shownHealthySamples, shownTotalSamples } = columns
  return {
    number,
    generation,
    arrangement,
    present,
    ids: definition.ids,
    names: definition.names,
    labels: definition.labels.of,
    notifications: definition.notifications.of,
    sources: definition.sources.of,
    noSource: definition.sources.values.indexOf(null),
    searchNames,
    tagLists: definition.tags.of,
    firstTags,
    columns: {
      ...{ status, type, code, tellsNobody, snoozed, numericId, openedAt },
      ...{ lastCheck, latencyMs, shownHealthySamples, shownTotalSamples },
    },
  }
}
