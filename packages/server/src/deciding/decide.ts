// deciding/decide.ts: what follows from one input. Health and the ledger answer each other: a failed check
// queues an intervention, its outcome opens an incident, the incident queues notifications. decide() runs
// that exchange to its end and returns all of it as one decision. No I/O, no clock: it changes only the
// health table, the ledger and the columns, and the same inputs always give the same decisions.
import { codeNumber, noCode } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { Action, Review } from './actions/action.ts'
import type { Room } from './actions/action-queues.ts'
import type { Destination } from './actions/destination.ts'
import type { InterventionGuard } from './actions/intervention-queue.ts'
import type { Ledger } from './actions/ledger.ts'
import type { HealthReport, LedgerDecision } from './actions/ledger-decision.ts'
import type { LedgerSettings } from './actions/ledger-parts.ts'
import type { LedgerRecords } from './actions/restore-ledger.ts'
import { Routing } from './actions/routing.ts'
import { type Decision, DecisionDraft, type IncidentNoted, notedEvent } from './decision.ts'
import type { DependencyGraph } from './dependency-graph.ts'
import type { Health, Instant } from './health/health.ts'
import type {
  Asked,
  HealthContext,
  HealthInput,
  IncidentHandledInput,
  MaintenanceBeganInput,
  RecoveryRequestedInput,
  ResultInput,
  SnoozedInput,
} from './health/input.ts'
import type { Color, Step } from './health/step.ts'
import { transition } from './health/transition.ts'
import type { HealthTable } from './health-table.ts'
import type { MonitorRules } from './monitor-rules.ts'
import { type EscalationDecision, nothingEscalated } from './on-call/escalation-decision.ts'
import type { Escalations } from './on-call/escalations.ts'
import type { EscalationRecord } from './on-call/page.ts'

/** Everything that can happen to one monitor. decide() adds what its health may not look up. */
export type MonitorInput =
  | Omit<ResultInput, 'context'>
  | { readonly kind: 'configuration-changed'; readonly check: boolean; readonly recovery: boolean }
  | { readonly kind: 'enabled' | 'disabled' | 'removed' | 'maintenance-ended' | 'snooze-expired' }
  | { readonly kind: 'restarted'; readonly interventionRuns: boolean }
  | Omit<MaintenanceBeganInput, 'context'>
  | { readonly kind: 'ancestor-checked' | 'repeat-due' }
  | MonitorControlInput

/** What people ask of a monitor or its open incident. */
export type MonitorControlInput =
  | SnoozedInput
  | { readonly kind: 'unsnoozed'; readonly asked: Asked }
  | IncidentHandledInput
  | Omit<RecoveryRequestedInput, 'context'>

export type Input =
  | { readonly kind: 'monitor'; readonly row: number; readonly input: MonitorInput }
  /** The answer to a started action. */
  | { readonly kind: 'action-ended'; readonly actionId: string; readonly outcome: ActionOutcome }
  /** A person reviewed an action whose outcome is unknown, conclusively or not. */
  | { readonly kind: 'action-reviewed'; readonly actionId: string; readonly review: Review }
  /** There is room for this many actions: start what may start. */
  | { readonly kind: 'room'; readonly room: Room }
  /** Gives up actions that were tried for too long, and incidents that could not be told for too long. */
  | { readonly kind: 'time-passed' }
  | {
      readonly kind: 'destinations'
      readonly destinations: readonly Destination[]
      readonly settings: LedgerSettings
    }
  /** `row`: -1 if the monitor has left the fleet. */
  | ({ readonly kind: 'incident-noted'; readonly row: number } & IncidentNoted)
  /** A late report by a worker contradicts the review of its action. */
  | { readonly kind: 'review-contradicted'; readonly action: Action; readonly conflict: string }
  /** What the previous process left. */
  | {
      readonly kind: 'records'
      readonly records: LedgerRecords
      readonly escalations: readonly EscalationRecord[]
    }
  /** Steps of pages may be due. */
  | { readonly kind: 'escalations-due' }
  /** The monitor left the fleet while no process was running, so it has no health from which this could follow. */
  | { readonly kind: 'monitor-gone'; readonly monitorId: string }
  | { readonly kind: 'clock-moved'; readonly stepMs: number }

type LedgerInput = Exclude<Input, { kind: 'monitor' | 'incident-noted' | 'escalations-due' }>

export interface DeciderOptions {
  readonly fleet: Fleet
  readonly health: HealthTable
  readonly ledger: Ledger
  readonly escalations: Escalations
  readonly rules: MonitorRules
  readonly dependencies: DependencyGraph
  /** Returns an id that no process has used before. */
  readonly ids: () => string
  /** Equal for monitors whose recoveries act on the same target. */
  readonly recoveryTargetOf: (row: number) => string | null
}

export class Decider {
  readonly #options: DeciderOptions
  /** Rows of the monitors that the ledger keeps something about. */
  readonly #rows = new Map<string, number>()
  #routing: Routing | null = null

