// store/memory-resources.ts: managed resources, their recent past and the records of operations, of the store in memory.
import { type ResourceKind, resourceKinds } from '@pulseward/contract/v2/kinds'
import type { Instant } from '../deciding/health/health.ts'
import { newEpoch } from './epoch.ts'
import { OrderedIds } from './ordered-ids.ts'
import {
  isDeletion,
  type MonitorChanges,
  type ResealedValue,
  type ResourcePage,
  type ResourceQuery,
  type ResourceWrite,
  type StoredOperation,
  type StoredResource,
} from './resource.ts'
import type { StoreBounds } from './retention.ts'
import { type ClockRule, forgetBefore, lookAtClock, newRetentionClock, pastRule } from './retention-clock.ts'
import { matchesSelector } from './selector.ts'
import { compareUtf8 } from './utf8-order.ts'

/** Monitors are returned in chunks, so that the reader works as with a store that reads from disk. */
const monitorsAtOnce = 2_000

interface PastVersion {
  readonly resource: StoredResource
  /** The change that replaced or deleted it. */
  readonly endedBy: number
  readonly endedAt: Instant
}

/** The resource that a change was about. */
interface NamedChange {
  readonly change: number
  readonly kind: ResourceKind
  readonly id: string
  readonly deleted: boolean
}

class ResourcesOfKind {
  readonly byId = new Map<string, StoredResource>()
  readonly ids = new OrderedIds()

  set(resource: StoredResource): void {
    if (!this.byId.has(resource.id)) this.ids.add(resource.id)
    this.byId.set(resource.id, resource)
  }

  delete(id: string): void {
    if (this.byId.delete(id)) this.ids.remove(id)
  }

  *after(id: string): Iterable<StoredResource> {
    for (const each of this.ids.after(id)) yield this.byId.get(each)!
  }
}

