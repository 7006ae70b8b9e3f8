// simulation/oracle/model-clock.ts: what time does in the service and in the model. When service time is set the model
// follows, and it must stay close to the wall clock. What the service notices by itself (a window that begins, a repeat
// that is due) is taken from it, because it may choose the tick; another rule checks that it is in time.
import type { ModelMonitor } from '../model/monitor-state.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import type { Expectations } from './expectations.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

const timeOffAtMostMs = 1_100

export interface ModelClockOptions {
  readonly scene: Scene
  readonly model: ReferenceModel
  readonly expectations: Expectations
  readonly findings: Findings
  /** The service may not have applied the changed plan of this monitor yet. */
  readonly isChanging: (monitorId: string) => boolean
  /** Service time was set. */
  readonly moved: (stepMs: number) => void
}

export class ModelClock {
  readonly #options: ModelClockOptions
  #processStartedAt = 0
  #offsetMs = 0

  constructor(options: ModelClockOptions) {
    this.#options = options
  }

  /** In service time, as it is set now. */
  get processStartedAt(): number {
    return this.#processStartedAt
  }

  processStarted(): void {
    const { scene } = this.#options
    this.#processStartedAt = scene.running.parts.time.now()
    this.#offsetMs = this.#processStartedAt - scene.clock.monotonicMs()
  }

  /** A turn notices every jump of the clock, and follows it. */
  check(): void {
    const { scene, findings } = this.#options
    const offMs = Math.abs(scene.running.parts.time.now() - scene.clock.wallMs())
    if (offMs > timeOffAtMostMs)
      findings.note('service time', `service time is ${Math.round(offMs)} ms off the wall clock`)
  }

  follow(): void {
    const { scene, model, moved } = this.#options
    const offsetMs = scene.running.parts.time.now() - scene.clock.monotonicMs()
    const stepMs = offsetMs - this.#offsetMs
    if (stepMs !== 0) {
      model.moveTime(stepMs)
      moved(stepMs)
    }
    this.#processStartedAt += stepMs
    this.#offsetMs = offsetMs
  }

  /** Takes times that the previous process stored only roughly from the service. */
  adoptTimes(): void {
    const { scene, model } = this.#options
    for (const { plan, episode } of model.monitors()) {
      const row = scene.rowOf(plan.id)
      const live = row < 0 ? null : scene.running.parts.health.of(row).episode
      if (episode !== null && live !== null)
        model.adoptTimes(plan.id, {
          firstFailureAt: live.firstFailureAt,
          countsFrom: live.verification?.countsFrom ?? null,
          lastRedAt: live.incident?.lastRedAt ?? null,
        })
    }
  }

  notice(): void {
    for (const [id, row] of this.#options.scene.heldRows()) this.noticeOf(id, row)
  }

  noticeOf(id: string, row: number): void {
    const { scene, model, expectations, isChanging } = this.#options
    const monitor = model.monitor(id)
    if (monitor === undefined || isChanging(id)) return
    const { health } = scene.running.parts
    const isIn = health.isInMaintenance(row)
    if (!monitor.plan.enabled) {
      if (!isIn && monitor.maintenance !== null) model.leaveMaintenance(id)
      return
    }
    if (isIn !== (monitor.maintenance !== null)) expectations.add(id, model.maintenance(id, isIn))
    // Reading the health of a quiet monitor would build it at every turn.
    if (scene.running.fleet.columns.quiet[row] === 1) return
    const incident = health.of(row).episode?.incident ?? null
    if (incident !== null) this.#noticeRepeat(monitor, incident.lastRedAt)
  }

  /** A repeat that joins an open red shows only in the service's time of the last red. */
  #noticeRepeat({ plan, episode }: ModelMonitor, lastRedAt: number): void {
    const { model, expectations, findings } = this.#options
    const incident = episode?.incident ?? null
    if (incident === null || plan.repeatMinutes === null || lastRedAt <= incident.lastRedAt) return
    // A red that is sent as for a new incident is not a repeat.
    if (incident.retell) return
    const dueAt = incident.lastRedAt + plan.repeatMinutes * 60_000
    if (lastRedAt < dueAt - 1)
      findings.note('model', `${plan.id} repeats its red ${dueAt - lastRedAt} ms too early`)
    expectations.add(plan.id, model.repeat(plan.id))
  }
}
