// fenced-simulation/site.ts: where a process of the service runs, one after the other.
import type { FencedService } from './fenced-service.ts'
import type { SimulatedNetwork } from './simulated-network.ts'
import type { SimulatedMachine } from './simulated-time.ts'

/** A machine with its way to the database, and the process that runs there now. */
export interface Site {
  readonly name: string
  readonly machine: SimulatedMachine
  readonly network: SimulatedNetwork
  service: FencedService | null
  /** The name of the session of its process. */
  session: string
}
