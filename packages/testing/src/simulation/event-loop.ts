// simulation/event-loop.ts: waits until the code of the service has run in real time, while simulated time stands still.

/** Waits until all promises have settled and the event loop has run its pending work. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Waits until all promises have settled: ticks run after all promises. Costs a third of a turn of the loop. */
export function promisesSettled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
