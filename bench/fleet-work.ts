// bench/fleet-work.ts: counts the checks of a running service between two moments, as the service reports
// them and as its targets saw them.
import { type CheckCounts, type ChecksDone, readCheckCounts, type SeenByTargets } from './work-done.ts'

interface Moment extends CheckCounts {
  readonly atMs: number
  readonly seenBefore: SeenByTargets
  readonly seenAfter: SeenByTargets
}

/** Reads what the targets of fleet-targets.ts saw. */
export async function readSeen(controlPort: number): Promise<SeenByTargets> {
  return (await (await fetch(`http://127.0.0.1:${controlPort}/`)).json()) as SeenByTargets
}

/** Runs the work and returns the checks that were done meanwhile. */
export async function checksDuring(
  service: { readonly url: string; readonly controlPort: number; readonly checksPerSecond: number },
  work: () => Promise<unknown>,
): Promise<ChecksDone> {
  const before = await look(service.url, service.controlPort)
  await work()
  const after = await look(service.url, service.controlPort)
  return {
    scheduledPerSecond: service.checksPerSecond,
    scheduled: (service.checksPerSecond * (after.atMs - before.atMs)) / 1_000,
    finished: after.finished - before.finished,
    succeeded: after.succeeded - before.succeeded,
    seenAtLeast: after.seenBefore.live - before.seenAfter.live,
    seenAtMost: after.seenAfter.live - before.seenBefore.live,
  }
}

async function look(url: string, controlPort: number): Promise<Moment> {
  const seenBefore = await readSeen(controlPort)
  const atMs = performance.now()
  const counts = await readCheckCounts(url)
  return { atMs, ...counts, seenBefore, seenAfter: await readSeen(controlPort) }
}