  constructor(options: DeciderOptions) {
    this.#options = options
  }

  /** The fleet has a new configuration. */
  fleetChanged(): void {
    this.#routing = new Routing(this.#options.fleet.definition)
  }

  /** The row of a monitor that the ledger keeps something about; -1 if it is no longer in the fleet. */
  rowOf(monitorId: string): number {
    return this.#rows.get(monitorId) ?? -1
  }

  /** The previous process left actions of this monitor. */
  bind(monitorId: string, row: number): void {
    this.#rows.set(monitorId, row)
  }

  /** The monitor leaves the fleet. Actions started for it continue without a row. */
  unbind(monitorId: string, row: number): void {
    if (this.#rows.get(monitorId) === row) this.#rows.delete(monitorId)
  }

  decide(input: Input, now: Instant): Decision {
    const { ledger } = this.#options
    const draft = new DecisionDraft()
    const touched = new Set<string>()
    // Last in, first out: the consequences of a report are decided before the next report of the same decision.
    const reports = this.#first(draft, touched, input, now).toReversed()
    for (let report = reports.pop(); report !== undefined; report = reports.pop()) {
      const row = this.rowOf(report.monitorId)
      if (row < 0) continue
      const more = this.#step(draft, touched, row, this.#healthInput(row, report, now), now)
      reports.push(...more.toReversed())
    }
    for (const { monitorId } of draft.actions) if (monitorId !== null) touched.add(monitorId)
    for (const monitorId of touched) this.#showPending(monitorId)
    return draft.finish(() => ledger.view.destinationRecords())
  }

  /** Throws instead of returning empty routes: what is routed nowhere would never be sent. */
  get routing(): Routing {
    if (this.#routing === null) throw new Error('the fleet has not been loaded yet')
    return this.#routing
  }

  #first(draft: DecisionDraft, touched: Set<string>, input: Input, now: Instant): readonly HealthReport[] {
    if (input.kind === 'monitor')
      return this.#step(draft, touched, input.row, this.#inputOf(input.row, input.input, now), now)
    if (input.kind === 'incident-noted') {
      draft.addEvent(input.row, notedEvent(input, now))
      return []
    }
    // The columns show nothing yet, not even for monitors whose actions the records leave unchanged.
    if (input.kind === 'records') {
      for (const monitorId of this.#rows.keys()) touched.add(monitorId)
      const { escalations } = this.#options
      this.#escalate(draft, escalations.restore(input.escalations, input.records.healths, now), now)
    }
    if (input.kind === 'escalations-due')
      return this.#escalate(draft, this.#options.escalations.due(now), now)
    const reports = this.#take(draft, this.#ask(input, now), now)
    return [...reports, ...this.#escalate(draft, this.#alsoOfPages(input, now), now)]
  }

  /** What an input for the ledger means for pages besides. */
  #alsoOfPages(input: Input, now: Instant): EscalationDecision {
    const { escalations } = this.#options
    if (input.kind === 'monitor-gone') return escalations.monitorGone(input.monitorId, now)
    return input.kind === 'clock-moved' ? escalations.move(input.stepMs, now) : nothingEscalated
  }

  #ask(input: LedgerInput, now: Instant): LedgerDecision {
    const { ledger } = this.#options
    switch (input.kind) {
      case 'action-ended':
        return ledger.ended(input.actionId, input.outcome, now)
      case 'action-reviewed':
        return ledger.review(input.actionId, input.review, now)
      case 'review-contradicted':
        return ledger.contradict(input.action, input.conflict)
      case 'room':
        return ledger.startDue(now, this.#guardAt(now), input.room)
      case 'time-passed':
        return ledger.expire(now)
      case 'destinations':
        return ledger.reconfigure(input.destinations, input.settings, now)
      case 'records':
        return ledger.restore(input.records, now, this.#guardAt(now).targetOf)
      case 'monitor-gone':
        return ledger.monitorGone(input.monitorId, 'removed', now)
      case 'clock-moved':
        return ledger.move(input.stepMs)
    }
  }

  #take(draft: DecisionDraft, decision: LedgerDecision, now: Instant): readonly HealthReport[] {
    const { escalations } = this.#options
    draft.addActions(decision, (monitorId) => this.rowOf(monitorId))
    if (decision.pages.length === 0) return decision.health
    const answered = decision.pages.map((report) =>
      this.#escalate(draft, escalations.answered(report, now), now),
    )
    return [...decision.health, ...answered.flat()]
  }

  /** The ledger sends what the escalation wants, and may answer at once that a destination is gone. */
  #escalate(draft: DecisionDraft, decision: EscalationDecision, now: Instant): readonly HealthReport[] {
    if (decision === nothingEscalated) return []
    const { ledger, fleet } = this.#options
    // A monitor that is about to leave is not in the fleet any more, and has its row until then.
    draft.addEscalation(decision, (monitorId) => this.#rows.get(monitorId) ?? fleet.rowOf(monitorId))
    return decision.orders.flatMap((order) =>
      this.#take(
        draft,
        order.is === 'send'
          ? ledger.sendPage(order, now)
          : ledger.withdrawPage(order.page, order.because, now),
        now,
      ),
    )
  }

  #step(
    draft: DecisionDraft,
    touched: Set<string>,
    row: number,
    { before, input }: { readonly before: Health; readonly input: HealthInput },
    now: Instant,
  ): readonly HealthReport[] {
    const { fleet, health, escalations, rules: rulesOf } = this.#options
    const rules = rulesOf.of(row)
    const step = transition(before, input, rules, now)
    if (step.state === before) return []
    const { stored, wasStored } = health.keep(row, step.state)
    // It was quiet or never checked, and is quiet now: the columns hold its whole state.
    if (!wasStored && stored === null && step.effects.length === 0) return []
    const monitorId = fleet.idOf(row)
    draft.addStep({ row, before, step, stored, rules }, monitorId)
    const reports = this.#applyToLedger(draft, touched, { row, monitorId, before, step }, now)
    const standing = {
      monitorId,
      before,
      after: step.state,
      policy: () => this.routing.policyOf(row),
      severity: () => fleet.notifyOf(row).severity ?? 'critical',
    }
    return [...reports, ...this.#escalate(draft, escalations.follow(standing, now), now)]
  }

  #applyToLedger(
    draft: DecisionDraft,
    touched: Set<string>,
    what: { readonly row: number; readonly monitorId: string; readonly before: Health; readonly step: Step },
    now: Instant,
  ): readonly HealthReport[] {
    const { ledger } = this.#options
    const { row, monitorId, before, step } = what
    if (step.effects.length === 0 && !ledger.concerns(monitorId)) return []
    this.#rows.set(monitorId, row)
    touched.add(monitorId)
    const destinationsOf = (color: Color) => this.routing.destinationsOf(row, color)
    return this.#take(draft, ledger.apply({ monitorId, before, step, destinationsOf }, now), now)
  }

