// simulation/simulation-thread.ts: one of the threads that run seeds, one seed at a time.
import { parentPort } from 'node:worker_threads'
import { defects } from './defects.ts'
import { type SimulationOptions, simulate } from './simulation.ts'

/** The request to a thread. */
export interface SeedJob extends Omit<SimulationOptions, 'defect'> {
  /** The name of a planted defect. */
  readonly defect: string | null
}

parentPort!.on('message', async ({ defect, ...job }: SeedJob) => {
  parentPort!.postMessage(await simulate({ ...job, defect: defect === null ? null : defects[defect]! }))
})
