// stop-signals.ts: the first SIGTERM or SIGINT stops the worker in order, a second one ends the process at once. That
// loses nothing: the journal has what is on disk.
import type { Log } from './log.ts'

const names = ['SIGTERM', 'SIGINT'] as const

/** Answers with what takes the listeners away again. */
export function onStopSignals(log: Log, stop: () => Promise<void>): () => void {
  const ignore = () => {
    for (const name of names) process.off(name, heard)
  }
  let wasHeard = false
  const heard = (name: NodeJS.Signals) => {
    if (wasHeard) {
      // Without a listener the signal does what it does by itself.
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
