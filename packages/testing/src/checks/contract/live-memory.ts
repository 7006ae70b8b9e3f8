// checks/contract/live-memory.ts: whether something holds much memory while it runs. Garbage does not count,
// so the answer does not depend on the collector. A collection blocks everything else, so it runs only when
// much memory is in use.
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SAMPLE_EVERY_MS = 20

/** The most bytes that were alive at once during the work, above those before it; 0 if within the limit. */
export async function liveBytesBeyond(
  limitBytes: number,
  beforeBytes: number,
  work: () => Promise<unknown>,
): Promise<number> {
  let inFlight = true
  const done = work().finally(() => {
    inFlight = false
  })
  let live = 0
  while (inFlight && live <= limitBytes) {
    await Promise.race([done, delay(SAMPLE_EVERY_MS)])
    if (usedBytes() - beforeBytes > limitBytes) live = liveBytes() - beforeBytes
  }
  await done
  return live > limitBytes ? live : 0
}

/** Collects all garbage first, which takes tens of milliseconds. */
export function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Twice: buffers that the first collection found dead are freed by the second at the latest.
  collect()
  collect()
  return usedBytes()
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
