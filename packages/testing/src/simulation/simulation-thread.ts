// simulation/simulation-thread.ts: one of the threads that seeds are spread over; takes a seed at a time.
import { parentPort } from 'node:worker_threads'
import { defects } from './defects.ts'
import { type SimulationOptions, simulate } from './simulation.ts'

/** What a thread is asked for. */
export interface SeedJob extends Omit<SimulationOptions, 'defect'> {
  /** The name of a defect to break the service with. */
  readonly defect: string | null
}

parentPort!.on('message', async ({ defect, ...job }: SeedJob) => {
  parentPort!.postMessage(await simulate({ ...job, defect: defect === null ? null : defects[defect]! }))
})
