// bulk/apply-chunk.ts: one turn of an operation: up to a thousand prepared items are compared with the
// present state, written with their outcomes in one commit, and applied to the fleet by one amendment. The
// turn only looks up and numbers; everything else has been prepared.
import type { v2 } from '@pulseward/contract'
import { sentence } from '../config/shape/words.ts'
import type { Engine } from '../engine/engine.ts'
import type { WriteTurn } from '../engine/engine-turn.ts'
import { type Fingerprint, Fingerprints } from '../fleet/fingerprints.ts'
import { pickMonitors } from '../fleet/fleet-change.ts'
import { withVersion } from '../kinds/job-type-versions.ts'
import type { ManagedKind, ResourceKey } from '../kinds/kind.ts'
import { kindNamed, kindOf } from '../kinds/kind-table.ts'
import { asStored, hasMoreInStore, type ManagedResource } from '../kinds/managed-resource.ts'
import { keyText } from '../kinds/references.ts'
import type { ResourceValidator } from '../kinds/validate-resource.ts'
import type { Registry } from '../managing/registry.ts'
import { TurnWrites } from '../managing/turn-writes.ts'
import type { WritePath, WritePlan } from '../managing/write-path.ts'
import type { StoredOutcome } from '../store/bulk.ts'
import type { StoredResource } from '../store/resource.ts'
import { vaultTrouble } from '../vault/credential-vault.ts'
import { type Vault, VaultUnavailable } from '../vault/vault.ts'
import { jobTypeProblem, type UserJudgements } from './judge-users.ts'
import { type PreparedChunk, type PreparedExtra, preparedOutcomes } from './work.ts'

export interface ApplyOptions {
  readonly engine: Pick<Engine, 'request' | 'applyControl'>
  /** Shared with single writes. */
  readonly path: Pick<WritePath, 'write' | 'paySecrets'>
  readonly registry: Registry
  readonly validator: ResourceValidator
  readonly versionOf: (change: number) => string
  readonly vault: Pick<Vault, 'seal' | 'trouble'>
  /** The number of the next change, counted as one of this operation. */
  readonly nextChange: () => number
  /** What a turn must wait for before it begins; null if nothing. */
  readonly roomForWrite: () => Promise<void> | null
}

/** What the turn needs to know about the operation. */
export interface ApplyingOperation {
  readonly actor: string
  /** Resources of the collection that could not be written: items that name them are not written either. */
  readonly failedKeys: ReadonlySet<string>
  /** The staged values of credentials, by item. */
  readonly values: ReadonlyMap<string, string | null>
  /** Whether other writers have written since the collection was validated. */
  readonly hasForeignWrites: boolean
  /** The users of the chunk's credentials and job types; null if there were no other writes. */
  readonly users: UserJudgements | null
}

export interface AppliedChunk extends Required<Pick<WritePlan, 'writes' | 'packed'>> {
  readonly outcomes: readonly StoredOutcome[]
  /** What failed in this chunk. */
  readonly failedKeys: ReadonlySet<string>
}

type Outcome = v2.ApplyResult['outcome']

interface Decided {
  readonly outcome: Outcome
  readonly message: string | null
  /** For a credential whose value changes: sealed for the change with this number. */
  readonly sealed: { readonly value: Uint8Array; readonly change: number } | null
}

/** Decides every item, and puts what is written where the next turn sees it. */
export function decideChunk(
  turn: WriteTurn,
  chunk: PreparedChunk,
  operation: ApplyingOperation,
  options: ApplyOptions,
): AppliedChunk {
  return new ChunkTurn(turn, chunk, operation, options).decideAll()
}

const noExtra: PreparedExtra = {}
const asPrepared: readonly Decided[] = preparedOutcomes.map((outcome) => ({
  outcome,
  message: null,
  sealed: null,
}))

class ChunkTurn {
  readonly #turn: WriteTurn
  readonly #chunk: PreparedChunk
  readonly #operation: ApplyingOperation
  readonly #options: ApplyOptions
  readonly #fingerprints: Fingerprints
  readonly #failedKeys = new Set<string>()
  readonly #writes: TurnWrites
  readonly #newMonitors = new Map<string, Fingerprint>()
  /** Which of the packed monitors are written. */
  readonly #entries: number[] = []

