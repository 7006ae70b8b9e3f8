// simulation/oracle/write-rules.ts: what must hold of every write through v2. It is made on the version that
// its client has seen; of two writes on one version one wins. It is answered when it is on disk, and refused
// only for a reason. It refers only to what exists, and nothing refers to what it deletes. It leaves one
// event with its actor, and one record. After a crash it is there completely or not at all.

import type { ManagedResource } from '@pulseward/server/internal/kinds/managed-resource.ts'
import type { Written } from '@pulseward/server/internal/managing/resource-desk.ts'
import { WriteRefusal } from '@pulseward/server/internal/managing/write-refusal.ts'
import {
  isDeletion,
  type ResourceWrite,
  type StoredResource,
} from '@pulseward/server/internal/store/resource.ts'
import type { CommitBatch, Recovered } from '@pulseward/server/internal/store/store.ts'
import { count, type Tally } from '../tally.ts'
import type { WriteRequest } from '../writes/requests.ts'
import { isSameJson, type Kind, keyOf, sentOf, type Wanted } from '../writes/wanted.ts'
import { isOfControl } from './control-rules.ts'
import type { Findings } from './findings.ts'
import type { ResourceModel, Version } from './resource-model.ts'

const allReasons = [
  'versionConflict',
  'notFound',
  'managedByFile',
  'resourceReferenced',
  'invalidResource',
] as const satisfies readonly WriteRefusal['code'][]
type Reason = (typeof allReasons)[number]

const outcomes = { create: 'created', replace: 'updated', patch: 'updated', delete: 'deleted' } as const

type OfMany = (batch: CommitBatch, kind: string, id: string) => WriteRequest | null

export class WriteRules {
  readonly #model: ResourceModel
  readonly #findings: Findings
  readonly #tally: Tally
  readonly #ofMany: OfMany
  readonly #requests = new Map<number, WriteRequest>()
  /**
   * Unanswered writes, with every reason for which each could have been refused since it was sent: any turn
   * may have judged it.
   */
  readonly #open = new Map<number, Set<Reason>>()
  readonly #durable = new Set<number>()
  readonly #refused = new Set<number>()
  readonly #uids = new Set<string>()

  /** ofMany: what a client requested for a resource that an operation of many items writes. */
  constructor(model: ResourceModel, findings: Findings, tally: Tally, ofMany: OfMany) {
    this.#model = model
    this.#ofMany = ofMany
    this.#findings = findings
    this.#tally = tally
  }

  requested(request: WriteRequest): void {
    this.#requests.set(request.operation, request)
    this.#open.set(request.operation, new Set())
    this.#noteReasons()
  }

