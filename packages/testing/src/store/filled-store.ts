// store/filled-store.ts: fills a store with every type of record, in the states that they can have: open, closed and
// handled incidents, actions in each state, replaced and deleted resources, operations that are half applied. Texts have
// characters that stores may stumble over.
import type { StoredBulk } from '@pulseward/server/internal/store/bulk.ts'
import type { StoredExecution } from '@pulseward/server/internal/store/execution.ts'
import type { ResourceWrite } from '@pulseward/server/internal/store/resource.ts'
import type { CommitBatch, Store, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import { fleetBlock, type TrendWrite } from '@pulseward/server/internal/store/trend.ts'
import { CountedCell } from '@pulseward/server/internal/trends/cell.ts'
import { encodeClosedBlock } from '@pulseward/server/internal/trends/closed-block.ts'
import { encodeFleetCell } from '@pulseward/server/internal/trends/counted-block.ts'
import {
  action,
  batch,
  deletion,
  event,
  health,
  identity,
  member,
  monitorIdOf,
  operation,
  push,
  resource,
  revision,
  sloSnapshot,
} from './samples.ts'

interface Amounts {
  readonly monitors: number
  readonly events: number
  /** The spec of each monitor, for a store that a service starts with. It has nothing that a service cannot read. */
  readonly spec?: string
}

const began = 1_700_000_000_000
const atOnce = 1_000
/** With what texts are escaped by, with a line end, with NUL, and from beyond the first plane. */
const strange = 'a\\b"c\'{d,e}\n\t\u0000ü😀\u2028'
const storm = 10

export async function fillStore(store: Store, amounts: Amounts): Promise<void> {
  const { monitors, events } = amounts
  for (let first = 0; first < monitors; first += atOnce)
    await store.commit(monitorsFrom(first, Math.min(first + atOnce, monitors), amounts))
  for (let first = 0; first < events; first += atOnce)
    await store.commit(batch({ events: eventsFrom(first, Math.min(first + atOnce, events), monitors) }))
  await store.commit(incidents())
  await store.commit(handled())
  await store.commit(once(amounts))
  await store.commit(again(amounts))
}

function monitorsFrom(first: number, end: number, { spec }: Amounts): CommitBatch {
  const numbers = Array.from({ length: end - first }, (_, index) => first + index)
  return batch({
    identities: numbers.map((one) => identity(one, one % 7 === 0 ? { controlsBefore: 3 } : {})),
    resources: numbers.map((one) =>
      resource(monitorIdOf(one), one + 1, {
        ...(spec === undefined ? {} : { spec }),
        labels: { team: `team-${one % 50}`, ...(spec === undefined ? { [`k"${one % 3}`]: 'v\\' } : {}) },
      }),
    ),
    states: numbers.filter((one) => one % 5 === 0).map((one) => ({ numericId: one, health: health(one) })),
    escalations: numbers.filter((one) => one % 11 === 0).map((one) => member(`m-${one}`)),
    revisions: numbers
      .filter((one) => one % 13 === 0)
      .flatMap((one) => [
        revision('Monitor', monitorIdOf(one), began + one, { words: strange }),
        revision('Route', `ü'${one}`, null),
      ]),
    pushes: numbers.filter((one) => one % 9 === 0).map((one) => ({ numericId: one, push: push(one) })),
    blocks:
      spec === undefined
        ? [{ block: Math.floor(first / atOnce), bytes: Uint8Array.from(numbers, (one) => one % 256) }]
        : [],
  })
}

function eventsFrom(first: number, end: number, monitors: number): StoredEvent[] {
  return Array.from({ length: end - first }, (_, index) => {
    const place = first + index
    const at = began + place * 10.5
    if (place % 11 === 0) return event(null, { at, detail: { words: strange } })
    return event(place % monitors, {
      at,
      type: 'action_queued',
      actionId: `action-${place % 40}`,
      because: { kind: 'threshold', failures: 3, threshold: 3 },
    })
  })
}

/** Every third is closed. */
function incidents(): CommitBatch {
  const opened = Array.from({ length: storm }, (_, one) =>
    event(one, { incidentId: `incident-${one}`, at: began }),
  )
  const closed = opened
    .filter((_, one) => one % 3 === 0)
    .map((one) => ({ ...one, type: 'incident_closed', outcome: 'recovered', at: began + 5 }))
  const states = ['queued', 'started', 'unknown', 'succeeded'] as const
  const actions = Array.from({ length: 40 }, (_, one) =>
    action(`action-${one}`, one % storm, { state: states[one % 4]!, reason: strange }),
  )
  const digest = { ...action('digest', 0, { state: 'queued' }), monitorId: null }
  return batch({ events: [...opened, ...closed], actions: [...actions, digest] })
}

function handled(): CommitBatch {
  const control = (one: number, type: string, revision: number) =>
    event(one, { type, incidentId: `incident-${one}`, actor: 'ann', detail: { revision, reason: strange } })
  return batch({
    events: [
      control(0, 'control_acknowledged', 2),
      control(1, 'control_acknowledged', 2),
      control(1, 'control_dismissed', 3),
      control(2, 'control_dismissed', 2),
      control(2, 'control_reopened', 3),
    ],
    actions: [action('action-0', 0, { state: 'succeeded', finishedAt: began + 9 })],
  })
}

function once({ monitors, spec }: Amounts): CommitBatch {
  const change = monitors + 2
  const resources: ResourceWrite[] = [
    ...(spec === undefined ? [sealed(monitors + 1, 0xff)] : []),
    resource(monitorIdOf(1), change, {
      ...(spec === undefined ? {} : { spec }),
      labels: { team: 'other' },
      generation: 2,
    }),
    deletion(monitorIdOf(2), change + 1),
  ]
  const events = resources.map(({ id, kind }) =>
    event(kind === 'Monitor' ? 1 : null, {
      type: 'resource_updated',
      resource: { kind, id, uid: `uid-of-${id}` },
      changes: [{ field: 'spec', before: strange, after: 3 }],
    }),
  )
  return batch({
    events: [...events, event(null)],
    resources,
    operations: [operation(1), operation(2, { reason: strange })],
    bulk: [
      { operation: bulk(3, {}), outcomes: { first: 0, outcomes: [outcome('a'), outcome('b')] } },
      { operation: bulk(4, { state: 'cancelled', endedAt: began }), outcomes: null },
    ],
    executions: [execution('01-running', null), execution('02-ended', began)],
    statements: ['report', 'evidence'].map((id) => ({
      executionId: '02-ended',
      id,
      evidence: [strange],
      diagnostic: null,
      data: { depth: 3 },
    })),
    trends: trends(monitors),
    slo: sloSnapshot(1),
    destinations: [
      {
        name: strange,
        fingerprint: 'f',
        dead: { since: 5, reason: strange },
        ailing: null,
        digestedUpTo: null,
        digestedAt: 1.5,
      },
    ],
  })
}

/** What was there changes again: the last state counts, and the first is the past. */
function again({ monitors, spec }: Amounts): CommitBatch {
  return batch({
    resources: spec === undefined ? [sealed(monitors + 4, 7)] : [deletion(monitorIdOf(3), monitors + 4)],
    bulk: [{ operation: bulk(3, { settled: 4 }), outcomes: { first: 2, outcomes: [outcome('c')] } }],
    identities: [identity(3, { removedAt: began + 0.25, revision: 2 })],
    states: [{ numericId: 5, health: null }],
  })
}

function sealed(change: number, byte: number): ResourceWrite {
  return resource('sealed', change, {
    kind: 'Credential',
    sealed: Uint8Array.of(0, 1, byte),
    spec: JSON.stringify({ words: strange }),
  })
}

function bulk(id: number, parts: Partial<StoredBulk>): StoredBulk {
  return {
    ...{ id, principal: 'ann', activatedBy: 'ann', openedAt: began, endedAt: null, state: 'applying' },
    ...{ contentDigest: 'sha256:00', itemCount: 5, control: null, settled: 2, counts: { created: 2 } },
    reason: null,
    ...parts,
  }
}

function outcome(id: string) {
  return { id, outcome: 'created', oldVersion: null, newVersion: `1.${id}`, message: strange }
}

function execution(id: string, endedAt: number | null): StoredExecution {
  return {
    id,
    kind: 'check',
    jobType: 'disk',
    version: '1',
    monitorId: 'shop',
    revision: 3,
    principal: 'berlin',
    workerId: 'berlin-1',
    grantId: `grant-${id}`,
    grantedAt: began,
    deadline: began + 10_000,
    end: endedAt === null ? null : { at: endedAt, disposition: 'finalized', report: null },
    late: [],
  }
}

function trends(monitors: number): TrendWrite[] {
  const cell = new CountedCell()
  cell.failures = 2
  cell.counts[10] = 9
  const bytes = encodeClosedBlock([cell.summed()])
  const closed = Array.from({ length: Math.ceil(monitors / 256) }, (_, block): TrendWrite[] =>
    (['minute', 'fiveMinutes', 'hour'] as const).map((level) => ({
      is: 'closed',
      level,
      block,
      cell: 400,
      bytes,
    })),
  ).flat()
  const fleet = encodeFleetCell(cell)
  return [
    ...closed,
    { is: 'closed', level: 'hour', block: fleetBlock, cell: 400, bytes: fleet },
    { is: 'open', level: 'fiveMinutes', block: fleetBlock, cell: 401, bytes: fleet },
    { is: 'open', level: 'hour', block: fleetBlock, cell: 401, bytes: fleet },
  ]
}
