// main.ts: runs the service from start to stop: starts the app, prints its address, turns signals into a
// reload or a stop, and notifies systemd. Signals within a second of the first count once; a later one ends
// the process at once. With JSON logs there is no banner, so that programs get JSON lines and nothing else.
import { flushCompileCache } from 'node:module'
import { type App, type AppOptions, startApp } from './app.ts'
import type { ResolvedSettings } from './config/settings/resolve-settings.ts'
import type { Settings } from './config/settings/setting-table.ts'
import { storePlaceConcern } from './config/settings/store-place.ts'
import { readToken } from './config/settings/token.ts'
import { systemClock } from './platform/clock.ts'
import { giveBackMemory, HeapKeeper } from './platform/give-back-memory.ts'
import { letThreadsChooseTheirNursery } from './platform/nursery.ts'
import { ServiceManager } from './platform/service-manager.ts'
import { trimAllocator } from './platform/trim-allocator.ts'
import { version } from './platform/version.ts'
import { counted } from './platform/wording.ts'
import { createLog, type Log } from './telemetry/log.ts'

const oneSignalMs = 1000
/** The same code as for commands that the store refuses. A service manager then restarts the service. */
const fencedExitCode = 3

export interface Prepared {
  readonly settings: Partial<Settings>
  /** Lines that the start adds to what it prints. */
  readonly lines: readonly (readonly [name: string, text: string])[]
}

/** Opens what the service depends on, and returns what follows from it. What it owns closes after the service. */
export type Prepare = (owned: AsyncDisposableStack) => Promise<Prepared>

export interface ServeOptions {
  readonly prepare?: Prepare
  /** Moves everything in the fleet files under the management of v2. */
  readonly adopts?: boolean
}

/** By then, garbage of the start has been collected. */
const trimAfterMs = 60_000

/** Runs until a signal stops it. */
export async function serve(
  resolved: ResolvedSettings,
  environment: NodeJS.ProcessEnv,
  { prepare = async () => ({ settings: {}, lines: [] }), adopts = false }: ServeOptions = {},
): Promise<void> {
  const { values } = resolved
  letThreadsChooseTheirNursery()
  const log = await createLog({ level: values['log.level'], format: values['log.format'] })
  const token = readToken(values.token_file, environment, (message) => log.warn(message))
  const concern = storePlaceConcern(resolved)
  if (concern !== null) {
    log.warn(concern)
    // In place of the words of the command line, from now on.
    process.title = 'pulseward serve'
  }
  // Registered before anything is opened, so that an early signal still unwinds and an early reload does no harm.
  const stop = awaitStop(log)
  let isReloadAsked = false
  let reload = () => {
    isReloadAsked = true
  }
  process.on('SIGHUP', () => reload())
  const manager = await ServiceManager.connect(environment, (message) => log.warn(message))
  await using owned = new AsyncDisposableStack()
  const prepared = await prepare(owned)
  const settings = { ...values, ...prepared.settings }
  let heap: HeapKeeper | null = null
  const everySecond = () => {
    const now = performance.now()
    heap?.look(now)
    manager?.lives(now)
  }
  await using app = await startUnlessStopped(stop, {
    settings,
    token,
    environment,
    clock: systemClock,
    log,
    adopts,
    everySecond,
    onFenced: () => process.exit(fencedExitCode),
    onStandby(standby) {
      reload = () => void (manager === null ? standby.reload() : manager.whileReloading(standby.reload))
      if (isReloadAsked) reload()
      manager?.ready()
    },
  })
  if (app === null) return log.info('the service stopped; it was standing by')
  reload = () => void (manager === null ? app.reload() : manager.whileReloading(() => app.reload()))
  manager?.ready()
  if (settings['log.format'] !== 'json') process.stdout.write(banner(app, settings.edition, prepared.lines))
  const { url, monitors, storeMode: store } = app
  log.info({ listen: url, edition: settings.edition, monitors, store, version }, 'the service started')
  const startedMs = performance.now()
  // Now and not only at exit, so that the next start is faster and smaller even after a kill.
  flushCompileCache()
  giveBackMemory()
  setTimeout(() => void trimAllocator(), trimAfterMs).unref()
  heap = new HeapKeeper(performance.now())
  const signal = await stop
  manager?.stopping()
  const stoppedMs = performance.now()
  log.info({ signal, ranForSeconds: Math.round((stoppedMs - startedMs) / 1000) }, 'the service stops')
  await app[Symbol.asyncDispose]()
  log.info({ signal, tookMs: Math.round(performance.now() - stoppedMs) }, 'the service stopped')
}

function banner(app: App, edition: string, more: Prepared['lines']): string {
  // Only for eyes: what goes into a file or a pipe is kept.
  const link = process.stdout.isTTY ? app.signInUrl() : null
  const lines = [
    ['Pulseward', app.url],
    ...(link === null ? [] : [['Sign in', `${link} (once, within ten minutes)`]]),
    ['Edition', edition],
    ['Fleet', counted(app.monitors, 'monitor')],
    ['Data', app.dataPlace],
    ...more,
    ['Stop', 'Ctrl+C'],
  ]
  return lines.map(([name = '', text]) => `${name.padEnd(11)}${text}\n`).join('')
}

/** The reason for which a process ends that never had the store. */
class StoppedWhileStandingBy extends Error {}

/** Null if a signal came while the process stood by for another one. */
async function startUnlessStopped(
  stop: Promise<NodeJS.Signals>,
  options: Omit<AppOptions, 'stopped'>,
): Promise<App | null> {
  const stopped = new AbortController()
  void stop.then((signal) => stopped.abort(new StoppedWhileStandingBy(signal)))
  try {
    return await startApp({ ...options, stopped: stopped.signal })
  } catch (error) {
    if (error instanceof StoppedWhileStandingBy) return null
    throw error
  }
}

/** Resolves with the first signal. */
function awaitStop(log: Log): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null
    const onSignal = (signal: NodeJS.Signals) => {
      const now = performance.now()
      if (firstAt === null) {
        firstAt = now
        resolve(signal)
      } else if (now - firstAt > oneSignalMs) {
        log.warn({ signal }, 'the service ends at once, without waiting for what is in flight')
        process.exit(1)
      }
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