  handedOver(batch: CommitBatch): void {
    const told = batch.events.filter(({ resource }) => resource !== undefined)
    const { resources } = batch
    // A write that changes nothing leaves only its record.
    const records = batch.operations.filter((one) => one.outcome !== 'unchanged' && !isOfControl(one))
    // An operation of many items has a separate record.
    const isOfMany = batch.bulk.length > 0
    const recorded = isOfMany ? resources.length : records.length
    if (resources.length !== told.length || resources.length !== recorded)
      this.#note(
        'one event a write',
        `a turn has ${resources.length} writes, ${told.length} events of them and ${records.length} records`,
      )
    if (resources.length === 0) return
    for (const [index, write] of resources.entries()) {
      const request = isOfMany
        ? this.#ofMany(batch, write.kind, write.id)
        : this.#requests.get(records[index]?.id ?? -1)
      this.#decide(batch, write, request ?? undefined)
    }
    this.#noteReasons()
  }

  withdrawn(batch: CommitBatch): void {
    this.#model.withdrawn(batch)
    this.#noteReasons()
  }

  /** Other files are in force. */
  filesChanged(): void {
    this.#noteReasons()
  }

  written(batch: CommitBatch): void {
    for (const { operation, key, version } of this.#model.written(batch)) {
      // A withdrawn write may be retried unchanged.
      if (version !== null) this.#uids.add(version.uid)
      this.#durable.add(operation)
      if (this.#refused.has(operation))
        this.#note('refused writes', `${key} was refused, and is on disk all the same`)
    }
  }

  answered(request: WriteRequest, { resource, outcome }: Written): void {
    this.#open.delete(request.operation)
    count(this.#tally.writes, outcome)
    const key = keyOf(request)
    if (outcome === 'unchanged') return this.#judgeUnchanged(request)
    if (outcome !== outcomes[request.verb])
      this.#note('answers', `the ${request.verb} of ${key} was answered with ${outcome}`)
    if (!this.#durable.has(request.operation))
      return this.#note('visible after the commit', `the ${request.verb} of ${key} was answered too early`)
    if (request.wanted !== null)
      this.#compare(`the answer to ${request.verb} ${key}`, resource, request.wanted)
  }

  /** mayBeUnavailable: nothing can be stored, or the service stops. */
  refused(request: WriteRequest, error: unknown, mayBeUnavailable: boolean): void {
    const reasons = this.#open.get(request.operation)
    this.#open.delete(request.operation)
    this.#refused.add(request.operation)
    const key = keyOf(request)
    if (!(error instanceof WriteRefusal))
      return this.#note('the service goes on', `${request.verb} ${key}: ${(error as Error).stack}`)
    count(this.#tally.writes, error.code)
    if (this.#durable.has(request.operation))
      this.#note('refused writes', `${request.verb} ${key} is on disk, and was refused: ${error.code}`)
    const { code }: { code: string } = error
    if (code === 'unavailable' ? !mayBeUnavailable : !(reasons as ReadonlySet<string> | undefined)?.has(code))
      this.#note(
        'refused writes',
        `${request.verb} ${key} at ${request.version} was refused without a reason: ${error.code}, ${JSON.stringify(error.errors)}`,
      )
  }

  /** A client reads one resource. */
  read(kind: Kind, id: string, found: ManagedResource | { readonly digest: string } | null): void {
    count(this.#tally.compared, 'reads')
    const key = keyOf({ kind, id })
    const expected = this.#model.durable.get(key)
    if (found === null || !('change' in found)) {
      const isRight = expected === undefined && (found !== null) === this.#model.isInFiles(kind, id)
      if (!isRight) this.#note('visible after the commit', `${key} is not shown as it is on disk`)
      return
    }
    if (found.change !== expected?.change)
      return this.#note(
        'visible after the commit',
        `${key} is shown at ${found.change}, and is on disk at ${expected?.change ?? 'no version'}`,
      )
    this.#compare(`a read of ${key}`, found, expected.wanted)
    this.#compareVersion(`a read of ${key}`, found, expected)
  }

  /** The next process must start with what was on disk. */
  recovered({ resources, lastChange }: Recovered, monitors: readonly StoredResource[]): void {
    const found = new Map([...resources, ...monitors].map((one) => [`${one.kind} ${one.id}`, one]))
    for (const [key, version] of this.#model.durable) {
      const one = found.get(key)
      if (one?.change !== version.change)
        this.#note(
          'answered writes are kept',
          `${key} at ${version.change} is at ${one?.change} after the restart`,
        )
    }
    for (const key of found.keys())
      if (!this.#model.durable.has(key))
        this.#note(
          'answered writes are kept',
          `${key} is there after the restart, and was deleted or never was`,
        )
    if (lastChange < this.#model.lastChange)
      this.#note('answered writes are kept', `the last change falls to ${lastChange}`)
  }

  processEnded(): void {
    count(this.#tally.writes, 'unanswered', this.#open.size)
    this.#open.clear()
    this.#model.processEnded()
  }

  /** Called long after everything has recovered. */
  ended(): void {
    const [operation] = this.#open.keys()
    const request = operation === undefined ? undefined : this.#requests.get(operation)
    if (request !== undefined) this.#note('answers', `${request.verb} ${keyOf(request)} was never answered`)
  }

  #decide(batch: CommitBatch, write: ResourceWrite, request: WriteRequest | undefined): void {
    const key = keyOf(write as { kind: Kind; id: string })
    if (request === undefined || keyOf(request) !== key || (request.wanted === null) !== isDeletion(write))
      return this.#note('answers', `${key} is written, and no client has asked for that`)
    const before = this.#model.decided(key)
    this.#compareAndSwap(request, before)
    const version = isDeletion(write) ? null : this.#versionOf(request, write, before)
    this.#judgeEvent(batch, request, version?.uid ?? before?.uid ?? '')
    const { change } = write
    this.#model.handedOver({ batch, operation: request.operation, key, change, version })
    this.#judgeReferences(request)
  }

  #compareAndSwap({ verb, version, operation, kind, id }: WriteRequest, before: Version | undefined): void {
    const key = keyOf({ kind, id })
    if (verb === 'create' && this.#model.exists(kind, id))
      this.#note('compare and swap', `${key} is created (${operation}), and was there`)
    if (verb !== 'create' && before?.change !== version)
      this.#note(
        'compare and swap',
        `${verb} ${key} on ${version}, which is at ${before?.change ?? 'no version'}`,
      )
  }

  #versionOf(request: WriteRequest, write: StoredResource, before: Version | undefined): Version | null {
    const { wanted } = request
    if (wanted === null) return null
    const key = keyOf(request)
    const isSameSpec = before !== undefined && isSameJson(sentOf(before.wanted).spec, sentOf(wanted).spec)
    const version = {
      wanted,
      change: write.change,
      uid: write.uid,
      generation: before === undefined ? 1 : before.generation + (isSameSpec ? 0 : 1),
    }
    if (write.generation !== version.generation)
      this.#note('identity', `${key} has the generation ${write.generation} for ${version.generation}`)
    if (before === undefined ? this.#uids.has(write.uid) : before.uid !== write.uid)
      this.#note('identity', `${key} has the uid ${write.uid}, and had ${before?.uid ?? 'none'}`)
    this.#compare(`what is stored of ${key}`, { ...write, spec: JSON.parse(write.spec) }, wanted)
    return version
  }

  #judgeEvent({ events, operations, bulk }: CommitBatch, request: WriteRequest, uid: string): void {
    const key = keyOf(request)
    const event = events.find(({ resource }) => resource !== undefined && keyOf(resource as never) === key)
    const type = `resource_${outcomes[request.verb]}`
    const isOfMany = bulk.length > 0
    if (event?.type !== type || event.actor !== request.principal || event.resource?.uid !== uid)
      this.#note(
        'one event a write',
        `${request.verb} ${key} by ${request.principal} left ${event?.type} by ${event?.actor}`,
      )
    if (request.kind === 'Monitor' && event?.monitorId !== request.id)
      this.#note('one event a write', `the history of ${request.id} does not show ${type}`)
    const record = operations.find(({ id }) => id === request.operation)
    if (isOfMany) return
    if (record?.principal !== request.principal || record.outcome !== outcomes[request.verb])
      this.#note('one event a write', `the record of ${request.verb} ${key} says ${JSON.stringify(record)}`)
  }

  #judgeReferences({ wanted, kind, id, verb }: WriteRequest): void {
    const key = keyOf({ kind, id })
    if (wanted === null) {
      const referrers = this.#model.referrersOf(key)
      if (referrers.length > 0)
        this.#note('references', `${key} is deleted, and ${referrers[0]} refers to it`)
      return
    }
    const [missing] = this.#model.missingFor(wanted)
    if (missing !== undefined)
      this.#note('references', `${verb} ${key} refers to ${missing}, which is not there`)
    if (this.#isCircle(wanted)) this.#note('references', `${key} stands behind itself`)
  }

  #judgeUnchanged({ wanted, kind, id, version, verb }: WriteRequest): void {
    const before = this.#model.decided(keyOf({ kind, id }))
    if (
      wanted === null ||
      before === undefined ||
      before.change !== version ||
      !isSame(before.wanted, wanted)
    )
      this.#note(
        'answers',
        `${verb} ${keyOf({ kind, id })} changes something, and was answered with unchanged`,
      )
  }

  #noteReasons(): void {
    for (const [operation, reasons] of this.#open) {
      const request = this.#requests.get(operation)
      if (request === undefined) continue
      for (const reason of allReasons) if (this.#isRight(reason, request)) reasons.add(reason)
    }
  }

  #isRight(code: Reason, { verb, kind, id, version, wanted }: WriteRequest): boolean {
    const key = keyOf({ kind, id })
    const before = this.#model.decided(key)
    switch (code) {
      case 'versionConflict':
        return verb === 'create'
          ? this.#model.exists(kind, id)
          : before !== undefined && before.change !== version
      case 'notFound':
        return verb !== 'create' && before === undefined && !this.#model.isInFiles(kind, id)
      case 'managedByFile':
        return verb !== 'create' && this.#model.isInFiles(kind, id)
      case 'resourceReferenced':
        return verb === 'delete' && this.#model.isReferenced(key)
      case 'invalidResource':
        return wanted !== null && (this.#model.missingFor(wanted).length > 0 || this.#isCircle(wanted))
    }
  }

  #isCircle(wanted: Wanted): boolean {
    return wanted.kind === 'Monitor' && this.#model.isCircle(wanted.id, wanted.planned.parents)
  }

  #compare(
    where: string,
    found: { readonly name: string | null; readonly labels: object; readonly spec: unknown },
    wanted: Wanted,
  ): void {
    const { metadata, spec } = sentOf(wanted)
    const { valueChange: _, ...kept } = found.spec as Record<string, unknown>
    const { value: __, ...open } = spec as Record<string, unknown>
    const isRight =
      isSameJson(kept, open) &&
      isSameJson(found.labels, metadata.labels ?? {}) &&
      found.name === (metadata.name ?? null)
    if (!isRight) this.#note('answers', `${where} is not what the client asked for`)
  }

  #compareVersion(where: string, { uid, generation }: ManagedResource, expected: Version): void {
    if (uid !== expected.uid || generation !== expected.generation)
      this.#note('identity', `${where} has ${uid} ${generation} for ${expected.uid} ${expected.generation}`)
  }

  #note(rule: string, words: string): void {
    this.#findings.note(rule, words)
  }
}

function isSame(one: Wanted, other: Wanted): boolean {
  return isSameJson(sentOf(one), sentOf(other))
}
