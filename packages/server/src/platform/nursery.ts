// platform/nursery.ts: how much a thread may allocate before its young generation is collected. A small nursery stays in
// the processor's cache; a large one keeps the temporary objects of a long task from being promoted.
import { setFlagsFromString } from 'node:v8'

/** For threads that run one large task. */
export const largeNursery = { maxYoungGenerationSizeMb: 24 }

/**
 * The size on the command line applies to the first thread. Without this it would override that of every
 * other thread too.
 */
export function letThreadsChooseTheirNursery(): void {
  setFlagsFromString('--max-semi-space-size=0')
}
