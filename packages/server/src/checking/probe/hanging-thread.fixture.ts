// checking/probe/hanging-thread.fixture.ts: a probe thread that a test can make hang, as a bug in a driver
// would: an additional message, which the controller never sends, keeps it busy forever.
import { parentPort } from 'node:worker_threads'
import './probe-thread.ts'

parentPort?.on('message', ({ kind }: { kind: string }) => {
  while (kind === 'hang');
})
