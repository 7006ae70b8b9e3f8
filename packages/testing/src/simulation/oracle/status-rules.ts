// simulation/oracle/status-rules.ts: compares shown statuses with the results. No monitor is shown as healthy if its last
// result was a failure; plain monitors (no recovery, no parents, no window) are compared exactly, by their thresholds.

import { LiveIndex } from '@pulseward/server/internal/projection/live-index.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import type { PlannedMonitor } from '../fleet-plan.ts'
import type { Findings } from './findings.ts'
import type { MaintenanceModel } from './maintenance-model.ts'
import type { Scene } from './scene.ts'

/** Consecutive results of the present check in this process. Null: a result may or may not count. */
interface Streaks {
  failures: number | null
  successes: number | null
}

export class StatusRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #maintenance: MaintenanceModel
  readonly #streaks = new Map<string, Streaks>()
  /** What a check in flight was started for: the result of another check says nothing. */
  readonly #startedFor = new Map<number, { readonly generation: number; readonly monitor: PlannedMonitor }>()

  constructor(scene: Scene, findings: Findings, maintenance: MaintenanceModel) {
    this.#scene = scene
    this.#findings = findings
    this.#maintenance = maintenance
  }

  processStarted(): void {
    this.#streaks.clear()
    this.#startedFor.clear()
  }

  reloaded(before: ReadonlyMap<string, PlannedMonitor>): void {
    for (const [id, last] of before) {
      const monitor = this.#scene.monitor(id)
      if (monitor?.checkVersion !== last.checkVersion || monitor.enabled !== last.enabled)
        this.#streaks.delete(id)
    }
  }

  /** Results before a snooze say nothing, nor do checks that were in flight when it began. */
  silenced(id: string): void {
    this.#streaks.delete(id)
    this.#startedFor.delete(this.#scene.rowOf(id))
  }

  started({ row, generation, monitorId }: CheckInFlight): void {
    const monitor = this.#scene.monitor(monitorId)
    if (monitor !== undefined) this.#startedFor.set(row, { generation, monitor })
  }

  /** The service has taken the results. */
  taken(checks: readonly CheckInFlight[]): void {
    for (const check of checks) if (this.#isNews(check)) this.#count(check)
    for (const { monitorId } of checks) this.#judge(monitorId)
  }

  /** Reads the fleet as clients see it, even while it is being restored: complete, or not available yet. */
  look(): void {
    const { running, clock, plan } = this.#scene
    const seen = new LiveIndex(running.fleet, clock).overview()
    if (seen.available && seen.value.total !== plan.monitors.size)
      this.#findings.note(
        '6 never shown healthy',
        `${seen.value.total} of ${plan.monitors.size} monitors are shown`,
      )
  }

  #isNews({ row, generation, monitorId }: CheckInFlight): boolean {
    const started = this.#startedFor.get(row)
    const monitor = this.#scene.monitor(monitorId)
    return (
      started?.generation === generation &&
      monitor !== undefined &&
      monitor.enabled &&
      this.#scene.rowOf(monitorId) === row &&
      monitor.checkVersion === started.monitor.checkVersion &&
      monitor.enabled === started.monitor.enabled
    )
  }

  #count({ monitorId, end: { status, isLocal } }: CheckInFlight): void {
    const streaks = this.#streaks.get(monitorId) ?? { failures: null, successes: null }
    this.#streaks.set(monitorId, streaks)
    if (status === 'no_data') return
    if (status === 'success') {
      streaks.failures = 0
      streaks.successes = (streaks.successes ?? 0) + 1
    } else {
      // A possible own fault may count or not.
      if (isLocal) streaks.failures = null
      else if (streaks.failures !== null) streaks.failures++
      streaks.successes = isLocal ? null : 0
    }
  }

  #judge(id: string): void {
    const streaks = this.#streaks.get(id)
    const monitor = this.#scene.monitor(id)
    const status = this.#scene.statusOf(id)
    if (streaks === undefined || monitor === undefined || status === null || !monitor.enabled) return
    const isShownHealthy = status === 'up' || status === 'degraded'
    if (isShownHealthy && (streaks.failures ?? 0) > 0)
      this.#findings.note('6 never shown healthy', `${id} is ${status} and its last check failed`)
    if (!this.#isPlain(monitor)) return
    if ((streaks.failures ?? 0) >= monitor.unhealthyThreshold && status !== 'incident')
      this.#findings.note('thresholds', `${id} has failed ${streaks.failures} times and is ${status}`)
    if ((streaks.successes ?? 0) >= monitor.healthyThreshold && !isShownHealthy)
      this.#findings.note('thresholds', `${id} has succeeded ${streaks.successes} times and is ${status}`)
  }

  #isPlain({ id, recovery, parents }: PlannedMonitor): boolean {
    const { health } = this.#scene.running.parts
    const { intervention, episode } = health.of(this.#scene.rowOf(id))
    const isBeingRecovered = intervention !== null || (episode?.verification ?? null) !== null
    return recovery === null && parents.length === 0 && !isBeingRecovered && this.#maintenance.isSurelyOut(id)
  }
}