  constructor(turn: WriteTurn, chunk: PreparedChunk, operation: ApplyingOperation, options: ApplyOptions) {
    this.#turn = turn
    this.#chunk = chunk
    this.#operation = operation
    this.#options = options
    this.#fingerprints = new Fingerprints(chunk.entries)
    this.#writes = new TurnWrites(options.registry, { actor: operation.actor, now: turn.now })
  }

  decideAll(): AppliedChunk {
    const { itemIds, ids, kinds, seen, outcomes: prepared, entries } = this.#chunk
    const { versionOf } = this.#options
    const outcomes: StoredOutcome[] = []
    let entry = 0
    for (let index = 0; index < itemIds.length; index++) {
      const kind = kindNamed(kinds[index]!)
      const before = seen[index]! === -1 ? null : seen[index]!
      const isEntry = kind === 'Monitor' && prepared[index]! < 2
      const { outcome, message, sealed } = this.#decide(index, kind, before)
      let newVersion: string | null = null
      if (outcome === 'created' || outcome === 'updated') {
        newVersion = versionOf(this.#write(index, kind, before, sealed))
        if (isEntry) this.#entries.push(entry)
        if (isEntry && before === null) this.#newMonitors.set(ids[index]!, this.#fingerprints.of(entry))
      } else if (outcome === 'unchanged' && before !== null) newVersion = versionOf(before)
      else this.#failedKeys.add(keyText([kinds[index]!, ids[index]!]))
      if (isEntry) entry++
      const oldVersion = before === null ? null : versionOf(before)
      outcomes.push({ id: itemIds[index]!, outcome, oldVersion, newVersion, message })
    }
    return {
      outcomes,
      writes: this.#writes,
      packed: {
        entries:
          this.#entries.length === entry ? entries : pickMonitors(entries, Uint32Array.from(this.#entries)),
        fingerprints: this.#newMonitors,
      },
      failedKeys: this.#failedKeys,
    }
  }

  #decide(index: number, kind: ManagedKind, before: number | null): Decided {
    const { registry } = this.#options
    const id = this.#chunk.ids[index]!
    const prepared = asPrepared[this.#chunk.outcomes[index]!]!
    const extra = this.#chunk.extras.get(index) ?? noExtra
    if (prepared.outcome === 'conflict') return { ...prepared, message: extra.message ?? null }
    if (kind === 'Monitor') {
      // It was locked before its version was looked up, so only a file can have added it.
      if (before === null && registry.has('Monitor', id)) return failed('failed', takenByFile(kind, id))
    } else {
      if (registry.isFromFile(kind, id)) return failed('failed', takenByFile(kind, id))
      if ((registry.find(kind, id)?.change ?? null) !== before)
        return failed('conflict', `The ${kind} ${id} was changed since the collection was validated.`)
    }
    if (prepared.outcome === 'unchanged') return prepared
    if (extra.references !== undefined) {
      const problem = this.#referenceProblem(index, kind, extra.references)
      if (problem !== null) return problem
    }
    const { secret, keepsVersions } = kindOf(kind)
    if (secret !== null) return this.#decideSecret(index, prepared, extra)
    const problem = keepsVersions ? this.#jobTypeProblem(index, id) : null
    return problem === null ? prepared : failed('failed', problem)
  }

  #jobTypeProblem(index: number, id: string): string | null {
    const ofVersion = jobTypeProblem(id, this.#chunk.specs[index]!, this.#options.registry)
    return ofVersion ?? this.#operation.users?.problemOf(index) ?? null
  }

  #referenceProblem(index: number, kind: ManagedKind, references: readonly ResourceKey[]): Decided | null {
    const { failedKeys, hasForeignWrites } = this.#operation
    const { registry } = this.#options
    const isFailed = (key: string) => this.#failedKeys.has(key) || failedKeys.has(key)
    const blocked = references.find((key) => isFailed(keyText(key)))
    if (blocked !== undefined)
      return failed('dependencyBlocked', `It names ${blocked[1]}, which was not written.`)
    const problem = hasForeignWrites ? this.#judgedAgain(index, kind) : missingReference(references, registry)
    return problem === null ? null : failed('failed', problem)
  }

