// store/samples.ts: sample records for a store, each made from a number, and random batches.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { type Health, newHealth } from '@pulseward/server/internal/deciding/health/health.ts'
import type { EscalationRecord } from '@pulseward/server/internal/deciding/on-call/page.ts'
import type { SloSnapshot } from '@pulseward/server/internal/slo/slo-snapshot.ts'
import type { PushRecord } from '@pulseward/server/internal/store/push.ts'
import { emptyBatch } from '@pulseward/server/internal/store/record-types.ts'
import type {
  DeletedResource,
  StoredOperation,
  StoredResource,
} from '@pulseward/server/internal/store/resource.ts'
import type { KeptRevision, RevisionForm, RevisionKind } from '@pulseward/server/internal/store/revision.ts'
import {
  type CommitBatch,
  emptyEvent,
  type StoredEvent,
  type StoredIdentity,
} from '@pulseward/server/internal/store/store.ts'
import fc from 'fast-check'

export function batch(parts: Partial<CommitBatch>): CommitBatch {
  return { ...emptyBatch, ...parts }
}

export function monitorIdOf(numericId: number): string {
  return `monitor-${numericId}`
}

export function event(numericId: number | null, parts: Partial<StoredEvent> = {}): StoredEvent {
  return {
    ...emptyEvent,
    monitorId: numericId === null ? null : monitorIdOf(numericId),
    numericId,
    at: 1_700_000_000_000,
    type: numericId === null ? 'own_fault' : 'incident_opened',
    revision: numericId === null ? null : 1,
    ...parts,
  }
}

export function identity(numericId: number, parts: Partial<StoredIdentity> = {}): StoredIdentity {
  return {
    monitorId: monitorIdOf(numericId),
    numericId,
    revision: 1,
    fingerprint: `fingerprint-${numericId}`,
    checkFingerprint: `check-${numericId}`,
    removedAt: null,
    ...parts,
  }
}

export function action(id: string, numericId: number, parts: Partial<Action> = {}): Action {
  return {
    id,
    monitorId: monitorIdOf(numericId),
    kind: 'code',
    color: 'red',
    cause: 'episode',
    endpoint: 'ops',
    episodeId: 'episode',
    incidentId: null,
    since: null,
    acknowledgedBy: null,
    because: { kind: 'threshold', failures: 3, threshold: 3 },
    attempt: 1,
    revision: 1,
    state: 'queued',
    outcome: null,
    queuedAt: 1_700_000_000_000,
    notBefore: 1_700_000_000_000,
    startedAt: null,
    finishedAt: null,
    reason: null,
    followUp: null,
    triedSince: null,
    untold: null,
    owesGreen: false,
    review: null,
    ...parts,
  }
}

export function health(generation: number): Health {
  return { ...newHealth(1), generation, known: true, lastOutcome: 'failure' }
}

export function member(monitorId: string): EscalationRecord {
  const value = {
    monitorId,
    page: 'p',
    incidentId: `i-${monitorId}`,
    forgotten: null,
    severity: 'critical' as const,
    order: 0,
  }
  return { key: `member ${monitorId}`, value }
}

/** Null for `until`: it is in force. */
export function revision(
  kind: RevisionKind,
  id: string,
  until: number | null,
  form: RevisionForm = { of: `${id} until ${until}` },
): KeptRevision {
  return { kind, id, until, form }
}

export function push(seed: number): PushRecord {
  return {
    phase: 'late',
    dueAt: 1_700_000_000_000 + seed,
    lastDueAt: null,
    lastSignalAt: 1_700_000_000_000.5,
    lastKind: 'start',
    hasFailed: true,
    runs: [['a.b-c_1', 1_700_000_000_000]],
    previousKeyUsedAt: null,
  }
}

export function sloSnapshot(seed: number): SloSnapshot {
  return {
    format: 1,
    savedAt: 1_700_000_000_000 + seed,
    originAt: 1_700_000_000_000,
    queueTargetMs: 250,
    resultTargetMs: 5_000,
    gaps: Float64Array.of(seed, 1.5),
    recovery: Uint32Array.of(seed, 2, 3),
    drivers: [{ name: 'http', cells: Uint32Array.of(seed, 0xffff_ffff) }],
  }
}

/** A version of a managed monitor, or of another kind. */
export function resource(id: string, change: number, parts: Partial<StoredResource> = {}): StoredResource {
  return {
    kind: 'Monitor',
    id,
    uid: `uid-of-${id}`,
    change,
    generation: 1,
    name: `The ${id}`,
    labels: {},
    spec: `{"check":{"interval":"10s"},"made":${change}}`,
    sealed: null,
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000 + change,
    ...parts,
  }
}

export function deletion(
  id: string,
  change: number,
  kind: DeletedResource['kind'] = 'Monitor',
): DeletedResource {
  return { kind, id, change, deleted: true }
}

export function operation(id: number, parts: Partial<StoredOperation> = {}): StoredOperation {
  return {
    id,
    at: 1_700_000_000_000 + id,
    principal: 'ops',
    state: 'completed',
    write: { verb: 'patch', kind: 'Monitor', id: 'shop', oldVersion: null, newVersion: `1.${id}` },
    outcome: 'updated',
    reason: null,
    ...parts,
  }
}

const number = fc.integer({ min: 0, max: 300 })

const trouble = fc.record({ since: fc.nat(), reason: fc.string() })

export const randomBatch: fc.Arbitrary<CommitBatch> = fc
  .record({
    events: fc.array(
      fc.option(number, { freq: 4 }).map((owner) => event(owner)),
      { maxLength: 30 },
    ),
    states: fc.array(
      fc.record({ numericId: number, health: fc.option(fc.nat().map((generation) => health(generation))) }),
      { maxLength: 5 },
    ),
    actions: fc.array(
      fc
        .tuple(fc.nat({ max: 20 }), fc.constantFrom('queued', 'started', 'unknown'), fc.nat())
        .map(([id, state, revision]) => action(`action-${id}`, id, { state, revision })),
      { maxLength: 5 },
    ),
    identities: fc.array(
      fc.tuple(number, fc.nat()).map(([numericId, revision]) => identity(numericId, { revision })),
      { maxLength: 20 },
    ),
    blocks: fc.array(
      fc.record({ block: fc.nat({ max: 4 }), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
      { maxLength: 3 },
    ),
    slo: fc.option(fc.nat({ max: 1000 }).map(sloSnapshot)),
    destinations: fc.option(
      fc.array(
        fc.record({
          name: fc.string(),
          fingerprint: fc.string(),
          dead: fc.option(trouble),
          ailing: fc.option(
            fc.record({ since: fc.nat(), reason: fc.string(), waitMs: fc.nat(), until: fc.nat() }),
          ),
          digestedUpTo: fc.option(fc.nat()),
          digestedAt: fc.option(fc.nat()),
        }),
        { maxLength: 3 },
      ),
    ),
    // Their changes are in one order over all batches; the contract of resources generates them.
    resources: fc.constant([]),
    operations: fc.array(
      fc.tuple(fc.integer({ min: 1, max: 50 }), fc.string()).map(([id, reason]) => operation(id, { reason })),
      { maxLength: 3 },
    ),
  })
  .map(batch)

export async function collectIdentities(
  chunks: AsyncIterable<readonly StoredIdentity[]>,
): Promise<StoredIdentity[]> {
  const all: StoredIdentity[] = []
  for await (const chunk of chunks) all.push(...chunk)
  return all
}
