// failover/takeover-time.ts: how long nobody checks: from the kill of the active process, and from a graceful stop, to the
// first check of the next one.
import { setTimeout as after } from 'node:timers/promises'
import { crashFleet, crashMonitors } from '../crash/crash-fleet.ts'
import { CrashReceivers } from '../crash/crash-receivers.ts'
import { CrashTargets } from '../crash/crash-targets.ts'
import { Random } from '../random.ts'
import type { RunningPostgresql } from '../servers/postgresql.ts'
import { activeOf } from './failover-run.ts'
import { SharedProcess } from './shared-process.ts'

export interface TakeoverPlan {
  readonly monitors: number
  readonly database: RunningPostgresql
  readonly storeBy: (port: number) => string
  readonly folder: { path(name: string): string; write(name: string, content: string): string }
}

export interface TakeoverTimes {
  readonly monitors: number
  readonly killToFirstCheckMs: number
  readonly stopToFirstCheckMs: number
}

const lookEveryMs = 20
/** Checks that the old process has sent arrive within this time. */
const stragglersMs = 300

export async function measureTakeover({
  monitors,
  database,
  storeBy,
  folder,
}: TakeoverPlan): Promise<TakeoverTimes> {
  const random = new Random(1)
  await using targets = await CrashTargets.start(random.fork())
  await using receivers = await CrashReceivers.start(random.fork())
  targets.calmDown()
  const urls = { targets: targets.url, receivers: receivers.url }
  const fleet = folder.write('measured.json', crashFleet(crashMonitors(monitors), urls, '30s'))
  await using owned = new AsyncDisposableStack()
  const start = async (name: string) =>
    owned.use(
      await SharedProcess.start({ name, fleet, data: folder.path(name), database: database.port, storeBy }),
    )
  const first = await start('measured-one')
  await activeOf([first])
  const second = await start('measured-two')
  const bySignal = async (from: SharedProcess, to: SharedProcess, signal: NodeJS.Signals) => {
    while ((await to.role()) !== 'standby') await after(lookEveryMs)
    const began = performance.now()
    from.signal(signal)
    // What the old one checks until it has stopped does not count.
    while ((await from.role()) === 'active') await after(lookEveryMs)
    await after(stragglersMs)
    const gone = performance.now()
    while (targets.checkedAtMs < gone) await after(lookEveryMs)
    return targets.checkedAtMs - began
  }
  const killToFirstCheckMs = await bySignal(first, second, 'SIGKILL')
  await activeOf([second])
  const stopToFirstCheckMs = await bySignal(second, first, 'SIGTERM')
  return { monitors, killToFirstCheckMs, stopToFirstCheckMs }
}
