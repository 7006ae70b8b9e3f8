// checks/contract/left-behind.ts: counts what is open in this process: sockets, timers, child processes,
// listeners on the process, and connections as the targets see them. It counts before and after, so that a
// single leak shows. The test runner's own timers come and go and could hide one, so timers that a watched
// run made are also counted separately, including those that do not keep the process alive.
import { AsyncLocalStorage, createHook } from 'node:async_hooks'

type Counts = ReadonlyMap<string, number>

interface Targets {
  openConnections(): number
}

/**
 * Closing takes a few turns of the loop on both sides of a connection. Measured in CPU time, because a busy
 * machine needs longer.
 */
const PATIENCE_MS = 200
const REST_MS = 20

const watched = new AsyncLocalStorage<true>()
const watchedTimers = new Set<number>()
createHook({
  init(id, type) {
    if (type === 'Timeout' && watched.getStore()) watchedTimers.add(id)
  },
  destroy: (id) => void watchedTimers.delete(id),
}).enable()

/** Tracks the timers of everything that starts in `begin`. */
export function watchTimers(begin: () => void): void {
  watched.run(true, begin)
}

/** Whether exactly the same is open as before; then there is no need to wait again. */
export function isAsBefore(targets: Targets, before: Counts): boolean {
  const now = openNow(targets)
  return growth(before, now).length + growth(now, before).length === 0
}

/** What is open after nothing has changed for a while, so that what is still closing does not hide a leak. */
export async function openAtRest(targets: Targets): Promise<Counts> {
  let counts = openNow(targets)
  let sinceMs = spentMs()
  const giveUpAtMs = sinceMs + PATIENCE_MS
  while (spentMs() < Math.min(sinceMs + REST_MS, giveUpAtMs)) {
    await nextTurn()
    const now = openNow(targets)
    if (growth(counts, now).length + growth(now, counts).length > 0) sinceMs = spentMs()
    counts = now
  }
  return counts
}

/** Waits until no more is open than before. If that takes too long, names what is still open. */
export async function leftBehind(targets: Targets, before: Counts): Promise<string[]> {
  const giveUpAtMs = spentMs() + PATIENCE_MS
  for (;;) {
    const grown = growth(before, openNow(targets))
    if (grown.length === 0) return []
    if (spentMs() > giveUpAtMs) return [`leaves behind ${grown.join(', ')}`]
    await nextTurn()
  }
}

function openNow(targets: Targets): Counts {
  const counts = new Map<string, number>()
  const add = (kind: string, count: number): void => void counts.set(kind, (counts.get(kind) ?? 0) + count)
  for (const kind of process.getActiveResourcesInfo()) if (kind !== 'Immediate') add(kind, 1)
  for (const event of process.eventNames()) add('listener on the process', process.listenerCount(event))
  add('timer of a run', watchedTimers.size)
  add('connection at a target', targets.openConnections())
  return counts
}

/** CPU time of this thread: a wait for the next turn of the loop spends all that the machine gives it. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The next turn of the event loop. Does not use a timer, which would be counted. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function growth(before: Counts, after: Counts): string[] {
  return [...after]
    .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
    .filter(([, more]) => more > 0)
    .map(([kind, more]) => `${more} × ${kind}`)
}
