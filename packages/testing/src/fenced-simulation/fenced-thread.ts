// fenced-simulation/fenced-thread.ts: one of the threads that run seeds, one seed at a time.
import { parentPort } from 'node:worker_threads'
import { type FencedDefectName, fencedDefects } from './fenced-defects.ts'
import { type FencedSimulation, simulateFenced } from './simulate-fenced.ts'

/** The request to a thread. */
export interface FencedJob extends Omit<FencedSimulation, 'defect'> {
  /** The name of a planted defect. */
  readonly defect: FencedDefectName | null
}

parentPort!.on('message', async ({ defect, ...job }: FencedJob) => {
  parentPort!.postMessage(
    await simulateFenced({ ...job, defect: defect === null ? null : fencedDefects[defect] }),
  )
})