  #inputOf(
    row: number,
    input: MonitorInput,
    now: Instant,
  ): { readonly before: Health; readonly input: HealthInput } {
    const { health, fleet } = this.#options
    const before = health.of(row)
    switch (input.kind) {
      case 'configuration-changed': {
        const checkRevision = fleet.columns.checkRevision[row]!
        const changed = { kind: input.kind, checkRevision, recoveryChanged: input.recovery } as const
        return { before: input.check ? health.beforeCheckChanged(row) : before, input: changed }
      }
      case 'result':
        return { before, input: { ...input, context: this.#contextOf(row, before, input.finishedAt, now) } }
      case 'ancestor-checked':
      case 'repeat-due':
        return { before, input: { kind: input.kind, context: this.#contextOf(row, before, now, now) } }
      case 'maintenance-began':
      case 'restarted':
      case 'recovery-requested':
        return { before, input: { ...input, context: this.#contextOf(row, before, now, now) } }
      case 'enabled':
      case 'disabled':
      case 'removed':
      case 'maintenance-ended':
      case 'snooze-expired':
        return { before, input: { kind: input.kind } }
      default:
        return { before, input }
    }
  }

  #healthInput(row: number, { monitorId: _, ...report }: HealthReport, now: Instant) {
    const before = this.#options.health.of(row)
    const input: HealthInput =
      report.kind === 'action-ended' ? { ...report, context: this.#contextOf(row, before, now, now) } : report
    return { before, input }
  }

  #contextOf(row: number, { episode }: Health, failedAt: Instant, now: Instant): HealthContext {
    const { dependencies, ids } = this.#options
    return {
      ancestors: dependencies.ancestorsOf(row, episode?.firstFailureAt ?? failedAt, now),
      ids: { episode: ids(), incident: ids(), intervention: ids() },
    }
  }

  #guardAt(now: Instant): InterventionGuard {
    const { health, dependencies, recoveryTargetOf } = this.#options
    return {
      holdOf: (monitorId) => {
        const row = this.rowOf(monitorId)
        if (row < 0) return null
        const { maintenance, episode } = health.of(row)
        if (maintenance !== null) return 'maintenance'
        const ancestors = dependencies.ancestorsOf(row, episode?.firstFailureAt ?? now, now)
        return ancestors.kind === 'in-trouble' ? 'ancestor' : null
      },
      targetOf: (monitorId) => {
        const row = this.rowOf(monitorId)
        return (row < 0 ? null : recoveryTargetOf(row)) ?? monitorId
      },
    }
  }

  /** Shows the color that is queued or in flight, and drops the row if the ledger keeps nothing about the monitor. */
  #showPending(monitorId: string): void {
    const { fleet, ledger } = this.#options
    const row = this.rowOf(monitorId)
    if (row < 0) return
    const color = ledger.view.pendingColorOf(monitorId)
    fleet.setCode(row, color === null ? noCode : codeNumber[color])
    if (!ledger.concerns(monitorId)) this.#rows.delete(monitorId)
  }
}
