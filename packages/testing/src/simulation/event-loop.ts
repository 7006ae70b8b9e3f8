// simulation/event-loop.ts: how the simulation waits for the code of the service in real life, while simulated time stands
// still.

/** Everything that was promised has happened, and what waits for the event loop has gone on. */
export function loopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Everything that was promised has happened: ticks come after all promises. Costs a third of a turn of the loop. */
export function promisesSettled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
