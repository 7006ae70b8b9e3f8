// managing/snapshot-thread.ts: the thread that writes a snapshot of the arrangement; one task, one answer.
import { parentPort, workerData } from 'node:worker_threads'
import { behindChecks, stepBack } from '../platform/thread-priority.ts'
import { type SharedName, sharedNames, writeSnapshot } from './arrangement-snapshot.ts'
import type { SnapshotTask } from './snapshot-keeper.ts'

stepBack(behindChecks)
const task = workerData as SnapshotTask
const lines = sharedNames.map(
  (name) => [name, task.values[name].flatMap((piece) => piece.split('\n'))] as const,
)
const values = Object.fromEntries(lines) as unknown as Record<SharedName, string[]>
parentPort?.postMessage(writeSnapshot(task.path, { ...task, values }))
