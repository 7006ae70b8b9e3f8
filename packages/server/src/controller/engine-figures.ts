// controller/engine-figures.ts: everything that the engine shows of itself at one moment.
import type { PoolObservation } from '../pool/worker-pool.ts'
import type { QueueObservation } from '../queue/queue-observer.ts'
import type { Sample } from '../telemetry/sample-history.ts'
import type { SystemsObservation } from '../telemetry/system-meter.ts'

export interface EngineFigures {
  readonly queues: Readonly<Record<string, QueueObservation>>
  readonly pools: Readonly<Record<string, PoolObservation>>
  readonly systems: SystemsObservation
  readonly loopLagP99Ms: number | null
  readonly queueHistory: Readonly<Record<string, readonly Sample<string>[]>>
  readonly poolHistory: Readonly<Record<string, readonly Sample<string>[]>>
}
