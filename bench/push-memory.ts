// bench/push-memory.ts: what monitors of one kind take in memory: their definition, their credentials and when they are
// due, and for jobs that report by themselves their keys, rules and states. Prints JSON. Run with --expose-gc, and with the
// kind and the number of monitors.
import { performance } from 'node:perf_hooks'
import { Scheduler } from '../packages/server/src/checking/schedule/scheduler.ts'
import { DefinitionBuilder } from '../packages/server/src/config/fleet-file/definition-builder.ts'
import { neverSeen } from '../packages/server/src/deciding/push/push-state.ts'
import { keyDigest } from '../packages/server/src/platform/key-table.ts'
import { PackedMap } from '../packages/server/src/platform/packed-map.ts'
import { PackedReader } from '../packages/server/src/platform/packed-strings.ts'
import { PushColumns } from '../packages/server/src/pushing/push-columns.ts'
import { PushFleet } from '../packages/server/src/pushing/push-fleet.ts'

const [kind, count] = process.argv.slice(2)
const monitors = Number(count)
const keyOf = (row: number) => `key-${String(row).padStart(20, '0')}`
const intervalMs = 60_000

collect()
const before = used()
const held = kind === 'push' ? pushMonitors() : tcpMonitors()
collect()
const bytes = used() - before
const found = held.found()
console.log(JSON.stringify({ bytes, keysLoadMs: Math.round(held.keysLoadMs), found }))

function pushMonitors() {
  const definition = definitionOf((row) => ({
    type: 'push',
    config: { every: '60s', key: { credential: `k${row}` } },
  }))
  const configs = new PackedReader(definition.configs)
  const fleet = new PushFleet({
    has: () => true,
    configOf: (row) => configs.get(row),
    rowsWithCredential: () => [],
  })
  const columns = new PushColumns()
  const credentials = PackedMap.of(entries(), monitors)
  const scheduler = emptyScheduler()
  const beganMs = performance.now()
  fleet.set(definition, credentials, monitors)
  columns.growFor(monitors)
  for (let row = 0; row < monitors; row++) {
    columns.write(row, { ...neverSeen, phase: 'waiting', dueAt: intervalMs + row, lastSignalAt: row + 1 })
    scheduler.expect(row, intervalMs + (row % intervalMs))
  }
  const keysLoadMs = performance.now() - beganMs
  const rows = Array.from({ length: Math.min(1_000, monitors) }, (_, row) => row)
  const found = () => rows.filter((row) => fleet.find(keyDigest(keyOf(row)))?.row === row).length
  return { keysLoadMs, found, kept: [definition, credentials, columns, scheduler] }
}

function* entries(): Generator<readonly [string, string]> {
  for (let row = 0; row < monitors; row++) yield [`k${row}`, keyOf(row)]
}

function tcpMonitors() {
  const definition = definitionOf((row) => ({
    type: 'tcp',
    interval: '60s',
    config: { host: `127.1.${row % 256}.${row % 199}`, port: 10_000 + (row % 50_000) },
  }))
  const scheduler = emptyScheduler()
  for (let row = 0; row < monitors; row++) scheduler.enroll(row, { intervalMs, everChecked: true }, 0, 0)
  return { keysLoadMs: 0, found: () => scheduler.enrolledCount, kept: [definition, scheduler] }
}

function definitionOf(checkOf: (row: number) => object) {
  const builder = new DefinitionBuilder()
  for (let row = 0; row < monitors; row++) {
    const check = checkOf(row) as Parameters<DefinitionBuilder['add']>[0]['check']
    builder.add({ id: `job-${row}`, name: `job-${row}`, check })
  }
  return builder.finish({})
}

function emptyScheduler(): Scheduler {
  return new Scheduler(monitors, 0, 0, {
    due: () => true,
    missed: () => {},
    disturbed: () => {},
    identityHash: (row) => row,
  })
}

/** Shared memory counts only here. */
function used(): number {
  return process.memoryUsage().rss
}

/** Gives free pages back to the system. */
function collect(): void {
  ;(globalThis as { gc?: (options: object) => void }).gc?.({ type: 'major', flavor: 'last-resort' })
}
