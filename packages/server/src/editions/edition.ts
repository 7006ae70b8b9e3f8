// editions/edition.ts: what an edition is: which store, which read model, which readiness rule, which routes. An
// edition is chosen once, by name, in choose-edition.ts; nothing else asks which one runs.
import type { Route } from '../api/route.ts'
import type { V2Options } from '../api/v2/serve-v2.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { ExternalJobs } from '../external-workers/external-jobs.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import type { LastReload } from '../fleet/reloader.ts'
import type { Managing, ManagingOptions } from '../managing/managing.ts'
import type { Clock } from '../platform/clock.ts'
import type { FleetQueries } from '../projection/query/fleet-queries.ts'
import type { Staleness } from '../projection/staleness.ts'
import type { StorageGuard } from '../store/storage-guard.ts'
import type { Recovered, Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { LoopLagMeter } from '../telemetry/loop-lag.ts'
import type { Progress } from '../telemetry/progress.ts'

/** What the service is to keep its decisions in. */
export interface OpenedStore {
  readonly committing: Pick<Store, 'commit'>
  /** What can be read back; null when nothing is kept. */
  readonly store: Store | null
  /** What the previous process left; null when nothing is kept. */
  readonly recovered: Recovered | null
  /** In words, for the line that says where data lies. */
  readonly place: string
  [Symbol.asyncDispose](): Promise<void>
}

/** What every edition is built on. */
export interface Foundation {
  readonly settings: Settings
  readonly clock: Clock
  readonly fleet: Fleet
  readonly progress: Progress
  readonly engine: EngineReading
  /** The engine itself, for writes. */
  readonly writing: Engine
  /** What is written through v2; null where v2 is not served. */
  readonly managing: Managing | null
  /** What workers outside the service do; null where v2 is not served. */
  readonly external: ExternalJobs | null
  readonly loopLag: LoopLagMeter
  readonly opened: OpenedStore
  readonly storage: StorageGuard
  readonly log: Log
  /** A token is needed. */
  readonly authentication: boolean
  readonly startedAtMs: number
  /** How the fleet files were last read. */
  readonly lastReload: () => LastReload
  /** Threads that run checks. */
  readonly probeThreads: () => number
}

export interface Service {
  readonly routes: readonly Route[]
  /** Absent where v2 is not served. */
  readonly v2?: V2Options
  isReady(): boolean
  /** Lists and searches of the fleet. */
  readonly queries: FleetQueries
  /** These rows came, left or changed; null: another fleet is in force. */
  fleetChanged(amended: Uint32Array | null): void
  /** The same monitors lie elsewhere in memory. */
  fleetMoved(): void
  /** The listener is open at this URL; what it answers is disposed before the listener closes. */
  listening?(url: string): Disposable | null
  /** Begins whatever the edition does by itself, once the listener is open. */
  start(): void
  [Symbol.asyncDispose](): Promise<void>
}

export interface AdoptionOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly opened: OpenedStore
  /** What the files have. */
  readonly loaded: LoadedArrangement
  readonly clock: Clock
  readonly log: Log
}

export interface Edition {
  /** The data directory; null where nothing outlives the process. */
  dataDirectory(settings: Settings): string | null
  openStore(settings: Settings, clock: Clock, log: Log): Promise<OpenedStore>
  /** Opens what was written through v2; absent where v2 is not served. */
  openManaging?(options: Omit<ManagingOptions, 'drivers'>): Promise<Managing>
  /** Makes everything that fleet files have managed through v2; absent where v2 is not served. */
  adopt?(options: AdoptionOptions): Promise<OpenedStore>
  build(foundation: Foundation): Service
}

/** Longest time without progress, or age of a snapshot, with which a service still counts as ready. */
export const freshForMs = 30_000

/** A controller without progress admits nothing, so that what it shows is of its last turn. */
export function stalledSince({ ageMs, atMs }: Progress): Staleness | null {
  return ageMs > freshForMs ? { sinceMs: atMs, reason: 'controller_stalled' } : null
}
