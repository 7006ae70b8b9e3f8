// failover/failover-run.ts: three services on one PostgreSQL under random faults, with a fleet that fails and recovers all
// the time. Afterwards everything comes to rest, and the history is compared with what the providers received: every
// effect once, every incident told, nothing lost, and no commit of a process after another one had taken over.
import { setTimeout as after } from 'node:timers/promises'
import type { HistoryEvent } from '@pulseward/contract'
import * as audit from '../crash/audit.ts'
import { type CrashMonitor, crashFleet, crashMonitors } from '../crash/crash-fleet.ts'
import { CrashReceivers } from '../crash/crash-receivers.ts'
import { CrashTargets } from '../crash/crash-targets.ts'
import { RecoveryWitness } from '../crash/recovery-witness.ts'
import { Random } from '../random.ts'
import type { PostgresPlace } from '../servers/postgres-place.ts'
import type { RunningPostgresql } from '../servers/postgresql.ts'
import { drawFault, strike } from './faults.ts'
import { SharedProcess } from './shared-process.ts'

export interface FailoverPlan {
  readonly faults: number
  readonly monitors: number
  readonly seed: number
  readonly database: RunningPostgresql
  readonly place: PostgresPlace
  /** The URL of the place by another port. */
  readonly storeBy: (port: number) => string
  readonly folder: { path(name: string): string; write(name: string, content: string): string }
  readonly onFault: (words: string) => void
}

export interface FailoverReport {
  readonly faults: number
  readonly takeovers: number
  readonly fenced: number
  readonly events: number
  readonly incidents: number
  readonly effects: number
  readonly unknownActions: number
  readonly staleCommits: number
  readonly violations: readonly string[]
}

const names = ['one', 'two', 'three']
const pairShare = 0.15
const betweenFaultsMs = [200, 4_000] as const
const lookEveryMs = 100

export async function runFailover(plan: FailoverPlan): Promise<FailoverReport> {
  const random = new Random(plan.seed)
  await using targets = await CrashTargets.start(random.fork())
  await using receivers = await CrashReceivers.start(random.fork())
  const monitors = new Map(crashMonitors(plan.monitors).map((monitor) => [monitor.id, monitor]))
  const recoveries = new RecoveryWitness(monitors, (monitorId, sinceMs) =>
    targets.successesSince(monitorId, sinceMs),
  )
  receivers.onRecovery = (monitorId, decidedMs) => {
    recoveries.called(monitorId, decidedMs)
    if (random.chance(0.6)) targets.mend(monitorId)
  }
  const urls = { targets: targets.url, receivers: receivers.url }
  const fleet = plan.folder.write('fleet.json', crashFleet([...monitors.values()], urls))
  await using owned = new AsyncDisposableStack()
  const processes: SharedProcess[] = []
  for (const name of names) {
    const data = plan.folder.path(name)
    const { database, storeBy } = plan
    processes.push(
      owned.use(await SharedProcess.start({ name, fleet, data, database: database.port, storeBy })),
    )
    // The first one makes the tables.
    if (processes.length === 1) await activeOf(processes)
  }
  await watchForStaleCommits(plan.place)
  await strikeAgainAndAgain(plan, processes, random)
  targets.calmDown()
  receivers.calmDown()
  const history = await historyAtRest(processes)
  const receipts = [...receivers.receipts]
  // For whoever looks for the cause of a violation.
  plan.folder.write('history.json', JSON.stringify(history, null, 1))
  plan.folder.write('receipts.json', JSON.stringify(receipts, null, 1))
  const staleCommits = await countStaleCommits(plan.place)
  const [{ takeovers }] = (await plan.place.run<{ takeovers: number }>('SELECT takeovers FROM head')) as [
    { takeovers: number },
  ]
  return {
    faults: plan.faults,
    takeovers,
    fenced: processes.reduce((sum, { fencedCount }) => sum + fencedCount, 0),
    events: history.length,
    incidents: history.filter(({ type }) => type === 'incident_opened').length,
    effects: receipts.length,
    unknownActions: history.filter(({ type }) => type === 'action_unknown').length,
    staleCommits,
    violations: [
      ...(staleCommits === 0 ? [] : [`${staleCommits} commits of a process that was fenced`]),
      ...judge(history, receipts, monitors),
      ...recoveries.violations,
    ],
  }
}

