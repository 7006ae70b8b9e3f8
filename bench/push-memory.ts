// bench/push-memory.ts: what jobs that report by themselves take in memory beyond what every monitor takes: their
// keys, rules, states and deadlines. Prints JSON. Run with --expose-gc.
import { performance } from 'node:perf_hooks'
import { Scheduler } from '../packages/server/src/checking/schedule/scheduler.ts'
import { DefinitionBuilder } from '../packages/server/src/config/fleet-file/definition-builder.ts'
import { neverSeen } from '../packages/server/src/deciding/push/push-state.ts'
import { PackedReader } from '../packages/server/src/platform/packed-strings.ts'
import { PushColumns } from '../packages/server/src/pushing/push-columns.ts'
import { PushFleet } from '../packages/server/src/pushing/push-fleet.ts'

const monitors = Number(process.argv[2])
const builder = new DefinitionBuilder()
const keyOf = (row: number) => `key-${String(row).padStart(20, '0')}`
for (let row = 0; row < monitors; row++)
  builder.add({
    id: `job-${row}`,
    name: `job-${row}`,
    check: { type: 'push', config: { every: '60s', key: { credential: `k${row}` } } },
  })
const definition = builder.finish({})
const configs = new PackedReader(definition.configs)
const fleet = new PushFleet({
  has: () => true,
  configOf: (row) => configs.get(row),
  rowsWithCredential: () => [],
})
const columns = new PushColumns()
const scheduler = new Scheduler(monitors, 0, 0, {
  due: () => true,
  missed: () => {},
  disturbed: () => {},
  identityHash: () => 0,
})
// The values of the credentials are the fleet's own, however many monitors there are.
const credentials = new Map(Array.from({ length: monitors }, (_, row) => [`k${row}`, keyOf(row)] as const))
collect()
const before = used()
const beganMs = performance.now()
fleet.set(definition, credentials, monitors)
columns.growFor(monitors)
for (let row = 0; row < monitors; row++) {
  columns.write(row, { ...neverSeen, phase: 'waiting', dueAt: 60_000 + row, lastSignalAt: row + 1 })
  scheduler.expect(row, 60_000 + (row % 60_000))
}
const loadMs = performance.now() - beganMs
collect()
const found = Array.from({ length: 1_000 }, (_, index) => fleet.find(keyOf(index))?.row === index)
console.log(
  JSON.stringify({ bytes: used() - before, loadMs: Math.round(loadMs), found: found.filter(Boolean).length }),
)

/** Shared memory counts only here. */
function used(): number {
  return process.memoryUsage().rss
}

function collect(): void {
  ;(globalThis as { gc?: () => void }).gc?.()
}
