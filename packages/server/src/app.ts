// app.ts: the one place where everything is wired, in the order of the flow. Everything that is opened is owned at
// once, so that a failure half-way closes it again, in reverse order.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FileWatch } from './config/fleet-file/watch-files.ts'
import type { Settings } from './config/settings/setting-table.ts'
import { chooseEdition } from './editions/choose-edition.ts'
import type { ReloadResult } from './fleet/reloader.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './telemetry/log.ts'
import { begin } from './wiring/begin.ts'
import { openEngine } from './wiring/open-engine.ts'
import { openService, readEntrance } from './wiring/open-service.ts'
import { openState } from './wiring/open-state.ts'

export interface AppOptions {
  readonly settings: Settings
  readonly token: string | null
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Log
  /** Everything of the fleet files becomes managed through v2. */
  readonly adopts?: boolean
  /** What the owner has to do in the rhythm of the service, which is awake then. */
  readonly everySecond?: () => void
  /** Another process has taken the store over: this one starts nothing more, and its owner ends it at once. */
  readonly onFenced?: () => void
}

export interface App {
  readonly url: string
  readonly monitors: number
  readonly dataPlace: string
  readonly storeMode: 'sqlite' | 'memory'
  reload(): Promise<ReloadResult>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startApp(options: AppOptions): Promise<App> {
  const { settings, adopts = false, everySecond = () => {}, onFenced = () => {} } = options
  const edition = await chooseEdition(settings.edition)
  const service = { ...options, edition, pageFolder: pageFolder() }
  const entrance = readEntrance(service)
  await using owned = new AsyncDisposableStack()
  const watch = settings.watch ? owned.use(new FileWatch(settings.config)) : null
  await watch?.remember()
  const state = await openState({ ...options, edition, adopts }, owned)
  const running = openEngine({ ...options, onFenced }, state, owned)
  const served = await openService(service, entrance, state, running, owned)
  const reloader = await begin({ ...options, watch, everySecond }, { state, running, served }, owned)
  const { fleet, opened } = state
  const started = owned.move()
  return {
    url: served.api.url,
    monitors: fleet.counts.total,
    dataPlace: opened.place,
    storeMode: opened.store?.mode ?? 'memory',
    reload: () => reloader.reload(),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Beside the bundles in a package; where it is built to in a checkout. */
function pageFolder(): string {
  const [packaged = '', built = ''] = ['dashboard', '../../dashboard/dist'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return existsSync(packaged) ? packaged : built
}
