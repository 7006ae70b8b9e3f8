// managing/snapshot-thread.ts: the thread that writes a snapshot of the arrangement; one task, one answer.
import { parentPort, workerData } from 'node:worker_threads'
import { inLines } from '../fleet/snapshot/packed-monitors.ts'
import { behindChecks, stepBack } from '../platform/thread-priority.ts'
import { writeSnapshot } from './arrangement-snapshot.ts'
import type { SnapshotTask } from './snapshot-keeper.ts'

stepBack(behindChecks)
const task = workerData as SnapshotTask
parentPort?.postMessage(writeSnapshot(task.path, { ...task, ...inLines(task) }))
