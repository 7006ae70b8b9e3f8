// checking/probe/probe-threads.ts: how many probe threads a fleet deserves. Small fleets stay small; large ones use
// every core, because a check costs more in the probe than anywhere else.
import { availableParallelism } from 'node:os'

const smallFleet = 1_000

export function probeThreadsFor(monitors: number, configured: number | null): number {
  return configured ?? (monitors < smallFleet ? 1 : availableParallelism())
}