export class MemoryResources {
  readonly epoch = newEpoch()
  readonly #bounds: StoreBounds
  readonly #rule: ClockRule
  readonly #kinds = Object.fromEntries(
    resourceKinds.map((kind) => [kind, new ResourcesOfKind()]),
  ) as Readonly<Record<ResourceKind, ResourcesOfKind>>
  #past: PastVersion[] = []
  #pastForgottenUpTo = 0
  #changes: NamedChange[] = []
  readonly #operations = new Map<number, StoredOperation>()
  #clock = newRetentionClock
  lastChange = 0
  lastOperation = 0

  constructor(bounds: StoreBounds) {
    this.#bounds = bounds
    this.#rule = pastRule(bounds)
  }

  /** Throws before anything is changed. */
  requireInOrder(writes: readonly ResourceWrite[]): void {
    let last = this.lastChange
    for (const { change, id } of writes) {
      if (change <= last) throw new Error(`The change ${change} of ${id} comes after the change ${last}.`)
      last = change
    }
  }

  write(writes: readonly ResourceWrite[], now: Instant): void {
    for (const write of writes) this.#write(write, now)
  }

  writeOperations(operations: readonly StoredOperation[]): void {
    for (const operation of operations) {
      this.#operations.set(operation.id, operation)
      this.lastOperation = Math.max(this.lastOperation, operation.id)
    }
  }

  /** Called with every commit: the clock decides what may be removed. */
  lookAtClock(now: Instant): void {
    this.#clock = lookAtClock(this.#clock, now, this.#rule)
  }

  read(kind: ResourceKind, id: string): StoredResource | null {
    return this.#kinds[kind].byId.get(id) ?? null
  }

  readOperation(id: number): StoredOperation | null {
    return this.#operations.get(id) ?? null
  }

  /** All resources except monitors. */
  others(): StoredResource[] {
    return resourceKinds.flatMap((kind) => (kind === 'Monitor' ? [] : [...this.#kinds[kind].after('')]))
  }

  async *monitors(): AsyncIterable<readonly StoredResource[]> {
    for (let after = ''; ; ) {
      const some = Iterator.from(this.#kinds.Monitor.after(after)).take(monitorsAtOnce).toArray()
      const last = some.at(-1)
      if (last === undefined) return
      yield some
      after = last.id
    }
  }

  reseal(values: readonly ResealedValue[]): number[] {
    const credentials = this.#kinds.Credential
    return values.flatMap(({ id, change, sealed }) => {
      const present = credentials.byId.get(id)
      if (present?.change !== change || present.sealed === null) return []
      credentials.set({ ...present, sealed: sealed.slice() })
      return [change]
    })
  }

  changedMonitors(sinceChange: number): AsyncIterable<MonitorChanges> | 'forgotten' {
    const first = this.#changes[0]
    const isKnown = sinceChange >= this.lastChange || (first !== undefined && first.change <= sinceChange + 1)
    if (!isKnown) return 'forgotten'
    const changes = this.#changes.filter(({ kind, change }) => kind === 'Monitor' && change > sinceChange)
    const { byId } = this.#kinds.Monitor
    return inOneChunk({
      // A monitor that was changed again is returned with its last change.
      written: changes.flatMap(({ id, change }) => {
        const present = byId.get(id)
        return present?.change === change ? present : []
      }),
      deletedIds: changes.filter(({ id, deleted }) => deleted && !byId.has(id)).map(({ id }) => id),
    })
  }

  list({ kind, upToChange, afterId, limit, selector }: ResourceQuery): ResourcePage | 'expired' {
    if (upToChange < this.#pastForgottenUpTo) return 'expired'
    const after = afterId ?? ''
    const isListed = (resource: StoredResource) =>
      resource.change <= upToChange && (selector === null || matchesSelector(resource.labels, selector))
    const present = Iterator.from(this.#kinds[kind].after(after))
      .filter(isListed)
      .take(limit + 1)
    const past = this.#past
      .filter(({ endedBy, resource }) => endedBy > upToChange && resource.kind === kind && isListed(resource))
      .map(({ resource }) => resource)
      .filter(({ id }) => compareUtf8(id, after) > 0)
    const resources = [...present, ...past].sort((one, other) => compareUtf8(one.id, other.id))
    return { resources: resources.slice(0, limit), more: resources.length > limit }
  }

  /** The number of present and past versions. */
  get total(): { readonly resources: number; readonly past: number } {
    const resources = resourceKinds.reduce((sum, kind) => sum + this.#kinds[kind].byId.size, 0)
    return { resources, past: this.#past.length }
  }

  /** Removes what has expired, at most this many entries. */
  retain(now: Instant, entries: number): number {
    let removed = this.#retainPast(now, entries)
    removed += this.#retainChanges(entries - removed)
    for (const id of this.#operations.keys()) {
      if (removed >= entries) break
      if (id > this.lastOperation - this.#bounds.operations) continue
      this.#operations.delete(id)
      removed++
    }
    return removed
  }

  #write(write: ResourceWrite, now: Instant): void {
    const { kind, id, change } = write
    const resources = this.#kinds[kind]
    const ended = resources.byId.get(id)
    if (ended !== undefined) this.#past.push({ resource: ended, endedBy: change, endedAt: now })
    if (isDeletion(write)) resources.delete(id)
    // The caller may overwrite the bytes as soon as they are committed.
    else resources.set({ ...write, sealed: write.sealed?.slice() ?? null })
    this.#changes.push({ change, kind, id, deleted: isDeletion(write) })
    this.lastChange = change
  }

  #retainChanges(entries: number): number {
    const keptFrom = this.lastChange - this.#bounds.changes
    const old = this.#changes.findIndex(({ change }) => change > keptFrom)
    const removed = Math.min(entries, Math.max(0, old))
    if (removed > 0) this.#changes = this.#changes.slice(removed)
    return removed
  }

  /** A version with an end time in the future counts as old as those after it. */
  #retainPast(now: Instant, entries: number): number {
    const olderThan = forgetBefore(this.#clock, now, this.#rule)
    this.lookAtClock(now)
    if (olderThan === null) return 0
    const firstKept = this.#past.findIndex(({ endedAt }) => endedAt >= olderThan && endedAt <= now)
    const old = firstKept === -1 ? this.#past : this.#past.slice(0, firstKept)
    const removed = Math.min(entries, old.findLastIndex(({ endedAt }) => endedAt < olderThan) + 1)
    if (removed === 0) return 0
    this.#pastForgottenUpTo = old[removed - 1]!.endedBy
    this.#past = this.#past.slice(removed)
    return removed
  }
}

async function* inOneChunk<Value>(value: Value): AsyncIterable<Value> {
  yield value
}
