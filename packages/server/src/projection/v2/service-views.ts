// projection/v2/service-views.ts: what v2 says about the service itself: its state, readiness, settings and
// capabilities. Never a path, an address or a secret.
import { type ReadinessReason, v2 } from '@pulseward/contract'
import type { DriverShapes } from '../../config/fleet-file/schema.ts'
import type { EngineReading } from '../../engine/engine-reading.ts'
import type { Clock } from '../../platform/clock.ts'
import { formatDuration } from '../../platform/duration.ts'
import { version } from '../../platform/version.ts'
import { timestamp } from '../../platform/wire.ts'
import { retentionMs } from '../../store/retention.ts'
import type { StorageGuard } from '../../store/storage-guard.ts'
import type { Store } from '../../store/store.ts'
import { storageTrouble } from '../storage-trouble.ts'
import type { ActionViews } from './action-views.ts'
import { knownFields } from './known-fields.ts'
import { sloWindow } from './slo-view.ts'

export interface ServiceSource {
  readonly clock: Clock
  readonly engine: EngineReading
  readonly actions: ActionViews
  readonly store: Pick<Store, 'mode' | 'usage'>
  readonly storage: Pick<StorageGuard, 'error'>
  /** Why the service is not ready; empty when it is. */
  readonly unreadyFor: () => readonly ReadinessReason[]
  /** How far search results lag behind the last commit. */
  readonly behindMs: () => number
  /** What only an operator can fix, in words; null if there is nothing. */
  readonly problems: () => string | null
  /** The on-disk format of the store. */
  readonly storageFormat: number
}

export async function stateView(source: ServiceSource): Promise<v2.State> {
  const { clock, engine, unreadyFor, behindMs } = source
  const behind = behindMs()
  return {
    generatedAt: timestamp(clock.wallMs()),
    ready: unreadyFor().length === 0,
    live: true,
    storage: await storageView(source),
    ...knownFields({ projectionAgeMs: Number.isFinite(behind) ? behind : null }),
    unknownActions: engine.actions.unknownActions,
    actions: await unknownActions(source),
  }
}

async function unknownActions({ engine, actions }: ServiceSource): Promise<v2.Action[]> {
  const unknown = engine.actions.firstUnknown(v2.limits.stateActions)
  // The store may be what is failing: what it keeps with actions is then unknown, but the actions are not.
  return actions.views(unknown).catch(() => unknown.map((action) => actions.alone(action)))
}

async function storageView({ engine, store, storage, problems, storageFormat }: ServiceSource) {
  // The store may be what is failing: its usage is then unknown, but everything else is still reported.
  const usage = await store.usage().catch(() => null)
  const isOnDisk = store.mode !== 'memory'
  const { position } = engine.commits
  return {
    available: storage.error === null,
    mode: store.mode,
    commitIndex: position,
    // Readers read the controller's own columns, so the index never lags.
    appliedIndex: position,
    ...knownFields({
      formatVersion: isOnDisk ? storageFormat : null,
      bytes: isOnDisk ? (usage?.bytes ?? null) : null,
      error: [storageTrouble(storage.error), problems()].filter((words) => words !== null).join('; ') || null,
    }),
  }
}

const unreadyWords: Readonly<Record<ReadinessReason, string>> = {
  no_snapshot: 'no snapshot of the fleet has been taken yet',
  empty_snapshot: 'the fleet is empty',
  stale_snapshot: 'the last snapshot of the fleet is too old',
  admission_not_initialized: 'the fleet has not been loaded yet',
  controller_stalled: 'the controller makes no progress',
  storage_unavailable: 'decisions cannot be stored',
  standby: 'this process stands by for the active one',
  files_differ: 'the fleet files are not those of the active process',
}

export function readyView(reasons: readonly ReadinessReason[], nowMs: number): v2.Health {
  const words = reasons.map((reason) => unreadyWords[reason]).join('; ')
  return {
    available: reasons.length === 0,
    ...knownFields({ reason: words === '' ? null : words }),
    generatedAt: timestamp(nowMs),
  }
}

export function configView({ engine, store }: Pick<ServiceSource, 'engine' | 'store'>): v2.RuntimeConfig {
  return {
    storageMode: store.mode,
    historyRetention: formatDuration(retentionMs),
    queueCapacity: engine.figures.queues().pulse.capacity,
    readOnly: false,
    sloWindow,
  }
}

export function versionView(storageFormat: number): v2.Version {
  return { version, runtimeVersion: process.versions.node, storageFormat }
}

export function capabilitiesView(
  { checks, recoveries, notifiers }: DriverShapes,
  kinds: readonly v2.ResourceKind[],
): v2.Capabilities {
  return {
    apiVersions: ['pulseward/v1', v2.apiVersion],
    drivers: {
      check: Object.keys(checks),
      recovery: Object.keys(recoveries),
      notification: Object.keys(notifiers),
    },
    resources: [...kinds],
    patchTypes: [v2.mergePatchMediaType],
  }
}
