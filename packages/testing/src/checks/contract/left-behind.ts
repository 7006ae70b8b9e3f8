// checks/contract/left-behind.ts: what is open in this process: sockets, timers, child processes, listeners on the
// process, and connections as the targets see them. Counted before and after, so that a leak of one is seen. A test
// runner has timers of its own, which come and go and could hide one; those that a watched run made are therefore
// counted once more by themselves, also the ones that do not keep the process alive.
import { AsyncLocalStorage, createHook } from 'node:async_hooks'

type Counts = ReadonlyMap<string, number>

interface Targets {
  openConnections(): number
}

/** Closing takes a few turns of the loop on both sides of a connection. In CPU time, which a busy machine gives out slowly. */
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

/** Watches the timers of everything that begins in here. */
export function watchTimers(begin: () => void): void {
  watched.run(true, begin)
}

/** Whether exactly that is open now: then there is no need to wait for rest once more. */
export function isAsBefore(targets: Targets, before: Counts): boolean {
  const now = openNow(targets)
  return growth(before, now).length + growth(now, before).length === 0
}

/** What is open once nothing has changed for a while: what is still closing must not hide what is left open. */
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

/** Waits until no more is open than before, and names what still is when that takes too long. */
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

/** Not by a timer: it would be counted. */
/** Of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function growth(before: Counts, after: Counts): string[] {
  return [...after]
    .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
    .filter(([, more]) => more > 0)
    .map(([kind, more]) => `${more} × ${kind}`)
}
