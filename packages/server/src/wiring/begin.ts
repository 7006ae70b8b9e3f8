// wiring/begin.ts: starts the service: applies the recovered state, then starts the timers. Parts close in
// reverse order: ticks end before the engine stops, and the listener closes after the engine.
import type { FileWatch } from '../config/fleet-file/watch-files.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { startLoop } from '../engine/controller-loop.ts'
import { TimerChain } from '../engine/timer-chain.ts'
import { Compactor } from '../fleet/compactor.ts'
import { Reloader } from '../fleet/reloader.ts'
import { keeperOfFirst } from '../fleet/snapshot/fleet-snapshot-keeper.ts'
import type { Clock } from '../platform/clock.ts'
import { Canaries } from '../self-watch/canaries.ts'
import { DeadMansSwitch } from '../self-watch/dead-mans-switch.ts'
import type { Log } from '../telemetry/log.ts'
import type { OpenedEngine } from './open-engine.ts'
import type { OpenedService } from './open-service.ts'
import type { State } from './open-state.ts'

export interface BeginOptions {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /** Null if files are not watched. */
  readonly watch: FileWatch | null
  /** Work of the owner that is done once per second, when the service is awake anyway. */
  readonly everySecond: () => void
}

interface Opened {
  readonly state: State
  readonly running: OpenedEngine
  readonly served: OpenedService
}

export async function begin(
  options: BeginOptions,
  opened: Opened,
  owned: AsyncDisposableStack,
): Promise<Reloader> {
  const { log, watch } = options
  const { fleet, managing, loaded, inFiles, snapshotPath, reload } = opened.state
  const { engine } = opened.running
  const { service, reloads } = opened.served
  watchOurselves(options, opened.running, owned)
  // Opened before the engine, so closed after it: by then nothing changes any more.
  const snapshots = owned.use(managing?.keepSnapshots(() => engine.reading.commits.change) ?? null)
  const fileSnapshot = inFiles === null ? null : owned.use(keeperOfFirst(snapshotPath, inFiles, fleet, log))
  // Registered after the listener, so stopped before it: while the engine waits for outstanding answers, the
  // API still reports its state.
  owned.defer(() => engine.stop())
  await engine.start(loaded)
  if (service.statusPages === undefined) warnOfPages(opened.state, log)
  service.fleetChanged(null)
  snapshots?.start()
  fileSnapshot?.start()
  letTimePass(options, opened, owned)
  service.start()
  startDeadMansSwitch(options, opened, owned)
  const reloader = new Reloader({
    load: reload,
    apply(reloaded) {
      fileSnapshot?.filesChange()
      service.fleetChanged(engine.applyFleet(managing === null ? reloaded : managing.reloaded(reloaded)))
    },
    record: reloads,
    log,
  })
  watch?.start(() => void reloader.reload())
  return reloader
}

/** They are part of files that every edition reads. */
function warnOfPages({ fleet: { definition } }: State, log: Log): void {
  const pages = definition.statusPages.size + definition.badges.size
  if (pages > 0)
    log.warn({ pages }, 'this edition serves no status pages and badges: start the edition candidate or next')
}

function watchOurselves(
  { settings }: BeginOptions,
  { engine, checkNetwork }: OpenedEngine,
  owned: AsyncDisposableStack,
): void {
  owned.use(
    new Canaries({
      wanted: settings['network.canaries'],
      network: checkNetwork,
      checksPerSecond: () => engine.checksPerSecond,
      read: (canary, passes) => engine.readCanary(canary, passes),
    }),
  )
}

function letTimePass(
  { clock, log, everySecond }: BeginOptions,
  { state, running, served }: Opened,
  owned: AsyncDisposableStack,
): void {
  const { engine } = running
  const { service, progress, loopLag } = served
  const compactor = owned.use(
    new Compactor({
      fleet: state.fleet,
      apply: (compaction, packed) => {
        if (engine.endCompaction(compaction, packed)) service.fleetMoved()
      },
      log,
    }),
  )
  const timers = new TimerChain(clock, (lateMs) => loopLag.note(lateMs))
  owned.use(
    startLoop(engine, timers, () => {
      progress.note()
      compactor.look()
      service.everySecond?.()
      loopLag.observe(clock.monotonicMs())
      everySecond()
    }),
  )
}

function startDeadMansSwitch(
  { settings, log }: BeginOptions,
  { running, served }: Opened,
  owned: AsyncDisposableStack,
): void {
  const url = settings['heartbeat.url']
  if (url === null) return
  const isReady = () => served.service.isReady()
  const everyMs = settings['heartbeat.every']
  owned.use(new DeadMansSwitch({ url, everyMs, network: running.outbound, isReady, log }))
}
