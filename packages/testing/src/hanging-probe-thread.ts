// testing/hanging-probe-thread.ts: a probe thread that can be made to hang as a bug in a driver would: a message that no
// controller sends keeps it busy for ever.
import { parentPort } from 'node:worker_threads'
import '@pulseward/server/internal/checking/probe/probe-thread.ts'

parentPort!.on('message', ({ kind }: { kind: string }) => {
  while (kind === 'hang');
})
