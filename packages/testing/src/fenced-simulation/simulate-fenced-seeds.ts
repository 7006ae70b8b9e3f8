// fenced-simulation/simulate-fenced-seeds.ts: runs many seeds on a few threads. A seed takes the same course in any thread.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FencedJob } from './fenced-thread.ts'
import type { FencedResult } from './simulate-fenced.ts'

export interface FencedSeeds extends Omit<FencedJob, 'seed'> {
  readonly seeds: readonly number[]
  readonly threads: number
  /** Called as each seed ends; true ends all the others too. */
  readonly ended: (result: FencedResult) => boolean
}

export async function simulateFencedSeeds({ seeds, threads, ended, ...options }: FencedSeeds): Promise<void> {
  const left = [...seeds]
  const work = async () => {
    const worker = new Worker(new URL('./fenced-thread.ts', import.meta.url))
    try {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
        const answer = once(worker, 'message')
        worker.postMessage({ ...options, seed } satisfies FencedJob)
        if (ended((await answer)[0])) left.length = 0
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: Math.min(threads, left.length) }, work))
}
