// simulation/simulate-seeds.ts: runs many seeds on a few threads. A seed takes the same course in any thread and order.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SimulationResult } from './simulation.ts'
import type { SeedJob } from './simulation-thread.ts'

export interface SeedsOptions extends Omit<SeedJob, 'seed'> {
  readonly seeds: readonly number[]
  readonly threads: number
  /** Called as each seed ends; true ends all the others too. */
  readonly ended: (result: SimulationResult) => boolean
}

export async function simulateSeeds({ seeds, threads, ended, ...options }: SeedsOptions): Promise<void> {
  const left = [...seeds]
  const work = async () => {
    const worker = new Worker(new URL('./simulation-thread.ts', import.meta.url))
    try {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
        const answer = once(worker, 'message')
        worker.postMessage({ ...options, seed } satisfies SeedJob)
        if (ended((await answer)[0])) left.length = 0
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: Math.min(threads, left.length) }, work))
}
