// simulation/world.ts: everything around the processes of one simulation that survives them, made from the
// seed: clocks, the fleet that people want, targets, providers, the disk, and the oracle that watches.
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import type { Settings } from '@pulseward/server/internal/config/settings/setting-table.ts'
import { FakeClock } from '../engine/fake-clock.ts'
import { Random } from '../random.ts'
import type { Agenda } from './agenda.ts'
import type { Defect } from './defects.ts'
import { loopTurn, promisesSettled } from './event-loop.ts'
import { FleetChanges } from './fleet-changes.ts'
import { type FleetPlan, firstPlan } from './fleet-plan.ts'
import { Hazard, type Moment } from './hazard.ts'
import { firstOnCall } from './on-call/on-call-changes.ts'
import type { OnCallPlan } from './on-call/on-call-plan.ts'
import { PolicyAssignment } from './on-call/policy-assignment.ts'
import { StagingDisk } from './operations/staging-disk.ts'
import { Oracle } from './oracle/oracle.ts'
import { ProviderMoods } from './provider-moods.ts'
import { withPushJobs } from './pushes/push-jobs.ts'
import { SimulatedDisk } from './simulated-disk.ts'
import type { Tally } from './tally.ts'
import { TargetMoods } from './target-moods.ts'
import { JobTypes, withWorkers } from './workers/job-types.ts'
import { KeyFile } from './writes/key-file.ts'

export interface World {
  readonly clock: FakeClock
  readonly targets: TargetMoods
  readonly providers: ProviderMoods
  readonly disk: SimulatedDisk
  readonly hazard: Hazard
  readonly oracle: Oracle
  readonly settings: Settings
  readonly defect: Defect | null
  readonly tally: Tally
  /** Whether resources are also written through v2. */
  readonly hasWrites: boolean
  /** Whether some monitors report by themselves. */
  readonly hasPushes: boolean
  /** The job types of external workers, and which workers may call; null if there are none. */
  readonly external: External | null
  /** A write that is on disk is about to be applied to the fleet. */
  readonly applying: (take: () => void, writes: number) => void
  /** The staged items of operations; null if there are none. */
  readonly staging: StagingDisk | null
  /** Of credentials. */
  readonly keyFile: KeyFile
  /** Resolves in simulated time. */
  readonly wait: (ms: number) => Promise<void>
  /** Resolves when the service has done everything that it can do at this moment. */
  readonly settled: () => Promise<void>
  /** People, schedules and policies; null if there are none. */
  readonly onCall: OnCallFiles | null
  /** The fleet files without them, as they are at first. */
  readonly files: FleetPlan
  /** The content of the fleet files. */
  plan: FleetPlan
  /** The running fleet: files and resources. */
  inForce: FleetPlan
}

interface OnCallFiles {
  plan: OnCallPlan
  readonly assignment: PolicyAssignment
  readonly random: Random
}

interface External {
  readonly jobTypes: JobTypes
  /** Principals whose tokens are revoked. */
  readonly revoked: Set<string>
}

export interface WorldOptions
  extends Pick<World, 'defect' | 'tally' | 'hasWrites' | 'hasPushes' | 'applying'> {
  readonly seed: number
  readonly monitors: number
  readonly hasOperations: boolean
  readonly hasWorkers: boolean
  readonly hasPolicies: boolean
  readonly random: Random
  readonly agenda: Agenda
  readonly crash: (moment: Moment) => void
}

/** Draws in a fixed order: any other order would change the course of every seed. */
export function makeWorld(options: WorldOptions): { readonly world: World; readonly changes: FleetChanges } {
  const { seed, monitors, defect, tally, hasWrites, hasOperations, hasWorkers, applying } = options
  const { hasPolicies, hasPushes } = options
  const { random, agenda } = options
  const external = hasWorkers ? { jobTypes: new JobTypes(), revoked: new Set<string>() } : null
  const clock = new FakeClock({
    monotonicMs: 0,
    // Where there are schedules, the clocks of Europe are put forward in the simulated days.
    wallMs:
      Date.UTC(2026, ...(hasPolicies ? ([2, 28] as const) : ([0, 1] as const))) + random.whole(0, 86_400_000),
  })
  const drawn = firstPlan(monitors, random.fork())
  const checked = hasWorkers ? withWorkers(drawn) : drawn
  const files = hasPushes ? withPushJobs(checked) : checked
  const onCall = hasPolicies ? onCallFiles(seed, clock) : null
  const plan = onCall === null ? files : onCall.assignment.assign(files, onCall.plan)
  const changes = new FleetChanges(files, random.fork())
  const targets = new TargetMoods(random.fork())
  const providers = new ProviderMoods(random.fork())
  const hazard = new Hazard(options.crash)
  const budget = random.whole(1, 4)
  const { values } = resolveSettings({ flags: new Map(), environment: {}, file: null })
  const oracle = new Oracle({
    clock,
    plan,
    random: random.fork(),
    tally,
    seed,
    revoked: external?.revoked ?? new Set(),
    limits: { interventionsPerMinute: budget, cooldownMs: 300_000 },
    stories: { store: () => disk.store, change: defect?.story ?? ((events) => events) },
    explanations: { store: () => disk.store, change: defect?.explained ?? ((explanation) => explanation) },
    readPage: (query) => disk.store.readEvents(defect?.readsOn ? { ...query, upTo: Infinity } : query),
  })
  const disk = new SimulatedDisk({
    clock,
    hazard,
    random: random.fork(),
    witness: oracle,
    faults: defect?.disk ?? {},
  })
  const world = {
    ...{
      clock,
      targets,
      providers,
      disk,
      hazard,
      oracle,
      defect,
      tally,
      hasWrites,
      hasPushes,
      applying,
      external,
    },
    settings: { ...values, 'recovery.budget_per_minute': budget * (defect?.budgetTimes ?? 1) },
    staging: hasOperations ? new StagingDisk(disk.store) : null,
    keyFile: new KeyFile(),
    wait: (ms: number) => new Promise<void>((resolve) => agenda.at(clock.trueMs + Math.max(1, ms), resolve)),
    // Operations wait for the event loop; everything else continues by promises alone.
    settled: hasOperations ? loopTurn : promisesSettled,
    onCall,
    files,
    plan,
    inForce: plan,
  }
  return { world, changes }
}

/** From a separate random stream, so that seeds without policies keep their course. */
function onCallFiles(seed: number, clock: FakeClock): OnCallFiles {
  const random = new Random(seed + 0x0ca11)
  return { plan: firstOnCall(random, clock.wallMs()), assignment: new PolicyAssignment(), random }
}
