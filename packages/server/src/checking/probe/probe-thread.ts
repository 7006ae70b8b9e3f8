// checking/probe/probe-thread.ts: a thread that runs checks. It owns its network and nothing else, and ends
// with its port.
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../platform/clock.ts'
import { giveBackMemory, HeapKeeper } from '../../platform/give-back-memory.ts'
import { stepBack } from '../../platform/thread-priority.ts'
import { openProbe } from './open-probe.ts'
import type { FromProbe, ProbeSetup, ToProbe } from './probe-protocol.ts'

stepBack()
const port = parentPort!
const { probe } = openProbe(workerData as ProbeSetup, (batch) =>
  port.postMessage(batch, [
    batch.rows.buffer as ArrayBuffer,
    batch.generations.buffer as ArrayBuffer,
    batch.outcomes.buffer as ArrayBuffer,
    batch.startedMs.buffer as ArrayBuffer,
    batch.finishedMs.buffer as ArrayBuffer,
    batch.latencyMs.buffer as ArrayBuffer,
  ]),
)

// Flushed now, because a terminated thread saves nothing; the next start then needs no type stripping.
flushCompileCache()
giveBackMemory()
const heap = new HeapKeeper(systemClock.monotonicMs())
port.on('message', (message: ToProbe) => {
  if (message.kind === 'ping') port.postMessage({ kind: 'pong' } satisfies FromProbe)
  else if (message.kind === 'checks') {
    probe.runChecks(message.rows, message.generations)
    heap.look(systemClock.monotonicMs())
  } else probe.tell(message)
})
