// bulk/prepare-chunk.ts: the items to apply next, in the form that the turn needs: what is written for each, or why it is
// not, and the monitors packed for the fleet. These resources are locked, so nothing changes until they are applied.
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import { changedFields, type ResourceContent } from '../kinds/changed-fields.ts'
import type { ManagedKind } from '../kinds/kind.ts'
import { kindNamed, kindOf } from '../kinds/kind-table.ts'
import { monitorDocument } from '../kinds/monitor-document.ts'
import type { DriverSchemas } from '../kinds/redact-config.ts'
import { referencesOf } from '../kinds/references.ts'
import type { PlannedStagedItem } from '../store/staging.ts'
import { type CurrentResource, sameText } from './current-resources.ts'
import { type PreparedChunk, type PreparedExtra, preparedOutcomes } from './work.ts'

export interface PrepareOptions {
  readonly drivers: DriverShapes
  readonly schemas: DriverSchemas
  readonly newUid: () => string
  readonly versionOf: (change: number) => string
}

type Outcome = (typeof preparedOutcomes)[number]

export function prepareChunk(
  place: number,
  items: readonly PlannedStagedItem[],
  found: readonly (CurrentResource | null)[],
  options: PrepareOptions,
): PreparedChunk {
  const builder = new DefinitionBuilder(options.drivers)
  const count = items.length
  const chunk = {
    place,
    itemIds: items.map(({ itemId }) => itemId),
    kinds: Uint8Array.from(items, ({ kind }) => kind),
    ids: items.map(({ id }) => id),
    outcomes: new Uint8Array(count),
    seen: Float64Array.from(items, (_, index) => found[index]?.change ?? -1),
    uids: [] as string[],
    generations: new Uint32Array(count),
    createdAt: Float64Array.from(items, (_, index) => found[index]?.createdAt ?? Number.NaN),
    names: [] as (string | null)[],
    labels: [] as string[],
    specs: [] as string[],
    extras: new Map<number, PreparedExtra>(),
  }
  for (const [index, item] of items.entries()) {
    const before = found[index] ?? null
    const outcome = outcomeOf(item, before, options)
    chunk.outcomes[index] = preparedOutcomes.indexOf(outcome)
    const isWritten = outcome === 'created' || outcome === 'updated'
    const extra = isWritten ? extraOf(item, before, builder, options) : messageOf(item, before, outcome)
    if (extra !== null) chunk.extras.set(index, extra)
    chunk.generations[index] = before === null ? 1 : before.generation + (before.spec === item.spec ? 0 : 1)
    chunk.uids.push(isWritten ? (before?.uid ?? options.newUid()) : '')
    chunk.names.push(isWritten ? item.name : null)
    chunk.labels.push(isWritten ? item.labels : '')
    chunk.specs.push(isWritten ? item.spec : '')
  }
  return { ...chunk, entries: builder.finish({}) }
}

/** Compares the present version with the one that the client expects, or that validation has seen. */
function outcomeOf(
  item: PlannedStagedItem,
  before: CurrentResource | null,
  { versionOf }: PrepareOptions,
): Outcome {
  const { expected, seen, sealed } = item
  const isExpected =
    expected === null
      ? (before?.change ?? null) === seen
      : before !== null && versionOf(before.change) === expected
  if (!isExpected) return 'conflict'
  if (before === null) return 'created'
  return isSameContent(item, before) && sealed === null ? 'unchanged' : 'updated'
}

function messageOf(
  { kind, id, expected, seen }: PlannedStagedItem,
  before: CurrentResource | null,
  outcome: Outcome,
): PreparedExtra | null {
  if (outcome !== 'conflict') return null
  const noun = `The ${kindNamed(kind)} ${id}`
  const since = 'since the collection was validated'
  if (expected !== null)
    return {
      message:
        before === null
          ? `${noun} does not exist, and a version of it was expected.`
          : `${noun} has another version than the expected one.`,
    }
  if (seen === null) return { message: `${noun} was created by another client ${since}.` }
  return { message: `${noun} was ${before === null ? 'deleted' : 'changed'} ${since}.` }
}

function isSameContent(item: PlannedStagedItem, before: CurrentResource): boolean {
  return before.spec === item.spec && before.name === item.name && sameText(before.labels, item.labels)
}

/** What is written besides the content itself; null for nothing. Also packs a monitor. */
function extraOf(
  item: PlannedStagedItem,
  before: CurrentResource | null,
  builder: DefinitionBuilder,
  { schemas, drivers }: PrepareOptions,
): PreparedExtra | null {
  const { id, name, sealed } = item
  const kind = kindNamed(item.kind)
  const isMonitor = kind === 'Monitor'
  const spec = isMonitor || item.hasReferences === 1 ? JSON.parse(item.spec) : null
  if (isMonitor) {
    const metadata = { id, labels: JSON.parse(item.labels), ...(name === null ? {} : { name }) }
    builder.add(monitorDocument({ metadata, spec }, drivers), null)
  }
  if (before === null && item.hasReferences === 0 && sealed === null) return null
  return {
    ...(before === null ? {} : { changes: changedFields(shown(kind, before), shown(kind, item), schemas) }),
    ...(item.hasReferences === 0 ? {} : { references: referencesOf(kindOf(kind), spec, drivers) }),
    ...(sealed === null ? {} : { sealed, isSame: before !== null && isSameContent(item, before) }),
  }
}

function shown(
  kind: ManagedKind,
  { name, labels, spec }: Pick<CurrentResource, 'name' | 'labels' | 'spec'>,
): ResourceContent {
  return { kind, name: name ?? undefined, labels: JSON.parse(labels), spec: JSON.parse(spec) }
}
