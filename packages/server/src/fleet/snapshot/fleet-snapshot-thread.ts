// fleet/snapshot/fleet-snapshot-thread.ts: the thread that writes a snapshot of fleet files; one task, one answer.
import { parentPort, workerData } from 'node:worker_threads'
import { behindChecks, stepBack } from '../../platform/thread-priority.ts'
import { writeFleetSnapshot } from './fleet-snapshot.ts'
import type { FleetSnapshotTask } from './fleet-snapshot-keeper.ts'
import { inLines } from './packed-monitors.ts'

stepBack(behindChecks)
const task = workerData as FleetSnapshotTask
const { path, present, monitors, count, ownSource, replaced } = task
const holdsOthers = () => {
  for (let row = 0; row < count; row++)
    if (present[row] !== 1 || monitors.numbers.sources[row] === ownSource) return true
  return false
}
const isChanged = () => Atomics.load(replaced, 0) === 1 || holdsOthers()
parentPort?.postMessage(
  !isChanged() && writeFleetSnapshot(path, { ...task, monitors: inLines(monitors), isChanged }),
)
