// engine/engine-figures.ts: the engine's statistics: its three queues and pools with their histories, and its
// stages. Reading changes nothing. Pipelines have the names of the API, where a notification is a code.

import type { ActionPipeline } from '../acting/action-pipeline.ts'
import { BATCH_SIZE, type CheckFlow } from '../checking/check-flow.ts'
import { POOL_HISTORY_FIELDS, type PoolObservation } from '../checking/pool/worker-pool.ts'
import { QUEUE_HISTORY_FIELDS, type QueueObservation } from '../checking/queue/queue-observer.ts'
import type { ActionKind } from '../deciding/actions/action.ts'
import type { DestinationView } from '../deciding/actions/destination.ts'
import type { Ledger } from '../deciding/actions/ledger.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import type { ServiceTime } from '../platform/service-time.ts'
import { SampleHistory } from '../telemetry/sample-history.ts'
import type { SystemMeters, SystemsObservation } from '../telemetry/system-meter.ts'

const pipelineNames = ['pulse', 'intervention', 'code'] as const
export type PipelineName = (typeof pipelineNames)[number]
type EachPipeline<Value> = Readonly<Record<PipelineName, Value>>

export interface DestinationFigures extends DestinationView {
  readonly driver: string
}

export interface EngineFiguresOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly time: ServiceTime
  readonly ledger: Ledger
  readonly meters: SystemMeters
  readonly checks: CheckFlow
  readonly pipelines: Readonly<Record<ActionKind, ActionPipeline>>
}

export class EngineFigures {
  readonly checksPerBatch = BATCH_SIZE
  readonly meters: SystemMeters
  readonly queueHistory = each(() => new SampleHistory(QUEUE_HISTORY_FIELDS))
  readonly poolHistory = each(() => new SampleHistory(POOL_HISTORY_FIELDS))
  readonly #options: EngineFiguresOptions

  constructor(options: EngineFiguresOptions) {
    this.#options = options
    this.meters = options.meters
  }

  /** Called every second. */
  keepHistory(): void {
    const wallMs = this.#options.clock.wallMs()
    const queues = this.queues()
    const pools = this.pools()
    for (const name of pipelineNames) {
      this.queueHistory[name].record(wallMs, queues[name])
      this.poolHistory[name].record(wallMs, pools[name])
    }
  }

  queues(): EachPipeline<QueueObservation> {
    const { checks, clock } = this.#options
    const nowMs = clock.monotonicMs()
    const wallMs = clock.wallMs()
    return {
      pulse: checks.queue.observe(nowMs, wallMs),
      intervention: this.#actionQueue('intervention', nowMs, wallMs),
      code: this.#actionQueue('code', nowMs, wallMs),
    }
  }

  pools(): EachPipeline<PoolObservation> {
    const { checks, clock, pipelines } = this.#options
    const nowMs = clock.monotonicMs()
    const wallMs = clock.wallMs()
    const { intervention, code } = pipelines
    return {
      pulse: checks.pool.observe(checks.queue.depth, nowMs, wallMs),
      intervention: intervention.observePool(this.#depth('intervention'), nowMs, wallMs),
      code: code.observePool(this.#depth('code'), nowMs, wallMs),
    }
  }

  systems(): SystemsObservation {
    const { clock } = this.#options
    return this.meters.observe(clock.monotonicMs(), clock.wallMs())
  }

  destinations(): DestinationFigures[] {
    const { ledger, time, fleet } = this.#options
    if (!fleet.loaded) return []
    const { endpoints } = fleet.definition
    return ledger.view
      .destinations(time.now())
      .map((view) => ({ ...view, driver: endpoints.get(view.name)!.type }))
  }

  #actionQueue(kind: ActionKind, nowMs: number, wallMs: number): QueueObservation {
    const { ledger, time, pipelines } = this.#options
    const oldestAt = ledger.view.oldestQueuedAt(kind)
    const oldestQueuedMs = oldestAt === null ? null : time.monotonicMs(oldestAt)
    return pipelines[kind].observeQueue({ depth: this.#depth(kind), oldestQueuedMs }, nowMs, wallMs)
  }

  #depth(kind: ActionKind): number {
    const { view } = this.#options.ledger
    return kind === 'intervention' ? view.queuedInterventions : view.queuedNotifications
  }
}

function each<Value>(make: () => Value): EachPipeline<Value> {
  return { pulse: make(), intervention: make(), code: make() }
}
