// editions/edition.ts: what an edition is: its store, read model, readiness rule and routes. An edition is
// chosen once, by name, in choose-edition.ts; no other code asks which one runs.
import type { PrincipalSource } from '../access/principal-source.ts'
import type { SessionStore } from '../access/session-store.ts'
import type { Route } from '../api/route.ts'
import type { V2Options } from '../api/v2/serve-v2.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { ExternalJobs } from '../external-workers/external-jobs.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { LoadedArrangement } from '../fleet/load-arrangement.ts'
import type { LastReload } from '../fleet/reloader.ts'
import type { RemoteProbes } from '../locations/remote-probes.ts'
import type { Managing, ManagingOptions } from '../managing/managing.ts'
import type { Clock } from '../platform/clock.ts'
import type { Network } from '../platform/network/network.ts'
import type { FleetQueries } from '../projection/query/fleet-queries.ts'
import type { Staleness } from '../projection/staleness.ts'
import type { StatusPages } from '../status-pages/status-pages.ts'
import type { Standing } from '../store/standing.ts'
import type { StorageGuard } from '../store/storage-guard.ts'
import type { Recovered, Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { LoopLagMeter } from '../telemetry/loop-lag.ts'
import type { Progress } from '../telemetry/progress.ts'
import type { SignalCounts } from '../telemetry/signal-counts.ts'

/** Who may use the service, and who is signed in, of a store that several machines share. */
export interface OpenedAccess {
  /** Null if a setting names a file of principals. */
  readonly principals: PrincipalSource | null
  readonly sessions: SessionStore
}

/** Where the service keeps its decisions. */
export interface OpenedStore {
  readonly committing: Pick<Store, 'commit' | 'liveness'>
  /** For reading back; null if nothing is kept. */
  readonly store: Store | null
  /** What the previous process left; null if nothing is kept. */
  readonly recovered: Recovered | null
  /** Where the data is, in words for the start banner. */
  readonly place: string
  /** Who may use the service, if the store has that; absent if files of this machine have it. */
  readonly access?: OpenedAccess
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
  /** The resources managed through v2; null if v2 is not served. */
  readonly managing: Managing | null
  /** The jobs of workers outside the service; null if v2 is not served. */
  readonly external: ExternalJobs | null
  /** The probes at other locations. */
  readonly remote: RemoteProbes
  readonly loopLag: LoopLagMeter
  readonly opened: OpenedStore
  readonly storage: StorageGuard
  readonly log: Log
  /** Whether a token is needed. */
  readonly authentication: boolean
  readonly startedAtMs: number
  /** The result of the last reading of the fleet files. */
  readonly lastReload: () => LastReload
  /** The networks of this thread: with the policy for checks, and with that for everything else. */
  readonly checkNetwork: Network
  readonly outbound: Network
  /** The number of threads that run checks. */
  readonly probeThreads: () => number
  /** What became of the signals of jobs that report by themselves. */
  readonly signalCounts: SignalCounts
}

export interface Service {
  readonly routes: readonly Route[]
  /** Absent if v2 is not served. */
  readonly v2?: V2Options
  /** Absent if status pages are not served. */
  readonly statusPages?: StatusPages
  isReady(): boolean
  /** Runs lists and searches over the fleet. */
  readonly queries: FleetQueries
  /** These rows were added, removed or changed. Null: the whole fleet was replaced. */
  fleetChanged(amended: Uint32Array | null): void
  /** The same monitors have moved in memory. */
  fleetMoved(): void
  /** The listener is open at this URL. The returned value is disposed before the listener closes. */
  listening?(url: string): Disposable | AsyncDisposable | null
  /** A one-time link to the page of the listener at this URL, for whoever started the service; null if there can be none. */
  signInUrl?(url: string): string | null
  /** Called once per second while the service runs. */
  everySecond?(): void
  /** Starts the edition's own background work, once the listener is open. */
  start(): void
  [Symbol.asyncDispose](): Promise<void>
}

export interface AdoptionOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly opened: OpenedStore
  /** The content of the files. */
  readonly loaded: LoadedArrangement
  readonly clock: Clock
  readonly log: Log
}

export interface Edition {
  /** The data directory; null if nothing outlives the process. */
  dataDirectory(settings: Settings): string | null
  /** `standing`: for a store that other processes share; null for any other. */
  openStore(settings: Settings, clock: Clock, log: Log, standing: Standing | null): Promise<OpenedStore>
  /** Opens the resources managed through v2; absent if v2 is not served. */
  openManaging?(options: Omit<ManagingOptions, 'drivers'>): Promise<Managing>
  /** Moves everything in the fleet files under the management of v2; absent if v2 is not served. */
  adopt?(options: AdoptionOptions): Promise<OpenedStore>
  build(foundation: Foundation): Service
}

/** A service is ready up to this long without progress, and up to this age of its snapshot. */
export const freshForMs = 30_000

/** A stalled controller admits nothing, so what it shows dates from its last turn. */
export function stalledSince({ ageMs, atMs }: Progress): Staleness | null {
  return ageMs > freshForMs ? { sinceMs: atMs, reason: 'controller_stalled' } : null
}
