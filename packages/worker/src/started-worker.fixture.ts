// started-worker.fixture.ts: a worker in this process with a service, for tests.
import { eventually, temporaryFolder, until } from '@pulseward/testing'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { createWorker, type LogEntry, success, type Worker, type WorkerOptions } from './index.ts'

/** A worker and its service, both disposed at the end of the test. */
export async function startWorker(options: Partial<WorkerOptions> = {}, given?: ServicePeer) {
  const folder = temporaryFolder()
  const peer = given ?? (await ServicePeer.start())
  const entries: LogEntry[] = []
  const worker = createWorker({
    server: peer.url,
    token: peer.token,
    journal: folder.path('worker.journal'),
    handlers: { 'echo@1': (job) => success(job.parameters) },
    signals: false,
    drainSeconds: 1,
    log: (entry) => entries.push(entry),
    ...options,
  })
  await worker.start()
  const said = (level: LogEntry['level']) =>
    entries.filter((entry) => entry.level === level).map(({ msg }) => msg)
  return {
    peer,
    worker,
    entries,
    said,
    folder,
    async [Symbol.asyncDispose]() {
      await worker.stop().catch(() => {})
      await peer[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** Resolves with the outcome when the service has it. */
export const reported = (peer: ServicePeer, executionID: string) =>
  eventually(() => {
    const outcome = peer.outcome(executionID)
    if (outcome === null) throw new Error(`${executionID} has no outcome yet`)
    return outcome
  })

export const allDelivered = (worker: Worker) => until(() => worker.status().undelivered === 0)
