// simulation/oracle/model-results.ts: passes results of checks to the model. Results that the service drops,
// because the monitor or its check has changed meanwhile, are not passed; where behaviour.md leaves open
// whether a result is our own fault, the model follows the service.
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import type { PlannedMonitor } from '../fleet-plan.ts'
import { OwnFaultModel } from '../model/own-fault-model.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import { count, type Tally } from '../tally.ts'
import type { Expectations } from './expectations.ts'
import type { Scene } from './scene.ts'

/** A worker's result, and which actions had ended before it in the same turn. */
interface ExternalEnd extends CheckInFlight {
  readonly before: ReadonlySet<string>
}

export class ModelResults {
  readonly ownFault = new OwnFaultModel()
  readonly #scene: Scene
  readonly #model: ReferenceModel
  readonly #expectations: Expectations
  readonly #tally: Tally
  readonly #startedFor = new Map<number, { readonly generation: number; readonly monitor: PlannedMonitor }>()
  #results: readonly CheckInFlight[] = []
  /** Of external workers, and of jobs that report: they say nothing about our own network. */
  #external: readonly ExternalEnd[] = []
  #hasReports = false

  constructor(scene: Scene, model: ReferenceModel, expectations: Expectations, tally: Tally) {
    this.#scene = scene
    this.#model = model
    this.#expectations = expectations
    this.#tally = tally
  }

  processStarted(): void {
    this.#startedFor.clear()
    this.ownFault.processStarted()
  }

  processEnded(): void {
    this.#results = []
    this.#external = []
    this.#hasReports = false
  }

  checkStarted({ row, generation, monitorId }: CheckInFlight): void {
    const monitor = this.#scene.monitor(monitorId)
    if (monitor !== undefined) this.#startedFor.set(row, { generation, monitor })
  }

  /** Checks that were in flight when a snooze began are dropped. */
  silenced(monitorId: string): void {
    this.#startedFor.delete(this.#scene.rowOf(monitorId))
  }

  /** The service takes these in its next turn. */
  checksEnding(checks: readonly CheckInFlight[]): void {
    this.#results = [...this.#results, ...checks]
  }

  /** Jobs that have timed out come before anything else in the same turn. before: actions that ended before it. */
  externalEnding(check: CheckInFlight, before: ReadonlySet<string>): void {
    if (this.#isNews(check)) this.#external = [...this.#external, { ...check, before }]
  }

  /** What a job has reported, or its silence: the service passes on what counts. */
  reported(check: CheckInFlight): void {
    this.#external = [...this.#external, { ...check, before: new Set() }]
    this.#hasReports = true
  }

  /** Whether jobs have reported, or fallen silent, since all results were taken. */
  get hasReports(): boolean {
    return this.#hasReports
  }

  /** The service has taken the results, so the model does too. */
  take(): void {
    while (this.takeNext());
    this.#hasReports = false
  }

  /** Takes results up to the second of one job: what follows from the first is shown before it. False if none is left. */
  takeNext(): boolean {
    if (this.#external.length > 0) {
      this.takeExternal()
      if (this.#external.length > 0) return true
    } else if (this.#results.length === 0) return false
    this.#takeChecks()
    return true
  }

  #takeChecks(): void {
    const results = this.#results
    if (results.length === 0) return
    this.#results = []
    const seen = results.map(({ finishedMs, end }) => ({ finishedMs, isLocal: mayBeOurs(end) }))
    this.ownFault.took(seen)
    const { parts } = this.#scene.running
    const now = parts.time.now()
    const nowMs = this.#scene.clock.monotonicMs()
    for (const check of results) {
      const { monitorId, row, startedMs, finishedMs, end } = check
      if (!this.#isNews(check)) continue
      const answer = mayBeOurs(end) ? this.ownFault.judge(startedMs, finishedMs, seen) : 'no'
      const isOwnFault =
        answer === 'either' ? parts.health.of(row).lastOutcome === 'own_fault' : answer === 'yes'
      if (answer !== 'no') count(this.#tally.faults, `model: own fault ${answer}`)
      this.#expectations.add(
        monitorId,
        this.#model.result(monitorId, {
          outcome: isOwnFault ? 'own_fault' : end.status,
          warning: end.warning,
          reason: end.reason,
          startedAt: now - (nowMs - startedMs),
          finishedAt: now - (nowMs - finishedMs),
          finishedMs,
        }),
      )
    }
  }

  /** Takes those that came before the end of this action in the same turn, at most one of each monitor. */
  takeExternal(actionId: string | null = null): void {
    const isDue = ({ before }: ExternalEnd) => actionId === null || !before.has(actionId)
    const results = upToRepeated(this.#external.filter(isDue))
    if (results.length === 0) return
    this.#external = this.#external.filter((one) => !results.includes(one))
    const now = this.#scene.running.parts.time.now()
    const nowMs = this.#scene.clock.monotonicMs()
    for (const check of results) {
      const { monitorId, startedMs, finishedMs, end } = check
      const result = {
        outcome: end.status,
        warning: null,
        ...(end.reason === null ? {} : { reason: end.reason }),
        startedAt: now - (nowMs - startedMs),
        finishedAt: now - (nowMs - finishedMs),
        finishedMs,
      }
      this.#expectations.add(monitorId, this.#model.result(monitorId, result))
    }
  }

  #isNews({ row, generation, monitorId }: CheckInFlight): boolean {
    const started = this.#startedFor.get(row)
    const monitor = this.#model.monitor(monitorId)?.plan
    return (
      started?.generation === generation &&
      monitor !== undefined &&
      monitor.enabled &&
      this.#scene.rowOf(monitorId) === row &&
      monitor.checkVersion === started.monitor.checkVersion
    )
  }
}

/** Those before the second of any monitor. */
function upToRepeated(ends: readonly ExternalEnd[]): readonly ExternalEnd[] {
  const seen = new Set<string>()
  const repeated = ends.findIndex(({ monitorId }) => seen.size === seen.add(monitorId).size)
  return repeated < 0 ? ends : ends.slice(0, repeated)
}

function mayBeOurs(end: CheckInFlight['end']): boolean {
  return end.isLocal && (end.status === 'failure' || end.status === 'timeout')
}
