// simulation/fleet-in-force.ts: the fleet that must run: the files, which people change, and what was written through v2.
// Files that clash with resources are refused while a process runs; at a start the clashing entries are skipped.
import type { FleetChanges } from './fleet-changes.ts'
import type { FleetPlan } from './fleet-plan.ts'
import { nextOnCall, settledOnCall } from './on-call/on-call-changes.ts'
import { withPushJobs } from './pushes/push-jobs.ts'
import type { ServiceProcess } from './service-process.ts'
import { count } from './tally.ts'
import { withWorkers } from './workers/job-types.ts'
import type { World } from './world.ts'
import { MergedPlan } from './writes/merged-plan.ts'
import { keyOf } from './writes/wanted.ts'

export class FleetInForce {
  readonly #world: World
  readonly #changes: FleetChanges
  readonly #process: () => ServiceProcess | null
  readonly #merged = new MergedPlan()
  /** The files as last read. */
  #seen: FleetPlan
  /** The files without people and policies. */
  #files: FleetPlan

  constructor(world: World, changes: FleetChanges, process: () => ServiceProcess | null) {
    this.#world = world
    this.#changes = changes
    this.#process = process
    this.#seen = world.plan
    this.#files = world.files
  }

  /** People change something in their files. */
  change(): void {
    const { plan, word } = this.#changes.next(this.#files, this.#world.clock.wallMs())
    count(this.#world.tally.faults, `reload: ${word}`)
    this.#adopt(plan)
  }

  /** People change their schedules or policies. */
  changeOnCall(): void {
    const { onCall, clock, tally } = this.#world
    if (onCall === null) return
    const { plan, word } = nextOnCall(onCall.plan, onCall.random, clock.wallMs())
    count(tally.faults, word)
    onCall.plan = plan
    this.#adopt(this.#files)
  }

  /** Checks every monitor at this interval; null: as configured again. */
  pace(intervalSeconds: number | null): void {
    this.#adopt(this.#changes.paced(this.#files, intervalSeconds))
  }

  /** People clean up their files. */
  settle(): void {
    const { onCall } = this.#world
    if (onCall !== null) onCall.plan = settledOnCall(onCall.plan)
    const files = this.#changes.withoutAll(this.#files, this.#clashing(this.#files))
    this.#adopt(this.#changes.paced(this.#changes.settled(files), null))
  }

  /** A process that is starting or stopping does not read its files. */
  reload(): void {
    const { plan } = this.#world
    const process = this.#process()
    if (plan === this.#seen || (process !== null && !process.isTakenOver)) return
    this.#seen = plan
    if (process !== null && !this.#mayReload(process)) return
    this.#takeFiles()
    this.#want(() => this.#process()?.reload())
  }

  /** A process is about to start with the present files. */
  begin(): void {
    this.#takeFiles()
    this.#want(() => {})
  }

  /** This many writes are on disk; the process applies them to the fleet. */
  apply(take: () => void, writes: number): void {
    this.#world.oracle.resources.apply(writes)
    this.#want(take)
  }

  #adopt(plan: FleetPlan): void {
    const { external, onCall } = this.#world
    const files = external === null ? plan : withWorkers(plan)
    this.#files = this.#world.hasPushes ? withPushJobs(files) : files
    this.#world.plan = onCall === null ? this.#files : onCall.assignment.assign(this.#files, onCall.plan)
    this.reload()
  }

  /** While a process runs, files that define what v2 manages are refused completely. */
  #mayReload(process: ServiceProcess): boolean {
    const { oracle, plan, tally } = this.#world
    const clashing = this.#clashing(plan)
    const takes = process.takesFiles()
    if (takes !== (clashing.length === 0))
      oracle.findings.note(
        'files and resources',
        takes ? `files with ${clashing.join(', ')} of v2 are taken` : 'files without any clash are refused',
      )
    if (!takes) count(tally.faults, 'reload: refused')
    return takes
  }

  /** Monitors of a plan whose ids v2 manages, or is about to. */
  #clashing({ monitors }: FleetPlan): readonly string[] {
    const { resources } = this.#world.oracle
    return [...monitors.keys()].filter((id) => resources.isManaged(keyOf({ kind: 'Monitor', id })))
  }

  /** Takes the files into force; at a start, the clashing entries are skipped. */
  #takeFiles(): void {
    const { oracle, plan } = this.#world
    const clashing = new Set(this.#clashing(plan))
    oracle.resources.files =
      clashing.size === 0
        ? plan
        : { ...plan, monitors: new Map([...plan.monitors].filter(([id]) => !clashing.has(id))) }
  }

  #want(take: () => void): void {
    const { oracle } = this.#world
    const { files, applied } = oracle.resources
    this.#world.inForce = this.#merged.of(files, applied)
    oracle.planned(this.#world.inForce, take)
  }
}
