// bulk/apply-chunk.ts: one turn of an operation: up to a thousand prepared items are held against what is there now, written
// with their outcomes in one commit, and brought into the fleet by one amendment. Nothing here costs more than looking up
// and numbering: everything else has been prepared.
import type { v2 } from '@pulseward/contract'
import type { Engine, Write, WriteTurn } from '../engine/engine.ts'
import { type FleetChange, pickMonitors } from '../fleet/fleet-change.ts'
import type { ManagedResource } from '../managing/managed-resource.ts'
import type { Registry } from '../managing/registry.ts'
import type { ResourceValidator } from '../managing/validate-resource.ts'
import { canonicalJson } from '../resources/canonical-json.ts'
import type { StoredOutcome } from '../store/bulk.ts'
import type { StoredResource } from '../store/resource.ts'
import { emptyEvent } from '../store/store.ts'
import { keysOf, keyText } from './references.ts'
import type { PreparedChunk, PreparedContent, PreparedItem, References } from './work.ts'

export interface ApplyOptions {
  readonly engine: Pick<Engine, 'write' | 'turn' | 'amendFleet'>
  readonly registry: Registry
  readonly validator: ResourceValidator
  readonly versionOf: (change: number) => string
  /** Seals the value of a credential for the change that sets it. */
  readonly seal: (id: string, change: number, value: string) => Uint8Array
  /** The number of the next change, which is one of an operation. */
  readonly nextChange: () => number
  /** The monitors of these rows came, left or changed. */
  readonly amended: (rows: Uint32Array) => void
}

/** What the turn has to know of the operation. */
export interface ApplyingOperation {
  readonly actor: string
  /** Resources of the collection that were not written as they should: what names them is not written either. */
  readonly failedKeys: ReadonlySet<string>
  /** The values that were staged for credentials, by item. */
  readonly values: ReadonlyMap<string, string | null>
  /** Others have written since the collection was validated. */
  readonly hasForeignWrites: boolean
}

export interface AppliedChunk {
  readonly outcomes: readonly StoredOutcome[]
  readonly written: readonly ManagedResource[]
  readonly writes: readonly Omit<Write, 'operation'>[]
  readonly change: FleetChange
  readonly hasCredentials: boolean
  /** What failed in this chunk. */
  readonly failedKeys: ReadonlySet<string>
}

type Outcome = v2.ApplyResult['outcome']

/** Decides about every item, and puts what is written where the next turn sees it. */
export function decideChunk(
  turn: WriteTurn,
  { items, entries }: PreparedChunk,
  operation: ApplyingOperation,
  options: ApplyOptions,
): AppliedChunk {
  const { registry, versionOf } = options
  const outcomes: StoredOutcome[] = []
  const written: ManagedResource[] = []
  const writes: Omit<Write, 'operation'>[] = []
  const entriesWritten: number[] = []
  const failedKeys = new Set<string>()
  const isBlocked = (key: string) => failedKeys.has(key) || operation.failedKeys.has(key)
  let entry = 0
  for (const item of items) {
    const isEntry = item.kind === 'Monitor' && item.content !== null
    const decided = decide(item, operation, isBlocked, options)
    const { outcome, message } = decided
    let newVersion: string | null = null
    if (item.content !== null && (outcome === 'created' || outcome === 'updated')) {
      const made = write(turn, item, item.content, decided.value, operation.actor, options)
      registry.put(made.held)
      written.push(made.held)
      writes.push(made.write)
      newVersion = versionOf(made.held.change)
      if (isEntry) entriesWritten.push(entry)
    } else if (outcome === 'unchanged' && item.seen !== null) newVersion = versionOf(item.seen)
    else failedKeys.add(keyText([kindNumbers[item.kind], item.id]))
    if (isEntry) entry++
    const oldVersion = item.seen === null ? null : versionOf(item.seen)
    outcomes.push({ id: item.itemId, outcome, oldVersion, newVersion, message })
  }
  const isHeadChanged = written.some(
    ({ kind }) => kind === 'NotificationEndpoint' || kind === 'NotificationGroup',
  )
  const change: FleetChange = {
    entries:
      entriesWritten.length === entry ? entries : pickMonitors(entries, Uint32Array.from(entriesWritten)),
    removed: [],
    head: isHeadChanged ? registry.head() : null,
  }
  const hasCredentials = written.some(({ kind }) => kind === 'Credential')
  return { outcomes, written, writes, change, hasCredentials, failedKeys }
}

interface Decided {
  readonly outcome: Outcome
  readonly message: string | null
  /** Of a credential whose value changes. */
  readonly value: string | null
}

const kindNumbers = { Monitor: 0, NotificationEndpoint: 1, NotificationGroup: 2, Credential: 3 } as const

