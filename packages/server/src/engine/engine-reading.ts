// engine/engine-reading.ts: everything that the projection, the editions and the routes may read from a
// running engine. Nothing here can change it.

import type { ActionCounts } from '../acting/action-flow.ts'
import type { LastCheck } from '../checking/last-checks.ts'
import type { Audience } from '../deciding/actions/audience.ts'
import type { LedgerView } from '../deciding/actions/ledger-view.ts'
import type { Ancestors } from '../deciding/health/ancestors.ts'
import type { Health, HealthRules, Instant } from '../deciding/health/health.ts'
import type { CheckNote } from '../deciding/health-table.ts'
import type { OpenWindow, WindowState } from '../deciding/maintenance-windows.ts'
import type { PagesView } from '../deciding/on-call/escalations.ts'
import type { Revisions } from '../persistence/revisions.ts'
import type { SloReport } from '../slo/slo-window.ts'
import type { CheckCounts } from '../telemetry/check-counts.ts'
import type { EngineFigures } from './engine-figures.ts'
import type { EngineParts } from './engine-parts.ts'
import type { TakenChanges } from './live-changes.ts'
import type { PlacesView, ReportView } from './source.ts'

export class EngineReading {
  readonly figures: EngineFigures
  readonly checkCounts: CheckCounts
  readonly actionCounts: ActionCounts
  readonly actions: LedgerView
  readonly #parts: EngineParts
  readonly #isAdmitting: () => boolean

  constructor(parts: EngineParts, isAdmitting: () => boolean) {
    this.#parts = parts
    this.#isAdmitting = isAdmitting
    this.figures = parts.figures
    this.checkCounts = parts.checkCounts
    this.actionCounts = parts.actions.counts
    this.actions = parts.ledger.view
  }

  /** The fleet is loaded, what the previous process left is restored, and the schedule is armed. */
  get isAdmitting(): boolean {
    return this.#isAdmitting()
  }

  /** How far changes of the configuration are recorded. */
  get revisions(): Pick<Revisions, 'isBehind' | 'written'> {
    return this.#parts.revisions
  }

  now(): Instant {
    return this.#parts.time.now()
  }

  get commits() {
    const { position, change, latency } = this.#parts.journal
    // Every request reads the position; few need the fields that would sort hundreds of latencies.
    return {
      position,
      change,
      get meanMs() {
        return latency.meanMs
      },
      get p99Ms() {
        return latency.p99Ms
      },
    }
  }

  sloReport(): SloReport {
    const { clock, slo } = this.#parts
    return slo.report(clock.monotonicMs(), clock.wallMs())
  }

  healthOf(row: number): Health {
    return this.#parts.health.of(row)
  }

  noteOf(row: number): CheckNote | null {
    return this.#parts.health.noteOf(row)
  }

  /** Newest first; null for a quiet monitor. */
  lastChecksOf(row: number): readonly LastCheck[] | null {
    return this.#parts.lastChecks.of(row, this.#parts.fleet.idOf(row))
  }

  rulesOf(row: number): HealthRules {
    return this.#parts.rules.of(row)
  }

  /** The escalation policy of the monitor; null if it has none. */
  escalationPolicyOf(row: number): string | null {
    return this.#parts.decider.routing.policyOf(row)
  }

  /** The pages of policies that have not ended. */
  get pages(): PagesView {
    return this.#parts.escalations
  }

  audienceOf(row: number): Audience {
    return this.#parts.decider.routing.audienceOf(row)
  }

  /** Whether a route would tell somebody that a monitor with these has failed. */
  routeTells(labels: Readonly<Record<string, string>>, tags: readonly string[]): boolean {
    return this.#parts.decider.routing.routeTells(labels, tags)
  }

  /** How many enabled monitors tell nobody when they fail. Brings the column that says which up to date. */
  countSilent(): number {
    return this.#parts.silent.count()
  }

  ancestorsOf(row: number, firstFailureAt: Instant): Ancestors {
    return this.#parts.dependencies.ancestorsOf(row, firstFailureAt, this.now())
  }

  windowOf(row: number): WindowState {
    return this.#parts.maintenance.stateOf(row)
  }

  /** Based on the monitor's current windows, whatever it had at the time; null if there are too many to list. */
  windowsBetween(row: number, fromMs: Instant, toMs: Instant): readonly OpenWindow[] | null {
    return this.#parts.maintenance.windowsBetween(row, fromMs, toMs)
  }

  /** By the monotonic clock; null if no check is scheduled. */
  nextCheckMs(row: number): number | null {
    return this.#parts.checks.scheduler.nextDueMs(row)
  }

  get checksPerSecond(): number {
    return this.#parts.checks.scheduler.checksPerSecond
  }

  /** Whether trends are also counted in cells of five minutes and of a minute. */
  get countsFiveMinutes(): boolean {
    return this.#parts.trendCells.levels.fiveMinutes !== null
  }

  /** How late the next check to start is. */
  get checkDelayMs(): number {
    return this.#parts.checks.delayMs
  }

  /** What is known of a monitor that reports by itself; null for any other. */
  reportOf(row: number): ReportView | null {
    for (const source of this.#parts.sources) {
      const report = source.reportOf?.(row) ?? null
      if (report !== null) return report
    }
    return null
  }

  /** What single places said of a monitor that is checked at other places; null for any other. */
  placesOf(row: number): PlacesView | null {
    for (const source of this.#parts.sources) {
      const places = source.placesOf?.(row) ?? null
      if (places !== null) return places
    }
    return null
  }

  /** How many monitors each ancestor suppresses. */
  suppressedBy(): ReadonlyMap<string, number> {
    return this.#parts.health.suppressedBy()
  }

  /** -1 if no monitor of the fleet has the number. */
  rowOf(numericId: number): number {
    return this.#parts.identities.rowOf(numericId)
  }

  /** Also known for a monitor that has left the fleet; undefined if there never was one. */
  revisionOf(monitorId: string, row: number): number | undefined {
    const { identities } = this.#parts
    return row >= 0 ? identities.revisionOf(row) : identities.departed(monitorId)?.revision
  }

  /** Changes are collected only while they are watched. */
  watchChanges(isWatched: boolean): void {
    this.#parts.changes.isWatched = isWatched
    this.#parts.changes.take()
  }

  takeChanges(): TakenChanges {
    return this.#parts.changes.take()
  }
}
