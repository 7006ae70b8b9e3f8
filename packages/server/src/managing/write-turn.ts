// managing/write-turn.ts: the turn of one write: it is planned on what earlier turns have written, stored with its event and
// its operation, and brought into the fleet when that is on disk. What cannot be stored now is taken back whole.
import type { Engine } from '../engine/engine.ts'
import type { Write, WriteTurn } from '../engine/engine-turn.ts'
import { changedFields, type ResourceContent } from '../resources/changed-fields.ts'
import type { Json } from '../resources/json.ts'
import type { DriverSchemas } from '../resources/redact-config.ts'
import type { StoredOperation } from '../store/resource.ts'
import { emptyEvent } from '../store/store.ts'
import type { CommittedWrites } from './committed-writes.ts'
import type { FieldError } from './field-error.ts'
import { asStored, type ManagedResource } from './managed-resource.ts'
import type { Registry } from './registry.ts'

/** Why a write was not made; nothing of it is there. */
export class WriteRefusal extends Error {
  readonly code: RefusalCode
  readonly errors: readonly FieldError[]
  constructor(code: RefusalCode, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.name = 'WriteRefusal'
    this.code = code
    this.errors = errors
  }
}

export type RefusalCode =
  | 'notFound'
  | 'versionConflict'
  | 'managedByFile'
  | 'resourceReferenced'
  | 'invalidResource'
  | 'jobTypeImmutable'
  | 'unavailable'

/** Who writes, and under which operation. */
export interface Author {
  readonly principal: string
  readonly operation: number
}

export interface Written {
  readonly resource: ManagedResource
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted'
}

export interface ResourceTurnOptions {
  readonly engine: Pick<Engine, 'write'>
  readonly registry: Registry
  readonly schemas: DriverSchemas
  readonly versionOf: (change: number) => string
  /** Shared with everything else that writes resources. */
  readonly committed: CommittedWrites
}

/** A write that may be made. */
export interface Planned {
  readonly before: ManagedResource | null
  readonly after: ManagedResource | null
  readonly outcome: Written['outcome']
}

export class ResourceTurn {
  readonly #options: ResourceTurnOptions

  constructor(options: ResourceTurnOptions) {
    this.#options = options
  }

  async write(by: Author, plan: (turn: WriteTurn) => Planned): Promise<Written> {
    const { engine, registry, committed } = this.#options
    let planned: Planned | null = null
    let change: number | null = null
    const isStored = await engine.write((turn) =>
      registry.whole(() => {
        const made = plan(turn)
        const number = this.#keep(turn, made, by)
        planned = made
        change = number
        const { kind, id } = resourceOf(made)
        if (number !== null)
          turn.afterCommit(() => committed.note({ change: number, kind, id, after: made.after }))
      }),
    )
    committed.apply()
    if (!isStored || planned === null) {
      if (change !== null) registry.takeBack([change])
      throw new WriteRefusal('unavailable', 'The change could not be stored, and nothing of it was made.')
    }
    const { outcome }: Planned = planned
    return { resource: resourceOf(planned), outcome }
  }

  /**
   * Answers with the number of the change. A write that changes nothing leaves its operation, and neither a version nor
   * an event: null.
   */
  #keep(turn: WriteTurn, planned: Planned, by: Author): number | null {
    const { versionOf } = this.#options
    const { before, after, outcome } = planned
    const { kind, id } = resourceOf(planned)
    const operation: StoredOperation = {
      id: by.operation,
      at: turn.now,
      principal: by.principal,
      state: 'completed',
      write: {
        verb: outcome,
        kind,
        id,
        oldVersion: before === null ? null : versionOf(before.change),
        newVersion: after === null ? null : versionOf(after.change),
      },
      outcome,
      reason: null,
    }
    const change = outcome === 'unchanged' ? null : this.#change(turn, planned, by)
    turn.keep({ operation, change })
    return change?.resource.change ?? null
  }

  /** What is written, and what is told of it. */
  #change(turn: WriteTurn, planned: Planned, by: Author): Write['change'] {
    const { registry } = this.#options
    const { before, after, outcome } = planned
    const { kind, id, uid } = resourceOf(planned)
    const change = after?.change ?? registry.nextChange()
    if (after === null) registry.remove(kind, id, change)
    else registry.put(after)
    const changes = this.#changesOf(before, after)
    return {
      resource: after === null ? { change, kind, id, deleted: true } : asStored(after),
      event: {
        ...emptyEvent,
        monitorId: kind === 'Monitor' ? id : null,
        at: turn.now,
        type: `resource_${outcome}`,
        actor: by.principal,
        resource: { kind, id, uid },
        ...(changes.length === 0 ? {} : { changes }),
      },
    }
  }

  #changesOf(before: ManagedResource | null, after: ManagedResource | null) {
    if (before === null || after === null) return []
    return changedFields(asContent(before), asContent(after), this.#options.schemas)
  }
}

/** As it is after the write, or as it was when it is gone. */
function resourceOf({ before, after }: Planned): ManagedResource {
  const resource = after ?? before
  if (resource === null) throw new Error('a write without a resource')
  return resource
}

/** In place of a credential's value stands which change set it: another one is told of, and both stay hidden. */
function asContent({ kind, name, labels, spec, sealed }: ManagedResource): ResourceContent {
  const shown = sealed === null ? spec : { ...(spec as object), value: String(sealed.change) }
  return { kind, name: name ?? undefined, labels, spec: shown as Json }
}
