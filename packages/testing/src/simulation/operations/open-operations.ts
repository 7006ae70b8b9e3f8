// simulation/operations/open-operations.ts: the part of one process that runs operations of many items: the
// service's own code, over items that are staged outside of the process.
import { ControllerSide } from '@pulseward/server/internal/bulk/around-work.ts'
import { BulkOperations } from '@pulseward/server/internal/bulk/operations.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { WritePath } from '@pulseward/server/internal/managing/write-path.ts'
import type { Log } from '@pulseward/server/internal/telemetry/log.ts'
import type { OperationParts } from '../defects/defect.ts'
import type { World } from '../world.ts'
import type { WriteDesk } from '../writes/write-desk.ts'

/** Few, so that there are many turns between the first item of an operation and its last. */
const itemsAtOnce = 2

export interface OpenOperationsOptions {
  readonly world: World
  readonly engine: Engine
  readonly fleet: Fleet
  readonly writes: WriteDesk | null
  readonly log: Log
  readonly isAlive: () => boolean
}

/** Null if there are no operations of many items. */
export function openOperations(options: OpenOperationsOptions): BulkOperations | null {
  const { world, engine, fleet, writes, log, isAlive } = options
  const { staging, wait, disk, clock, defect } = world
  if (staging === null || writes === null) return null
  const { registry } = writes.managing
  // A separate object, because a planted defect may change it.
  const vault = Object.create(world.keyFile.vault) as OperationParts['vault']
  const side = new ControllerSide({
    registry,
    vault,
    lock: writes.lock,
    routeTells: ({ labels, tags }) => engine.reading.routeTells(labels, tags),
  })
  const parts = {
    registry,
    vault,
    path: {
      write: (plan: Parameters<WritePath['write']>[0]) => writes.path.write(plan),
      paySecrets: () => writes.path.paySecrets(),
    },
    engine: {
      request: (...[unstored, work]: Parameters<Engine['request']>) => engine.request(unstored, work),
      applyControl: (...[turn, control]: Parameters<Engine['applyControl']>) =>
        engine.applyControl(turn, control),
    },
    work: staging.openFor(side, isAlive),
  }
  defect?.operations?.(parts)
  return new BulkOperations({
    ...parts,
    side,
    validator: writes.validator,
    versionOf: (change) => `1.${change}`,
    roomForWrite: () => null,
    fleet,
    healthOf: (row) => engine.reading.healthOf(row),
    store: disk.store,
    lastChange: () => writes.position,
    storeName: 'simulated',
    clock,
    itemsAtOnce,
    wait: (ms) => wait(ms).then(() => (isAlive() ? undefined : new Promise<void>(() => {}))),
    log,
  })
}
