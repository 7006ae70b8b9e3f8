// api/routes/state.ts: the health of the store, what the process uses, and the actions of one monitor. Never
// shows a path, an address or a secret.
import type { ExternalWorkers } from '@pulseward/contract'
import type { EngineReading } from '../../engine/engine-reading.ts'
import { timestamp } from '../../platform/wire.ts'
import { actionView, heldBack, nextActionView } from '../../projection/action-view.ts'
import { storageTrouble } from '../../projection/storage-trouble.ts'
import { ApiError } from '../../requests/problem.ts'
import type { StorageGuard } from '../../store/storage-guard.ts'
import type { Store, StoreUsage } from '../../store/store.ts'
import { readable } from '../readable.ts'
import { json, type Route, route } from '../route.ts'

const actionsShown = 500

export interface StateSource {
  readonly store: Store
  readonly storage: StorageGuard
  readonly engine: EngineReading
  /** Threads that run our code. */
  readonly threads: () => number
  /** Null for an edition that does not report them; returns null if external jobs are off. */
  readonly externalWorkers: (() => ExternalWorkers | null) | null
  readonly tellsReasons: boolean
}

export function stateRoute(source: StateSource): Route {
  return route('GetState', async ({ query: { monitor_id: monitorId } }) => {
    const { externalWorkers } = source
    const ofMonitor = monitorId === undefined ? {} : await monitorState(source, monitorId)
    const ofWorkers = externalWorkers === null ? {} : { external_workers: externalWorkers() }
    return json({ ...(await serviceState(source)), ...ofWorkers, ...ofMonitor })
  })
}

async function serviceState({ store, storage, engine, threads }: StateSource) {
  // The store may be what is failing: its usage is then unknown, but everything else is still reported.
  const usage: StoreUsage | null = await store.usage().catch(() => null)
  const isOnDisk = store.mode !== 'memory' && usage !== null
  const { error } = storage
  const { user, system } = process.cpuUsage()
  return {
    storage: {
      mode: store.mode,
      ready: error === null,
      committed_position: engine.commits.position,
      commit_latency_ms: engine.commits.meanMs,
      commit_latency_p99_ms: engine.commits.p99Ms,
      last_backup: backupView(usage),
      error: storageTrouble(error),
    },
    storage_usage: {
      bytes: isOnDisk ? usage.bytes : null,
      history_bytes: isOnDisk ? usage.historyBytes : null,
      available_bytes: usage?.availableBytes ?? null,
    },
    process: {
      rss_bytes: process.memoryUsage.rss(),
      heap_bytes: process.memoryUsage().heapUsed,
      cpu_seconds: (user + system) / 1e6,
      uptime_seconds: process.uptime(),
      threads: threads(),
    },
    unknown_actions: engine.actions.unknownActions,
  }
}

async function monitorState({ store, engine, tellsReasons }: StateSource, monitorId: string) {
  const numericId = await readActions(store.findMonitor(monitorId))
  const row = numericId === null ? -1 : engine.rowOf(numericId)
  const revision = engine.revisionOf(monitorId, row)
  if (revision === undefined) throw new ApiError('monitor_not_found', `There is no monitor "${monitorId}".`)
  const actions = await readActions(store.readActions(monitorId, actionsShown))
  const now = engine.now()
  const view = tellsReasons ? nextActionView : actionView
  return {
    monitor_id: monitorId,
    monitor_number: row < 0 ? null : numericId,
    revision,
    actions: actions.map((action) => view(action, (id) => engine.actions.waitOf(id, now))),
    held_back: row < 0 ? null : heldBack(engine, row),
  }
}

function backupView(usage: StoreUsage | null) {
  const backup = usage?.lastBackup ?? null
  return backup === null ? null : { at: timestamp(backup.at), verified: backup.verified }
}

function readActions<Value>(reading: Promise<Value>): Promise<Value> {
  return readable(reading, 'unavailable', 'The actions cannot be read now.')
}
