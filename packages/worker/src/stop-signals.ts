// stop-signals.ts: the first SIGTERM or SIGINT stops the worker gracefully, a second one ends the process at
// once. That loses nothing that the journal has on disk.
import type { Log } from './log.ts'

const names = ['SIGTERM', 'SIGINT'] as const

/** Returns a function that removes the listeners. */
export function onStopSignals(log: Log, stop: () => Promise<void>): () => void {
  const ignore = () => {
    for (const name of names) process.off(name, heard)
  }
  let wasHeard = false
  const heard = (name: NodeJS.Signals) => {
    if (wasHeard) {
      // Without a listener, the signal has its default effect.
      ignore()
      process.kill(process.pid, name)
      return
    }
    wasHeard = true
    log.info(`${name}: the worker stops when its jobs have ended. Another ${name} ends it at once.`)
    void stop()
  }
  for (const name of names) process.on(name, heard)
  return ignore
}