function judge(
  history: readonly HistoryEvent[],
  receipts: CrashReceivers['receipts'],
  monitors: ReadonlyMap<string, CrashMonitor>,
): string[] {
  return [
    ...audit.missingEvents(history),
    ...audit.disorderedIncidents(history),
    ...audit.disorderedActions(history),
    ...audit.unfoundedCalls(history, receipts),
    ...audit.untoldIncidents(history, monitors),
    ...audit.openAfterRestart(history, history),
  ]
}

async function strikeAgainAndAgain(
  { faults, database, onFault }: FailoverPlan,
  processes: readonly SharedProcess[],
  random: Random,
): Promise<void> {
  await allServe(processes)
  for (let number = 1; number <= faults; ) {
    const active = await activeOf(processes)
    await after(random.between(...betweenFaultsMs))
    const count = random.chance(pairShare) && number < faults ? 2 : 1
    const drawn = Array.from({ length: count }, () => ({
      // Mostly the active one: what happens to the others is seldom of interest.
      process: random.chance(0.7) ? active : random.pick(processes),
      name: drawFault(random),
    }))
    const at = new Date().toISOString()
    onFault(
      `${at} ${number}: ${drawn.map(({ name, process }) => `${name} of ${process.name}`).join(' and ')}`,
    )
    await Promise.all(drawn.map(({ name, process }) => strike(name, { process, database, random })))
    number += count
  }
}

/** One that never served would be taken for one that cannot, if the first fault met it during its start. */
async function allServe(processes: readonly SharedProcess[]): Promise<void> {
  for (;;) {
    requireStarts(processes)
    const roles = await Promise.all(processes.map((process) => process.role()))
    if (!roles.includes('none')) return
    await after(lookEveryMs)
  }
}

function requireStarts(processes: readonly SharedProcess[]): void {
  const { refusal } = processes.find((process) => process.refusal !== null) ?? { refusal: null }
  if (refusal !== null) throw new Error(`a service refused to start: ${refusal}`)
}

/** Waits until one process says that it is ready. */
export async function activeOf(processes: readonly SharedProcess[]): Promise<SharedProcess> {
  for (;;) {
    requireStarts(processes)
    const roles = await Promise.all(processes.map((process) => process.role()))
    const place = roles.indexOf('active')
    if (place !== -1) return processes[place]!
    await after(lookEveryMs)
  }
}

/** When every incident is closed and nothing more is to be sent. */
async function historyAtRest(processes: readonly SharedProcess[]): Promise<readonly HistoryEvent[]> {
  for (let before = -1; ; ) {
    const active = await activeOf(processes)
    const open = await active.openIncidents().catch(() => null)
    const history = open === 0 ? await active.history().catch(() => null) : null
    if (history !== null && history.length === before) return history
    before = history?.length ?? -1
    // Longer than any cooldown, pacing or repetition of a message here.
    await after(5_000)
  }
}

/** Counts in the database itself, because a stale commit would say nothing of it. */
async function watchForStaleCommits(place: PostgresPlace): Promise<void> {
  await place.run(`
    CREATE TABLE stale_commit (run text NOT NULL);
    CREATE FUNCTION note_stale_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF OLD.fenced_by IS NOT NULL AND NEW.batch <> OLD.batch THEN INSERT INTO stale_commit VALUES (OLD.run); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER note_stale_commit BEFORE UPDATE ON run FOR EACH ROW EXECUTE FUNCTION note_stale_commit()`)
}

async function countStaleCommits(place: PostgresPlace): Promise<number> {
  const [{ count }] = (await place.run<{ count: number }>('SELECT count(*) AS count FROM stale_commit')) as [
    { count: number },
  ]
  return count
}
