// checks/contract/live-memory.ts: whether something holds on to much memory while it runs. Garbage is not counted, so
// the answer does not depend on the collector; but a collection is made only when there is much of either, because
// nothing else gets on while it lasts.
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SAMPLE_EVERY_MS = 20

/** How many bytes were alive at once while the work was in flight, above those before; 0 while within the limit. */
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
  // Twice: buffers that the first one found dead are freed by the next one at the latest.
  collect()
  collect()
  return usedBytes()
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
