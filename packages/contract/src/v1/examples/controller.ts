// v1/examples/controller.ts: the figures of a controller that has little to do.
import type { Pool, Pools } from '../pools.ts'
import type { Queue, Queues } from '../queues.ts'
import type { PoolSeries, QueueSeries } from '../series.ts'
import type { Systems } from '../systems.ts'
import { generated } from './story.ts'

const idleQueue: Queue = {
  depth: 0,
  capacity: 65_536,
  enqueued: 0,
  dequeued: 0,
  dropped: 0,
  enqueue_rate: 0,
  dequeue_rate: 0,
  avg_wait_ms: null,
  max_wait_ms: null,
  oldest_ms: null,
  arrival_cv: null,
  arrival_samples: 0,
  last_enqueue: null,
  last_dequeue: null,
  window_seconds: 60,
}

const pulseQueue: Queue = {
  ...idleQueue,
  enqueued: 17_280,
  dequeued: 17_280,
  enqueue_rate: 0.2,
  dequeue_rate: 0.2,
  avg_wait_ms: 0.4,
  max_wait_ms: 1.1,
  arrival_cv: 0.02,
  arrival_samples: 12,
  last_enqueue: '2026-03-01T09:30:01.290Z',
  last_dequeue: '2026-03-01T09:30:01.290Z',
}

export const queues: Queues = {
  generated,
  queues: { pulse: pulseQueue, intervention: idleQueue, code: idleQueue },
  destinations: [
    { name: 'ops-slack', driver: 'slack', state: 'ok', since: null, reason: null, until: null, queued: 1 },
  ],
}

export const queueSeries: QueueSeries = {
  generated,
  interval_seconds: 1,
  capacity: 900,
  series: {
    pulse: [
      {
        at: '2026-03-01T09:30:04.000Z',
        depth: 0,
        enqueued: 17_280,
        dequeued: 17_280,
        dropped: 0,
        enqueue_rate: 0.2,
        dequeue_rate: 0.2,
        avg_wait_ms: 0.4,
        max_wait_ms: 1.1,
        oldest_ms: null,
      },
    ],
    intervention: [],
    code: [],
  },
}

const pool: Pool = {
  min: 5,
  max: 16_384,
  capacity: 5,
  busy: 0,
  waiting: 0,
  target: 5,
  submitted: 17_280,
  completed: 17_280,
  scaling_events: 0,
  last_scale: null,
  service_time_ms: 27.1,
  service_cv: 0.3,
  service_samples: 12,
  sizing_model: 'erlang_c_allen_cunneen',
  recommended: 5,
  reason: 'One slot meets the target. Raised to the minimum of 5.',
  arrival_rate: 0.2,
  arrival_cv: 0.02,
  target_ms: 250,
  slo_condition: 'insufficient_observations',
}

const unusedPool: Pool = {
  ...pool,
  submitted: 0,
  completed: 0,
  service_time_ms: null,
  service_cv: null,
  service_samples: 0,
  sizing_model: 'awaiting_observations',
  reason: 'Nothing was observed yet.',
  arrival_rate: null,
  arrival_cv: null,
  slo_condition: null,
}

export const pools: Pools = { generated, pools: { pulse: pool, intervention: unusedPool, code: unusedPool } }

export const poolSeries: PoolSeries = {
  generated,
  interval_seconds: 1,
  capacity: 900,
  series: {
    pulse: [
      {
        at: '2026-03-01T09:30:04.000Z',
        capacity: 5,
        busy: 0,
        waiting: 0,
        target: 5,
        recommended: 5,
        submitted: 17_280,
        completed: 17_280,
        service_time_ms: 27.1,
        arrival_rate: 0.2,
      },
    ],
    intervention: [],
    code: [],
  },
}

const stage = {
  updates: 864_000,
  entities: 17_280,
  batches: 17_280,
  last_ms: 0.01,
  avg_ms: 0.02,
  max_ms: 1.4,
  last_progress: '2026-03-01T09:30:04.998Z',
}

export const systems: Systems = {
  generated,
  systems: [{ name: 'schedule', ...stage }],
  aggregate: { ...stage, entities_per_second: 0.2, updates_per_second: 100, event_loop_lag_p99_ms: 1.2 },
}
