// check-contract/live-memory.ts: how much memory something holds on to while it runs: what is left after a garbage
// collection, sampled until it has ended. Garbage is not counted, so the figure does not depend on the collector.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SAMPLE_EVERY_MS = 20

/** The most bytes that were alive at once while the work was under way, above what was alive before. */
export async function mostLiveBytes(work: () => Promise<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const liveBytes = (): number => {
    // Twice: buffers that the first one found dead are freed behind its back, and by the next one at the latest.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = liveBytes()
  let most = 0
  const sampler = setInterval(() => {
    most = Math.max(most, liveBytes() - before)
  }, SAMPLE_EVERY_MS)
  try {
    await work()
  } finally {
    clearInterval(sampler)
  }
  return Math.max(most, liveBytes() - before)
}
