// store/samples.ts: things to keep in a store, each made from a number, and batches at random.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { type Health, newHealth } from '@pulseward/server/internal/deciding/health/health.ts'
import type { SloSnapshot } from '@pulseward/server/internal/slo/slo-snapshot.ts'
import {
  type CommitBatch,
  emptyEvent,
  type StoredEvent,
  type StoredIdentity,
} from '@pulseward/server/internal/store/store.ts'
import fc from 'fast-check'

export function batch(parts: Partial<CommitBatch>): CommitBatch {
  return {
    events: [],
    states: [],
    actions: [],
    identities: [],
    blocks: [],
    slo: null,
    destinations: null,
    ...parts,
  }
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
    ...parts,
  }
}

export function health(generation: number): Health {
  return { ...newHealth(1), generation, known: true, lastOutcome: 'failure' }
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

const number = fc.integer({ min: 0, max: 300 })

const trouble = fc.record({ since: fc.nat(), reason: fc.string() })

export const randomBatch: fc.Arbitrary<CommitBatch> = fc.record({
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
})

export async function collectIdentities(
  chunks: AsyncIterable<readonly StoredIdentity[]>,
): Promise<StoredIdentity[]> {
  const all: StoredIdentity[] = []
  for await (const chunk of chunks) all.push(...chunk)
  return all
}
