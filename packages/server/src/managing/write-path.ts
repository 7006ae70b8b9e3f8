// managing/write-path.ts: the one way in which resources are written, single ones and the chunks of an
// operation: planned in a turn, on what earlier turns have written; committed with their events and the
// record of their author; then applied to the fleet. A write that cannot be stored is rolled back as a whole.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { Engine } from '../engine/engine.ts'
import type { WriteRecord, WriteTurn } from '../engine/engine-turn.ts'
import type { Fingerprint } from '../fleet/fingerprints.ts'
import type { FleetChange } from '../fleet/fleet-change.ts'
import { kindOf } from '../kinds/kind-table.ts'
import { asMonitor } from '../kinds/managed-resource.ts'
import { monitorDocument } from '../kinds/monitor-document.ts'
import type { Clock } from '../platform/clock.ts'
import { keysInUse } from '../vault/credential-vault.ts'
import type { Vault } from '../vault/vault.ts'
import type { PendingWrite, WrittenTogether } from './pending-writes.ts'
import type { Registry } from './registry.ts'
import type { TurnWrites } from './turn-writes.ts'

export interface WritePathOptions {
  readonly engine: Pick<Engine, 'request' | 'turn' | 'amendFleet'>
  readonly registry: Registry
  readonly vault: Pick<Vault, 'problem' | 'noteKeysInUse'>
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** The monitors of these rows were added, removed or changed. */
  readonly amended: (rows: Uint32Array) => void
}

/** The writes that a turn has decided on. */
export interface WritePlan {
  readonly writes: TurnWrites
  readonly record: WriteRecord
  /** For an operation: the written monitors, already packed, and the fingerprints of the new ones. */
  readonly packed?: { readonly entries: FleetDefinition; readonly fingerprints: Map<string, Fingerprint> }
  readonly isAmongSecrets?: boolean
  /** Called when it is on disk, before anything else can fail. */
  readonly stored?: () => void
}

export class WritePath {
  readonly #options: WritePathOptions
  /** Credential values are on disk, but no thread has them yet. */
  #owesSecrets = false

  constructor(options: WritePathOptions) {
    this.#options = options
  }

  /** Returns the time of the turn; null if nothing can be stored now: then nothing of it was written. */
  async write(plan: (turn: WriteTurn) => WritePlan): Promise<number | null> {
    const { engine, registry, clock } = this.#options
    const beganMs = clock.monotonicMs()
    const made: { plan?: WritePlan; turnMs: number } = { turnMs: 0 }
    const end = await engine.request('withdrawn', (turn) =>
      registry.whole(() => {
        const planned = plan(turn)
        const { writes, record, packed, isAmongSecrets = false } = planned
        const { changes } = writes
        turn.keep(record, writes.kept(packed?.fingerprints ?? new Map()))
        turn.afterCommit(() =>
          registry.pending.onDisk({ changes, entries: packed?.entries ?? null, isAmongSecrets }),
        )
        made.plan = planned
        made.turnMs = clock.monotonicMs() - beganMs
      }),
    )
    if (end === 'stored') made.plan?.stored?.()
    this.bringIn()
    if (end === 'stored' && made.plan !== undefined) return made.turnMs
    if (made.plan !== undefined) registry.takeBack(made.plan.writes.changes)
    return null
  }

  /**
   * Applies all single writes of one commit to the fleet together: the first caller finds the others waiting,
   * so every thread is notified once.
   */
  bringIn(): void {
    const { pending } = this.#options.registry
    // One after another: if one cannot be applied, those after it are not lost.
    for (let taken = pending.takeOnDisk(); taken !== undefined; taken = pending.takeOnDisk())
      this.#bringIn(taken)
  }

  /** To be called when no more secrets follow. */
  paySecrets(): void {
    if (this.#owesSecrets) this.#amend({ entries: noMonitors(), removed: [], head: null }, true)
  }

  #bringIn({ changes, entries, isAmongSecrets }: WrittenTogether): void {
    const { registry } = this.#options
    const writes = changes.map((change) => registry.committed(change))
    const monitors = entries === null ? this.#packed(writes) : { entries, removed: [] }
    const isHeadChanged = writes.some(({ kind }) => kindOf(kind).head !== null)
    this.#owesSecrets ||= writes.some(({ kind }) => kindOf(kind).secret !== null)
    const withSecrets = this.#owesSecrets && !isAmongSecrets
    const isNothing = monitors.entries.count + monitors.removed.length === 0 && !isHeadChanged && !withSecrets
    if (isNothing) return
    this.#amend({ ...monitors, head: isHeadChanged ? registry.head() : null }, withSecrets)
  }

  #amend(change: FleetChange, withSecrets: boolean): void {
    const { engine, registry, vault, amended } = this.#options
    if (withSecrets) this.#owesSecrets = false
    void engine.turn((turn) =>
      amended(engine.amendFleet(turn, change, withSecrets ? registry.credentials() : null)),
    )
    // A value that could not be opened may be gone now, and with it the need for its key.
    if (withSecrets && vault.problem !== null) vault.noteKeysInUse(keysInUse(registry.allCredentials()))
  }

  /** Writes of one resource are serialized, so none is in it twice. */
  #packed(writes: readonly PendingWrite[]): Pick<FleetChange, 'entries' | 'removed'> {
    const { drivers } = this.#options.registry
    const builder = new DefinitionBuilder(drivers)
    const removed: string[] = []
    for (const { kind, id, after } of writes) {
      if (kind !== 'Monitor') continue
      if (after === null) removed.push(id)
      else builder.add(monitorDocument(asMonitor(after), drivers), null)
    }
    return { entries: builder.finish({}), removed }
  }
}

function noMonitors(): FleetDefinition {
  return new DefinitionBuilder().finish({})
}
