// app.ts: wires the whole service, in the order of the data flow. Every resource is owned as soon as it is
// opened, so that a failure half-way closes everything in reverse order.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FileWatch } from './config/fleet-file/watch-files.ts'
import type { Settings } from './config/settings/setting-table.ts'
import { isSharedStore } from './config/settings/store-place.ts'
import { chooseEdition } from './editions/choose-edition.ts'
import type { Edition } from './editions/edition.ts'
import type { ReloadResult } from './fleet/reloader.ts'
import type { Clock } from './platform/clock.ts'
import type { Store } from './store/store.ts'
import type { Log } from './telemetry/log.ts'
import { begin } from './wiring/begin.ts'
import { openEngine } from './wiring/open-engine.ts'
import { openService, readEntrance } from './wiring/open-service.ts'
import { openState } from './wiring/open-state.ts'
import { StandBy } from './wiring/stand-by.ts'

export interface AppOptions {
  readonly settings: Settings
  readonly token: string | null
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Log
  /** Moves everything in the fleet files under the management of v2. */
  readonly adopts?: boolean
  /** Work of the owner that is done once per second, when the service is awake anyway. */
  readonly everySecond?: () => void
  /**
   * Called when another process has taken over the store: this one starts nothing more, and its owner must exit at once.
   */
  readonly onFenced?: () => void
  /** Called when it is clear that another process has the store, and this one stands by for it. */
  readonly onStandby?: (standby: { readonly reload: () => Promise<void> }) => void
  /** Ends the standing by: the start rejects with the reason. */
  readonly stopped?: AbortSignal
}

export interface App {
  readonly url: string
  /** The second listener, for jobs that report; null if there is none. */
  readonly pushUrl: string | null
  /** The second listener, for status pages; null if there is none. */
  readonly statusUrl: string | null
  readonly monitors: number
  readonly dataPlace: string
  readonly storeMode: Store['mode']
  reload(): Promise<ReloadResult>
  /** Makes a one-time link to the page, for whoever started the service; null if there can be none. Never log it. */
  signInUrl(): string | null
  [Symbol.asyncDispose](): Promise<void>
}

export async function startApp(options: AppOptions): Promise<App> {
  const { settings, adopts = false, everySecond = () => {}, onFenced = () => {} } = options
  const { onStandby = () => {}, stopped = new AbortController().signal } = options
  const edition = await chooseEdition(settings.edition)
  const service = { ...options, edition, pageFolder: pageFolder() }
  const entrance = readEntrance(service)
  await using owned = new AsyncDisposableStack()
  const watch = settings.watch ? owned.use(new FileWatch(settings.config)) : null
  await watch?.remember()
  const standBy = isShared(edition, settings)
    ? await StandBy.open(
        {
          ...options,
          identity: entrance.identity,
          servesV2: edition.openManaging !== undefined,
          waits: !adopts,
          stopped,
          onStandby,
          whileStandby: everySecond,
        },
        owned,
      )
    : null
  const state = await openState({ ...options, edition, adopts, standBy }, owned)
  const running = openEngine({ ...options, onFenced }, state, owned)
  const listener = standBy?.listener ?? null
  const served = await openService({ ...service, listener }, entrance, state, running, owned)
  const reloader = await begin({ ...options, watch, everySecond }, { state, running, served }, owned)
  const { fleet, opened } = state
  const started = owned.move()
  return {
    url: served.api.url,
    pushUrl: served.pushApi?.url ?? null,
    statusUrl: served.statusApi?.url ?? null,
    monitors: fleet.counts.total,
    dataPlace: opened.place,
    storeMode: opened.store?.mode ?? 'memory',
    reload: () => reloader.reload(),
    signInUrl: () => served.service.signInUrl?.(served.api.url) ?? null,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Whether other processes may stand by for the store. */
function isShared(edition: Edition, settings: Settings): boolean {
  return edition.dataDirectory(settings) !== null && isSharedStore(settings.store)
}

/** In a package, beside the bundles; in a checkout, where the dashboard is built to. */
function pageFolder(): string {
  const [packaged = '', built = ''] = ['dashboard', '../../dashboard/dist'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return existsSync(packaged) ? packaged : built
}
