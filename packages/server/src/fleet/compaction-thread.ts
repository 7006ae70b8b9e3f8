// fleet/compaction-thread.ts: the thread that repacks the texts of a fleet; one task, one answer.
import { parentPort, workerData } from 'node:worker_threads'
import { newColumn } from '../platform/column.ts'
import type { PackedStrings } from '../platform/packed-strings.ts'
import { repackStrings } from '../platform/repack-strings.ts'
import { behindChecks, stepBack } from '../platform/thread-priority.ts'
import type { CompactionTask } from './compactor.ts'

stepBack(behindChecks)
const { texts, present } = workerData as CompactionTask
const packed = Object.entries(texts).map(([name, strings]) => [name, packedAnew(strings)] as const)
parentPort?.postMessage(Object.fromEntries(packed))

/** Keeps the row numbers. Free rows have no text. */
function packedAnew(strings: PackedStrings): PackedStrings {
  const rows = Uint32Array.from(present.keys()).filter((row) => present[row] === 1)
  const places = new Uint32Array(rows.length)
  const chunks: SharedArrayBuffer[] = []
  repackStrings(strings, rows, places, (chunk) => {
    const kept = new SharedArrayBuffer(chunk.length)
    new Uint8Array(kept).set(chunk)
    chunks.push(kept)
  })
  const starts = newColumn(Uint32Array, present.length)
  for (let index = 0; index < rows.length; index++) starts[rows[index]!] = places[index]!
  return { chunks, starts }
}
