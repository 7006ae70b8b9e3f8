// bulk/prepare-chunk.ts: items that are applied next, as the turn needs them: what is written for each, or why it is not,
// and the monitors packed for the fleet. Nobody else writes these resources meanwhile, so what is found stays so until
// they are applied.
import type { v2 } from '@pulseward/contract'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { ManagedKind } from '../managing/managed-resource.ts'
import { monitorDocument } from '../managing/monitor-document.ts'
import { changedFields, type ResourceContent } from '../resources/changed-fields.ts'
import type { DriverSchemas } from '../resources/redact-config.ts'
import { resourceKinds } from '../store/resource.ts'
import type { PlannedStagedItem } from '../store/staging/staging-file.ts'
import { type CurrentResource, sameText } from './current-resources.ts'
import { referencesOf } from './references.ts'
import type { PreparedChunk, PreparedContent, PreparedItem } from './work.ts'

export interface PrepareOptions {
  readonly schemas: DriverSchemas
  readonly newUid: () => string
  readonly versionOf: (change: number) => string
}

export function prepareChunk(
  place: number,
  items: readonly PlannedStagedItem[],
  found: readonly (CurrentResource | null)[],
  options: PrepareOptions,
): PreparedChunk {
  const builder = new DefinitionBuilder()
  const prepared = items.map((item, index) => prepare(item, found[index] ?? null, options, builder))
  return { place, items: prepared, entries: builder.finish({}) }
}

function prepare(
  item: PlannedStagedItem,
  before: CurrentResource | null,
  options: PrepareOptions,
  builder: DefinitionBuilder,
): PreparedItem {
  const kind = resourceKinds[item.kind] as ManagedKind
  const { itemId, id, sealed } = item
  const base = { itemId, kind, id, seen: before?.change ?? null, message: null, content: null, sealed: null }
  const conflict = conflictOf(item, before, options)
  if (conflict !== null) return { ...base, outcome: 'conflict', message: conflict }
  const isSame = isSameContent(item, before)
  if (isSame && sealed === null) return { ...base, outcome: 'unchanged' }
  const content = contentOf(kind, item, before, isSame, options)
  if (kind === 'Monitor') {
    const metadata = {
      id,
      labels: JSON.parse(item.labels),
      ...(item.name === null ? {} : { name: item.name }),
    }
    builder.add(monitorDocument({ metadata, spec: JSON.parse(item.spec) }), null)
  }
  return { ...base, outcome: before === null ? 'created' : 'updated', content, sealed }
}

/** Compares the version that is there with the one that the client expects, or that validation has seen. */
function conflictOf(
  { kind, id, expected, seen }: PlannedStagedItem,
  before: CurrentResource | null,
  { versionOf }: PrepareOptions,
): string | null {
  const noun = `The ${resourceKinds[kind]} ${id}`
  if (expected === null) {
    if ((before?.change ?? null) === seen) return null
    if (seen === null) return `${noun} was created by somebody else since the collection was validated.`
    return `${noun} was ${before === null ? 'deleted' : 'changed'} since the collection was validated.`
  }
  if (before === null) return `${noun} does not exist, and a version of it was expected.`
  return versionOf(before.change) === expected ? null : `${noun} has another version than the expected one.`
}

function isSameContent(item: PlannedStagedItem, before: CurrentResource | null): boolean {
  if (before === null) return false
  return before.spec === item.spec && before.name === item.name && sameText(before.labels, item.labels)
}

function contentOf(
  kind: ManagedKind,
  item: PlannedStagedItem,
  before: CurrentResource | null,
  isSame: boolean,
  { schemas, newUid }: PrepareOptions,
): PreparedContent {
  const { name, labels, spec, hasReferences } = item
  const keepsSpec = before !== null && before.spec === spec
  return {
    uid: before?.uid ?? newUid(),
    generation: before === null ? 1 : before.generation + (keepsSpec ? 0 : 1),
    createdAt: before?.createdAt ?? null,
    name,
    labels,
    spec,
    changes: before === null || isSame ? [] : changedFields(shown(kind, before), shown(kind, item), schemas),
    references: hasReferences === 0 ? null : referencesOf({ kind, spec: JSON.parse(spec) } as v2.Resource),
    isSame,
  }
}

function shown(
  kind: ManagedKind,
  { name, labels, spec }: Pick<CurrentResource, 'name' | 'labels' | 'spec'>,
): ResourceContent {
  return { kind, name: name ?? undefined, labels: JSON.parse(labels), spec: JSON.parse(spec) }
}