function decide(
  item: PreparedItem,
  operation: ApplyingOperation,
  isBlocked: (key: string) => boolean,
  options: ApplyOptions,
): Decided {
  const { kind, id, outcome, message, content, seen } = item
  const { registry } = options
  const decided = (outcome: Outcome, message: string | null = null): Decided => ({
    outcome,
    message,
    value: null,
  })
  if (outcome === 'conflict') return decided(outcome, message)
  if (registry.isFromFile(kind, id))
    return decided('failed', `A fleet file has the ${kind} ${id} by now; change it there.`)
  // Monitors are locked since their version was looked up; of the others the registry knows the last version.
  if (kind !== 'Monitor' && (registry.find(kind, id)?.change ?? null) !== seen)
    return decided('conflict', `The ${kind} ${id} was changed since the collection was validated.`)
  if (content === null) return decided(outcome, message)
  if (kind === 'Monitor' && seen === null && registry.hasMonitor(id))
    return decided('conflict', `There is a Monitor ${id} already.`)
  const { references } = content
  if (references !== null) {
    const blocked = keysOf(references).find((key) => isBlocked(keyText(key)))
    if (blocked !== undefined)
      return decided('dependencyBlocked', `It names ${blocked[1]}, which was not written.`)
    const problem = operation.hasForeignWrites
      ? judgedAgain(item, content, options)
      : missingReference(references, registry)
    if (problem !== null) return decided('failed', problem)
  }
  if (kind !== 'Credential') return decided(outcome)
  return decideCredential(item, content, operation, options)
}

/** An equal value is unchanged. */
function decideCredential(
  { itemId, id, outcome, sealed }: PreparedItem,
  { isSame }: PreparedContent,
  { values }: ApplyingOperation,
  { registry }: ApplyOptions,
): Decided {
  const value = values.get(itemId)
  if (sealed !== null && value === undefined)
    return {
      outcome: 'failed',
      message: 'Its value was sealed with a key that is gone; upload it again in another operation.',
      value: null,
    }
  const isKept = value == null || (outcome === 'updated' && registry.credentialValue(id) === value)
  if (isKept && isSame) return { outcome: 'unchanged', message: null, value: null }
  return { outcome, message: null, value: isKept ? null : (value ?? null) }
}

/** What it names may have been deleted since the collection was validated. */
function missingReference(references: References, registry: Registry): string | null {
  const missing =
    references.monitors.find((id) => !registry.hasMonitor(id)) ??
    references.endpoints.find((id) => !registry.hasEndpoint(id)) ??
    references.groups.find((id) => !registry.hasGroup(id)) ??
    references.credentials.find((id) => !registry.hasCredential(id))
  return missing === undefined ? null : `It names ${missing}, which does not exist any more.`
}

/** As a single write would be. */
function judgedAgain(
  { kind, id }: PreparedItem,
  { name, spec }: PreparedContent,
  { registry, validator }: ApplyOptions,
): string | null {
  const resource = { metadata: { id, ...(name === null ? {} : { name }) }, spec: JSON.parse(spec) } as never
  const errors =
    kind === 'Monitor'
      ? validator.monitor(resource, registry)
      : kind === 'NotificationEndpoint'
        ? validator.endpoint(resource, registry)
        : validator.group(resource, registry)
  const [first] = errors
  return first === undefined ? null : `${first.field} ${first.message}.`
}

function write(
  turn: WriteTurn,
  { kind, id, seen }: PreparedItem,
  content: PreparedContent,
  value: string | null,
  actor: string,
  { registry, seal, nextChange }: ApplyOptions,
): { readonly held: ManagedResource; readonly write: Omit<Write, 'operation'> } {
  const { uid, name, changes } = content
  const change = nextChange()
  const before = kind === 'Credential' ? registry.find(kind, id) : undefined
  const sealed = value === null ? (before?.sealed ?? null) : { value: seal(id, change, value), change }
  const generation = content.generation + (value !== null && content.isSame && seen !== null ? 1 : 0)
  const times = { createdAt: content.createdAt ?? turn.now, updatedAt: turn.now }
  const labels = labelsOf(content.labels)
  const common = { kind, id, uid, change, generation, name, labels, ...times }
  const spec =
    kind === 'Credential'
      ? canonicalJson({
          ...JSON.parse(content.spec),
          ...(sealed === null ? {} : { valueChange: sealed.change }),
        })
      : content.spec
  const stored: StoredResource = { ...common, spec, sealed: sealed?.value ?? null }
  const type = seen === null ? 'resource_created' : 'resource_updated'
  return {
    held: { ...common, spec: heldSpec(kind, content), sealed },
    write: {
      resource: stored,
      event: {
        ...emptyEvent,
        monitorId: kind === 'Monitor' ? id : null,
        at: turn.now,
        type,
        actor,
        resource: { kind, id, uid },
        ...(changes.length === 0 ? {} : { changes }),
      },
    },
  }
}

const namesNothing = { check: { driver: { type: '', config: {} } } }

/** Of a monitor that is on its way into the fleet, others have to know what it names, and nothing else. */
function heldSpec(kind: PreparedItem['kind'], { spec, references }: PreparedContent): unknown {
  return kind === 'Monitor' && references === null ? namesNothing : JSON.parse(spec)
}

/** Few sets of labels are shared by many resources. */
const labelSets = new Map<string, Readonly<Record<string, string>>>()
const labelSetsKept = 1_000

function labelsOf(text: string): Readonly<Record<string, string>> {
  const known = labelSets.get(text)
  if (known !== undefined) return known
  const labels = JSON.parse(text)
  if (labelSets.size >= labelSetsKept) labelSets.clear()
  labelSets.set(text, labels)
  return labels
}
