// explaining/configured-then.ts: the configuration of an earlier moment: what is in force, with what changed since put back as
// it was. What is not recorded is said with until when it is not, and never replaced by what is in force now.
import type { RouteDefinition } from '../config/fleet-file/definition.ts'
import type { Instant } from '../deciding/health/health.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import { descriptionGroupOf } from '../fleet/description-digests.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type MonitorForm, monitorFormOf } from '../fleet/monitor-form.ts'
import type { KeptRevision, RevisionForm, RevisionKind } from '../store/revision.ts'
import type { Store } from '../store/store.ts'
import type { Configured, RoutingForm } from './configured.ts'

export type RevisionStore = Pick<Store, 'readRevisions'>

/** `began`: nothing is recorded before. `unseen`: it changed while no process was running. */
export interface Unrecorded {
  readonly why: 'began' | 'unseen' | 'behind'
  readonly until: Instant
}

export interface ConfiguredThen {
  /** `none`: it was not in the fleet. */
  readonly monitor: MonitorForm | 'none' | Unrecorded
  /** Of its labels and tags, or of everything; null if all of it is known. */
  readonly unrecorded: Unrecorded | null
  readonly routing: RoutingForm
  /** Types of destinations by their names. */
  readonly endpoints: ReadonlyMap<string, string>
  /** Numbers of steps of policies by their names. */
  readonly policies: ReadonlyMap<string, number>
}

export interface ConfiguredParts {
  readonly fleet: Fleet
  readonly engine: Pick<EngineReading, 'revisions'>
  readonly store: RevisionStore
}

export async function configuredAt(
  { fleet, engine, store }: ConfiguredParts,
  monitorId: string,
  at: Instant,
): Promise<ConfiguredThen> {
  const revisions = await unchangedWhile(engine, () => store.readRevisions({ monitorId, at }))
  const past = new Past(revisions)
  const row = fleet.rowOf(monitorId)
  const now = row === -1 ? 'none' : monitorFormOf(fleet.definition, row)
  const all = engine.revisions.isBehind ? ({ why: 'behind', until: at } as const) : past.unrecorded()
  const monitor = all ?? past.monitor(monitorId, now)
  return {
    monitor,
    unrecorded: all ?? past.unrecordedDescription(monitorId),
    ...past.shared(fleet),
  }
}

/** What the rules compare, if all of it is known. */
export function comparedThen({ monitor, routing, unrecorded }: ConfiguredThen): Configured | null {
  return unrecorded === null && monitor !== 'none' && !isUnrecorded(monitor) ? { monitor, routing } : null
}

/** Whether nothing is known of the configuration of then. */
export function isUnrecordedThen({ monitor }: ConfiguredThen): boolean {
  return monitor !== 'none' && isUnrecorded(monitor)
}

/** Since when changes are recorded; null if the moment is within that time. */
export function recordedSince({ monitor }: ConfiguredThen): Instant | null {
  return monitor !== 'none' && isUnrecorded(monitor) && monitor.why === 'began' ? monitor.until : null
}

export function isUnrecorded(form: MonitorForm | Unrecorded): form is Unrecorded {
  return 'why' in form
}

/** The fleet may change while the store answers: then it is asked again. */
async function unchangedWhile<Answer>(
  { revisions }: Pick<EngineReading, 'revisions'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const before = revisions.written
    const answer = await ask()
    if (revisions.written === before) return answer
  }
}

class Past {
  readonly #revisions: readonly KeptRevision[]

  constructor(revisions: readonly KeptRevision[]) {
    this.#revisions = revisions
  }

  unrecorded(): Unrecorded | null {
    const record = this.#of('Record', '')
    return record === undefined ? null : { why: 'began', until: record.until! }
  }

  monitor(id: string, now: MonitorForm | 'none'): ConfiguredThen['monitor'] {
    const revision = this.#of('Monitor', id)
    if (revision === undefined) return now
    const { form, until } = revision
    if (form === 'unknown') return { why: 'unseen', until: until! }
    return form === 'none' ? 'none' : (form as unknown as MonitorForm)
  }

  /** A form that was kept before the process ended has the labels of then. */
  unrecordedDescription(id: string): Unrecorded | null {
    const own = this.#of('Monitor', id)
    if (own?.form === 'unknown') return { why: 'unseen', until: own.until! }
    const group = this.#of('Descriptions', descriptionGroupOf(id))
    const isUnseen = group !== undefined && group.until! < (own?.until ?? Infinity)
    return isUnseen ? { why: 'unseen', until: group.until! } : null
  }

  shared({ definition }: Fleet): Pick<ConfiguredThen, 'routing' | 'endpoints' | 'policies'> {
    const { routes, groups, endpoints, escalationPolicies } = definition
    const routesThen = this.#putBack(
      'Route',
      new Map(routes.map((route) => [route.name, route])),
      (form) => form as unknown as RouteDefinition,
    )
    return {
      routing: {
        routes: [...routesThen.values()],
        groups: this.#putBack('Group', groups, ({ members }) => members as readonly string[]),
      },
      endpoints: this.#putBack(
        'NotificationEndpoint',
        mapped(endpoints, ({ type }) => type),
        ({ type }) => String(type),
      ),
      policies: this.#putBack(
        'EscalationPolicy',
        mapped(escalationPolicies, ({ steps }) => steps.length),
        ({ steps }) => (steps as readonly unknown[]).length,
      ),
    }
  }

  /** Those of now, with what changed since as it was. */
  #putBack<Value>(
    kind: RevisionKind,
    now: ReadonlyMap<string, Value>,
    make: (form: Exclude<RevisionForm, string>) => Value,
  ): ReadonlyMap<string, Value> {
    const putBack = new Map(now)
    for (const { kind: of, id, form } of this.#revisions) {
      if (of !== kind) continue
      if (typeof form === 'string') putBack.delete(id)
      else putBack.set(id, make(form))
    }
    return putBack
  }

  #of(kind: RevisionKind, id: string): KeptRevision | undefined {
    return this.#revisions.find((one) => one.kind === kind && one.id === id)
  }
}

function mapped<Value, Made>(
  values: ReadonlyMap<string, Value>,
  make: (value: Value) => Made,
): ReadonlyMap<string, Made> {
  return new Map([...values].map(([name, value]) => [name, make(value)]))
}
