// v2/examples/service.ts: what the service reports about itself, and a problem.
import type { PracticeSwitch, PracticeTarget } from '../wire/practice-target.ts'
import type { Problem } from '../wire/problem.ts'
import type { PushKey, PushKeyRequest } from '../wire/push-key.ts'
import { apiVersion } from '../wire/resource.ts'
import type { Capabilities, Explanation, Health, Metrics, RuntimeConfig, Version } from '../wire/service.ts'
import type { SignInLink } from '../wire/sign-in-link.ts'
import type { SLOView } from '../wire/slo.ts'
import type { State } from '../wire/state.ts'
import type { Pool, PoolList, Queue, QueueList, System, SystemList } from '../wire/telemetry.ts'
import { lifeExamples } from './life.ts'
import { pageOf } from './page.ts'

const generatedAt = '2026-03-29T01:00:05.000Z'

const queue: Queue = {
  name: 'pulse',
  depth: 12,
  capacity: 100_000,
  oldestPendingMs: { available: true, value: 4.1 },
  enqueuedPerSecond: 166.7,
  completedPerSecond: 166.5,
  drops: 0,
  saturated: false,
}

const pool: Pool = {
  name: 'pulse',
  workers: 64,
  minimum: 16,
  maximum: 1024,
  busy: 21,
  modelRecommendation: 64,
  adjustmentReason: 'the model keeps the wait below its target with 64 workers',
}

const system: System = {
  name: 'schedule',
  updates: 86_400,
  entitiesProcessed: 1_440_000,
  lastUpdateDurationMs: { available: false, reason: 'nothing was due yet' },
  progressAt: generatedAt,
}

const slo: SLOView = {
  generatedAt,
  window: '5m',
  coverageGap: false,
  reports: [
    {
      pipeline: 'pulse',
      driver: 'http',
      samples: 50_000,
      expected: 50_000,
      missed: 0,
      overdue: 0,
      pending: 14,
      timeouts: 3,
      queueDelay: { available: true, p50Ms: 0.4, p95Ms: 2.1, p99Ms: 8.8 },
      execution: { available: true, p50Ms: 31, p95Ms: 120, p99Ms: 410 },
      totalLatency: { available: true, p50Ms: 32, p95Ms: 122, p99Ms: 418 },
      queueThresholdPassed: 50_000,
      totalThresholdPassed: 49_997,
      attainment: { available: true, value: 0.99994 },
      condition: 'healthy',
    },
  ],
}

const state: State = {
  generatedAt,
  ready: true,
  live: true,
  storage: {
    available: true,
    mode: 'sqlite',
    formatVersion: 1,
    commitIndex: 18_734,
    appliedIndex: 18_734,
    bytes: 4_194_304,
  },
  projectionAgeMs: 12,
  unknownActions: 1,
  actions: [lifeExamples.Action],
}

const problem: Problem = {
  type: 'urn:pulseward:problem:versionConflict',
  title: 'The resource is not in the version that was expected',
  status: 412,
  detail: 'monitor checkout-api is at version 43',
  requestID: 'req-01JQ8X4F',
  code: 'versionConflict',
  errors: [{ field: 'If-Match', reason: 'stale', message: 'is 42, the resource is at 43' }],
}

export const serviceExamples = {
  State: state,
  SLOView: slo,
  QueueList: pageOf(queue) satisfies QueueList,
  PoolList: pageOf(pool) satisfies PoolList,
  SystemList: pageOf(system) satisfies SystemList,
  Metrics: { generatedAt, queues: [queue], pools: [pool], systems: [system], slo } satisfies Metrics,
  RuntimeConfig: {
    storageMode: 'sqlite',
    historyRetention: '720h',
    queueCapacity: 100_000,
    readOnly: false,
    sloWindow: '5m',
  } satisfies RuntimeConfig,
  Health: { available: true, generatedAt } satisfies Health,
  Capabilities: {
    apiVersions: ['pulseward/v1', apiVersion],
    drivers: { check: ['http', 'tcp'], recovery: ['webhook'], notification: ['slack', 'email'] },
    resources: [
      'Monitor',
      'NotificationEndpoint',
      'NotificationGroup',
      'Credential',
      'Route',
      'Person',
      'Schedule',
      'Policy',
      'Calendar',
      'StatusPage',
      'StatusIncident',
      'Badge',
    ],
    patchTypes: ['application/merge-patch+json'],
  } satisfies Capabilities,
  Version: {
    version: '0.1.0',
    commit: '0174924c0ffee0174924c0ffee0174924c0ffee0',
    sourceTime: '2026-03-28T18:00:00Z',
    runtimeVersion: '26.10.0',
    storageFormat: 1,
  } satisfies Version,
  Explanation: {
    resource: 'NotificationGroup',
    description: 'Endpoints notified together.',
    schema: { type: 'object', properties: { endpointRefs: { type: 'array' } } },
  } satisfies Explanation,
  SignInLink: {
    secret: '4cT1u0m9nXcV7yqf2J8s6dQwLkZbRhGeAoPiUvTxYzE',
    expiresAt: '2026-03-29T02:24:05.000Z',
  } satisfies SignInLink,
  PracticeTarget: {
    url: 'http://127.0.0.1:8060/practice',
    on: false,
    onAgainAt: '2026-03-29T02:24:05.000Z',
  } satisfies PracticeTarget,
  PracticeSwitch: { on: false } satisfies PracticeSwitch,
  PushKeyRequest: { credential: 'nightly-backup-key' } satisfies PushKeyRequest,
  PushKey: {
    credential: 'nightly-backup-key',
    key: '4cT1u0m9nXcV7yqf2J8s6dQwLkZbRhGeAoPiUvTxYzE',
  } satisfies PushKey,
  Problem: problem,
}
