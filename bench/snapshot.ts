// bench/snapshot.ts: what the main edition's snapshot of a large fleet costs the controller's thread: the
// longest time that it blocks the event loop, and the share of a core if one is taken every five seconds.
import { checks } from '../packages/server/src/checks/registry.ts'
import { DefinitionBuilder } from '../packages/server/src/config/fleet-file/definition-builder.ts'
import { arrange } from '../packages/server/src/fleet/arrangement.ts'
import { Fleet } from '../packages/server/src/fleet/fleet.ts'
import { systemClock } from '../packages/server/src/platform/clock.ts'
import { SnapshotModel } from '../packages/server/src/projection/snapshot.ts'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'

const intervalMs = 5000

export const snapshot = defineBenchmark({
  about: "What the main edition's snapshot of a large fleet costs the controller's thread.",
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors of the fleet'),
    rounds: wholeNumber(20, 'snapshots that are taken'),
  },
  run: ({ monitors, rounds }) => takeSnapshots(monitors, rounds),
})

async function takeSnapshots(monitors: number, rounds: number): Promise<Measurement> {
  const fleet = fleetOf(monitors)
  let longestStallMs = 0
  let turnBegan = performance.now()
  // Between two slices the event loop runs: the time between two such turns is what blocks it.
  const pause = async () => {
    longestStallMs = Math.max(longestStallMs, performance.now() - turnBegan)
    await new Promise<void>((resolve) => setImmediate(resolve))
    turnBegan = performance.now()
  }
  const model = new SnapshotModel({ fleet, clock: systemClock, intervalMs, indexCap: monitors, pause })
  const undone: string[] = []
  let cpuMicroseconds = 0
  for (let round = 0; round < rounds; round++) {
    checkAll(fleet)
    const before = process.cpuUsage()
    turnBegan = performance.now()
    await model.take()
    const used = process.cpuUsage(before)
    cpuMicroseconds += used.user + used.system
    if (model.monitors !== monitors)
      undone.push(`Snapshot ${round + 1} holds ${model.monitors} of ${monitors} monitors.`)
  }
  const perSnapshotMs = cpuMicroseconds / rounds / 1000
  const result = {
    monitors,
    snapshots: rounds,
    longest_stall_ms: longestStallMs,
    cpu_ms_per_snapshot: perSnapshotMs,
    cpu_percent_of_core: (perSnapshotMs / intervalMs) * 100,
  }
  for (const [name, value] of Object.entries(result)) console.error(`${name.padEnd(22)} ${value}`)
  return { figures: result, undone }
}

function fleetOf(monitors: number): Fleet {
  const builder = new DefinitionBuilder()
  for (let number = 0; number < monitors; number++) {
    builder.add({
      id: `service-${number}`,
      name: `Service ${number}`,
      check: { type: 'tcp', config: { host: '127.0.0.1', port: 1 } },
    })
  }
  const fleet = new Fleet(Object.keys(checks))
  fleet.apply(arrange(builder.finish({}), null))
  return fleet
}

/** As after five seconds of a fleet with an interval of five seconds: the most changes that a snapshot can find. */
function checkAll(fleet: Fleet): void {
  fleet.columns.lastCheck.fill(Date.now() + performance.now(), 0, fleet.rows)
}
