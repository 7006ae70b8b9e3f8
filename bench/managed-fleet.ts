// bench/managed-fleet.ts: the fleet of a benchmark as an existing store in which every monitor was created
// through v2. Written through the store's own interface, which is minutes faster than a million requests.
import { randomUUID } from 'node:crypto'
import { canonicalJson } from '../packages/server/src/platform/json/canonical-json.ts'
import { emptyBatch } from '../packages/server/src/store/record-types.ts'
import type { StoredResource } from '../packages/server/src/store/resource.ts'
import { SqliteStore } from '../packages/server/src/store/sqlite/sqlite-store.ts'
import { type FleetShape, monitorAt, type Targets } from './fleet-file.ts'

const atOnce = 2_000

export async function writeManagedFleet(
  directory: string,
  shape: FleetShape,
  targets: Targets,
): Promise<void> {
  await using store = await SqliteStore.open({ directory, now: Date.now })
  for (let from = 0; from < shape.monitors; from += atOnce) {
    const count = Math.min(atOnce, shape.monitors - from)
    const resources = Array.from({ length: count }, (_, index) => storedMonitor(from + index, shape, targets))
    await store.commit({ ...emptyBatch, resources })
  }
}

/** The spec of a monitor of the fleet, as v2 writes it. */
export function monitorSpec(number: number, shape: FleetShape, targets: Targets) {
  const { check, tags } = monitorAt(number, shape, targets)
  const { type, config, interval, timeout } = check
  return { check: { driver: { type, config }, interval, timeout }, tags }
}

function storedMonitor(number: number, shape: FleetShape, targets: Targets): StoredResource {
  const { id, name, labels = {} } = monitorAt(number, shape, targets)
  const at = Date.now()
  return {
    kind: 'Monitor',
    id,
    uid: randomUUID(),
    change: number + 1,
    generation: 1,
    name,
    labels,
    spec: canonicalJson(monitorSpec(number, shape, targets)),
    sealed: null,
    createdAt: at,
    updatedAt: at,
  }
}
