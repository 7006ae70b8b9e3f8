// managing/committed-writes.ts: what was written and is on disk goes into the fleet, in the order in which it was
// committed. Single writes and operations of many items share one of these, because a later write may build on an
// earlier one. The registry is told by number which changes have ended.
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { Engine } from '../engine/engine.ts'
import type { FleetChange } from '../fleet/fleet-change.ts'
import type { Vault } from '../vault/vault.ts'
import { keysInUse } from './credential-vault.ts'
import { asMonitor, type ManagedKind, type ManagedResource } from './managed-resource.ts'
import { monitorDocument } from './monitor-document.ts'
import type { Registry } from './registry.ts'

export interface CommittedWritesOptions {
  readonly engine: Pick<Engine, 'turn' | 'amendFleet'>
  readonly registry: Registry
  readonly vault: Pick<Vault, 'problem' | 'noteKeysInUse'>
  /** The monitors of these rows came, left or changed. */
  readonly amended: (rows: Uint32Array) => void
}

export interface CommittedWrite {
  /** The number of the change. */
  readonly change: number
  readonly kind: ManagedKind
  readonly id: string
  /** Null: it was deleted. */
  readonly after: ManagedResource | null
}

/** Many writes of one commit, whose monitors are packed already. */
export interface CommittedMany {
  /** The numbers of their changes. */
  readonly changes: readonly number[]
  readonly entries: FleetDefinition
  readonly isHeadChanged: boolean
  readonly hasCredentials: boolean
  /** More credentials are about to follow. All of them are handed to every thread at once, so that can wait for them. */
  readonly isAmongCredentials?: boolean
}

type Waiting = readonly CommittedWrite[] | CommittedMany

export class CommittedWrites {
  readonly #options: CommittedWritesOptions
  /** On disk, and not in the fleet yet. Single writes that follow each other are together. */
  readonly #waiting: (CommittedWrite[] | CommittedMany)[] = []
  /** Values of credentials are on disk, and no thread has them yet. */
  #owesCredentials = false

  constructor(options: CommittedWritesOptions) {
    this.#options = options
  }

  note(write: CommittedWrite): void {
    const last = this.#waiting.at(-1)
    if (Array.isArray(last)) last.push(write)
    else this.#waiting.push([write])
  }

  noteMany(writes: CommittedMany): void {
    this.#waiting.push(writes)
  }

  /**
   * All writes of one commit go into the fleet together: whoever comes here first finds the others waiting, so every
   * thread is told once.
   */
  apply(): void {
    // One at a time: if one cannot be brought in, those behind it are not lost with it.
    for (let writes = this.#waiting.shift(); writes !== undefined; writes = this.#waiting.shift())
      this.#bringIn(isMany(writes) ? writes : this.#together(writes))
  }

  /** No more credentials follow. */
  payCredentials(): void {
    if (this.#owesCredentials)
      this.#amend({ entries: new DefinitionBuilder().finish({}), removed: [], head: null }, true)
  }

  #bringIn(writes: CommittedMany & { readonly removed?: readonly string[] }): void {
    const { registry } = this.#options
    const { changes, entries, removed = [], isHeadChanged, hasCredentials, isAmongCredentials } = writes
    for (const change of changes) registry.committed(change)
    this.#owesCredentials ||= hasCredentials
    const withCredentials = this.#owesCredentials && isAmongCredentials !== true
    const isNothing = entries.count + removed.length === 0 && !isHeadChanged && !withCredentials
    if (isNothing) return
    this.#amend({ entries, removed, head: isHeadChanged ? registry.head() : null }, withCredentials)
  }

  #amend(change: FleetChange, withCredentials: boolean): void {
    const { engine, registry, vault, amended } = this.#options
    if (withCredentials) this.#owesCredentials = false
    void engine.turn((turn) =>
      amended(engine.amendFleet(turn, change, withCredentials ? registry.credentials() : null)),
    )
    // A value that could not be opened may be gone now, and with it the need for its key.
    if (withCredentials && vault.problem !== null)
      vault.noteKeysInUse(keysInUse({ credentials: () => registry.allCredentials() }))
  }

  /** Writes of one resource go one after the other, so none is in it twice. */
  #together(writes: readonly CommittedWrite[]): CommittedMany & { readonly removed: readonly string[] } {
    const builder = new DefinitionBuilder(this.#options.registry.drivers)
    const removed: string[] = []
    for (const { kind, id, after } of writes) {
      if (kind !== 'Monitor') continue
      if (after === null) removed.push(id)
      else builder.add(monitorDocument(asMonitor(after), this.#options.registry.drivers), null)
    }
    const has = (...kinds: ManagedKind[]) => writes.some(({ kind }) => kinds.includes(kind))
    return {
      changes: writes.map(({ change }) => change),
      entries: builder.finish({}),
      removed,
      isHeadChanged: has('NotificationEndpoint', 'NotificationGroup'),
      hasCredentials: has('Credential'),
    }
  }
}

function isMany(writes: Waiting): writes is CommittedMany {
  return !Array.isArray(writes)
}
