// platform/nursery.ts: how much a thread may allocate before its youngest objects are collected. Small nurseries stay in the
// processor's cache; large ones keep what a long piece of work holds for a moment from being taken for old.
import { setFlagsFromString } from 'node:v8'

/** For threads that run from the start to the end of something large. */
export const largeNursery = { maxYoungGenerationSizeMb: 24 }

/** The size on the command line is that of the first thread. Without this it would be that of every other one, whatever they say. */
export function letThreadsChooseTheirNursery(): void {
  setFlagsFromString('--max-semi-space-size=0')
}