  /** An equal value is unchanged. */
  #decideSecret(index: number, prepared: Decided, { sealed, isSame = false }: PreparedExtra): Decided {
    const { registry } = this.#options
    const value = this.#operation.values.get(this.#chunk.itemIds[index]!)
    if (sealed !== undefined && value === undefined)
      return failed(
        'failed',
        'Its value was sealed with a key that is gone; upload it again in another operation.',
      )
    const isKept =
      value == null ||
      (prepared.outcome === 'updated' && registry.credentialValue(this.#chunk.ids[index]!) === value)
    if (isKept && isSame) return { outcome: 'unchanged', message: null, sealed: null }
    if (isKept) return prepared
    const problem = this.#operation.users?.problemOf(index) ?? null
    return problem === null ? this.#seal(this.#chunk.ids[index]!, value, prepared) : failed('failed', problem)
  }

  /** An item that cannot be sealed fails: the rest of the chunk does not wait for the key file. */
  #seal(id: string, value: string, prepared: Decided): Decided {
    const { nextChange, vault } = this.#options
    const change = nextChange()
    try {
      return { ...prepared, sealed: { value: vault.seal(id, String(change), value), change } }
    } catch (error) {
      if (!(error instanceof VaultUnavailable)) throw error
      const why = vaultTrouble(vault) ?? 'the key file of credentials cannot be used'
      return failed(
        'failed',
        `Its value cannot be stored: ${why}. Put the key file in order and apply it again.`,
      )
    }
  }

  /** Validates the item like a single write. */
  #judgedAgain(index: number, kind: ManagedKind): string | null {
    const { ids, names, specs } = this.#chunk
    const { registry, validator } = this.#options
    const name = names[index] ?? null
    const metadata = { id: ids[index]!, ...(name === null ? {} : { name }) }
    const sent = { metadata, spec: JSON.parse(specs[index]!) }
    const [first] = validator.errors(kind, sent, registry, false)
    return first === undefined ? null : `${first.field}: ${sentence(first.message)}`
  }

  /** Returns the change number. */
  #write(index: number, kind: ManagedKind, before: number | null, fresh: Decided['sealed']): number {
    const { ids, uids, names, labels, specs, generations, createdAt, extras } = this.#chunk
    const { registry, nextChange } = this.#options
    const { now } = this.#turn
    const extra = extras.get(index) ?? noExtra
    const id = ids[index]!
    const uid = uids[index]!
    const change = fresh?.change ?? nextChange()
    const known = kind === 'Monitor' ? undefined : registry.find(kind, id)
    const sealed = fresh ?? known?.sealed ?? null
    // The value is not in the spec that was compared in preparation.
    const isOnlyNewValue = fresh !== null && known?.generation === generations[index]
    const asWritten: StoredResource = {
      kind,
      id,
      uid,
      change,
      generation: generations[index]! + (isOnlyNewValue ? 1 : 0),
      name: names[index] ?? null,
      labels: labelsOf(labels[index]!),
      spec: specs[index]!,
      sealed: sealed?.value ?? null,
      createdAt: before === null ? now : createdAt[index]!,
      updatedAt: now,
    }
    const spec =
      kind === 'Monitor' && extra.references === undefined ? namesNothing : JSON.parse(specs[index]!)
    const held: ManagedResource = {
      ...asWritten,
      spec,
      sealed,
      ...(kindOf(kind).keepsVersions ? { versions: withVersion(known?.versions ?? [], spec) } : {}),
    }
    // Most kinds are stored as they were written.
    const stored = hasMoreInStore(kind) ? asStored(held) : asWritten
    this.#writes.put(held, stored, before === null, extra.changes ?? [])
    return change
  }
}

function failed(outcome: Outcome, message: string): Decided {
  return { outcome, message, sealed: null }
}

function takenByFile(kind: ManagedKind, id: string): string {
  return `A fleet file has the ${kind} ${id} by now; change it there.`
}

/** What it names may have been deleted since the collection was validated. */
function missingReference(references: readonly ResourceKey[], registry: Registry): string | null {
  const missing = references.find(([kind, id]) => !registry.has(kindNamed(kind), id))
  return missing === undefined ? null : `It names ${missing[1]}, which does not exist any more.`
}

/** Stands for a monitor on its way into the fleet: of it, other turns only need what it names. */
const namesNothing = { check: { driver: { type: '', config: {} } } }

/** Many resources share few label sets. */
const labelSets = new Map<string, Readonly<Record<string, string>>>()
const labelSetsKept = 10_000

function labelsOf(text: string): Readonly<Record<string, string>> {
  const known = labelSets.get(text)
  if (known !== undefined) return known
  const labels = JSON.parse(text)
  if (labelSets.size >= labelSetsKept) labelSets.clear()
  labelSets.set(text, labels)
  return labels
}
