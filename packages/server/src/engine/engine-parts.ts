// engine/engine-parts.ts: the parts of an engine, in the order of the flow. Only createEngine and tests that
// look inside see them; everything else reads through EngineReading.
import { ActionFlow } from '../acting/action-flow.ts'
import { ActionSources } from '../acting/action-sources.ts'
import { type AckUrl, Messages } from '../acting/messages.ts'
import { RecoveryAccount } from '../acting/recovery-account.ts'
import { CheckFlow } from '../checking/check-flow.ts'
import { LastChecks } from '../checking/last-checks.ts'
import { ResultIntake } from '../checking/result-intake.ts'
import type { Credentials } from '../config/fleet-file/credentials.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { Ledger } from '../deciding/actions/ledger.ts'
import type { LedgerSettings } from '../deciding/actions/ledger-parts.ts'
import { Decider } from '../deciding/decide.ts'
import type { Decision } from '../deciding/decision.ts'
import { DependencyGraph } from '../deciding/dependency-graph.ts'
import { HealthTable } from '../deciding/health-table.ts'
import { MaintenanceWatch } from '../deciding/maintenance-watch.ts'
import { MonitorRules } from '../deciding/monitor-rules.ts'
import { Escalations } from '../deciding/on-call/escalations.ts'
import { Reminders } from '../deciding/reminders.ts'
import { SilentMonitors } from '../deciding/silent-monitors.ts'
import { SnoozeWatch } from '../deciding/snooze-watch.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { Checkpoints } from '../persistence/checkpoints.ts'
import { Identities } from '../persistence/identities.ts'
import { type Committer, Journal } from '../persistence/journal.ts'
import { Revisions } from '../persistence/revisions.ts'
import { TrendRecorder } from '../persistence/trend-recorder.ts'
import type { Clock } from '../platform/clock.ts'
import { ServiceTime } from '../platform/service-time.ts'
import { OwnFaultDetector } from '../self-watch/own-fault.ts'
import type { SloWindow } from '../slo/slo-window.ts'
import { newRetentionClock, type RetentionClock } from '../store/retention-clock.ts'
import type { Recovered } from '../store/store.ts'
import { CheckCounts } from '../telemetry/check-counts.ts'
import type { Log } from '../telemetry/log.ts'
import { type SystemMeter, SystemMeters } from '../telemetry/system-meter.ts'
import { TrendCells } from '../trends/trend-cells.ts'
import { DecisionLog } from './decision-log.ts'
import { EngineFigures } from './engine-figures.ts'
import { ledgerSettings, openSlo, poolBounds, recentActionsMs, sloTargets } from './engine-settings.ts'
import { LiveChanges } from './live-changes.ts'
import type { Source } from './source.ts'

export interface EngineOptions {
  readonly settings: Settings
  readonly fleet: Fleet
  readonly clock: Clock
  readonly log: Log
  readonly ids: () => string
  /** Where decisions are stored, and what the previous process left there; `recovered` is null if nothing is kept. */
  readonly store: { readonly committer: Committer; readonly recovered: Recovered | null }
  /** Where checks and actions are carried out. */
  readonly sources: readonly Source[]
  /** The addresses by which people acknowledge pages; absent if there are none. */
  readonly ackUrl?: AckUrl | null
}

/** Notified of every decision, in the turn in which it is made. */
interface DecisionFollower {
  follow(decision: Decision): void
}

function isFollower(source: Source): source is Source & DecisionFollower {
  return source.follow !== undefined
}

/** What all other parts depend on. */
interface SharedParts {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly log: Log
  readonly time: ServiceTime
  readonly meters: SystemMeters
  readonly transitions: SystemMeter
  readonly recovered: Recovered | null
  readonly retention: RetentionClock
  readonly recentActionsMs: number
  readonly ledgerSettings: LedgerSettings
  readonly slo: SloWindow
  readonly identities: Identities
  readonly sources: readonly Source[]
  readonly actionSources: ActionSources
  /** The credentials that drivers currently run with. */
  readonly inForce: { credentials: Credentials }
}

interface DecidingParts {
  readonly health: HealthTable
  readonly ledger: Ledger
  readonly escalations: Escalations
  readonly rules: MonitorRules
  readonly dependencies: DependencyGraph
  readonly decider: Decider
  readonly reminders: Reminders
  readonly maintenance: MaintenanceWatch
  readonly snoozes: SnoozeWatch
  readonly silent: SilentMonitors
}

interface CheckingParts {
  readonly ownFault: OwnFaultDetector
  readonly checks: CheckFlow
  readonly checkCounts: CheckCounts
  readonly trendCells: TrendCells
  readonly lastChecks: LastChecks
}

interface ActingParts {
  readonly actions: ActionFlow
  readonly recoveries: RecoveryAccount
}

interface StoringParts {
  readonly journal: Journal
  readonly checkpoints: Checkpoints
  readonly trends: TrendRecorder
  readonly revisions: Revisions
  readonly changes: LiveChanges
}

export interface EngineParts extends SharedParts, DecidingParts, CheckingParts, ActingParts, StoringParts {
  readonly decisionLog: DecisionLog
  readonly figures: EngineFigures
  readonly followers: readonly DecisionFollower[]
}

export function createParts(options: EngineOptions): EngineParts {
  const shared = createSharedParts(options)
  const deciding = decidingParts(shared, options)
  const checking = checkingParts(shared, deciding, options)
  const acting = actingParts(shared, deciding, options)
  const storing = storingParts(shared, checking, options)
  const { fleet, clock, time, meters } = shared
  const { ledger, reminders, snoozes } = deciding
  const { checks } = checking
  const { actions, recoveries } = acting
  const { pipelines } = actions
  const decisionLog = new DecisionLog(shared.log, deciding.health)
  return {
    ...shared,
    ...deciding,
    ...checking,
    ...acting,
    ...storing,
    decisionLog,
    figures: new EngineFigures({ fleet, clock, time, ledger, meters, checks, pipelines }),
    followers: [
      reminders,
      snoozes,
      checks,
      recoveries,
      actions,
      decisionLog,
      storing.changes,
      ...shared.sources.filter(isFollower),
    ],
  }
}

function createSharedParts({ settings, fleet, clock, log, store, sources }: EngineOptions): SharedParts {
  const { recovered } = store
  const meters = new SystemMeters(clock.monotonicMs())
  return {
    fleet,
    clock,
    log,
    time: new ServiceTime(clock),
    meters,
    transitions: meters.add('transitions'),
    recovered,
    retention: recovered?.retention ?? newRetentionClock,
    recentActionsMs: recentActionsMs(settings),
    ledgerSettings: ledgerSettings(settings),
    slo: openSlo({ drivers: fleet.types, targets: sloTargets(settings) }, recovered?.slo ?? null, clock),
    identities: new Identities(fleet),
    sources,
    actionSources: new ActionSources(sources.flatMap((source) => source.actions ?? [])),
    inForce: { credentials: new Map() },
  }
}

function decidingParts(shared: SharedParts, { ids }: EngineOptions): DecidingParts {
  const { fleet, identities, actionSources } = shared
  const health = new HealthTable(fleet, (row) => identities.controlsBefore(row))
  const rules = new MonitorRules(fleet)
  const dependencies = new DependencyGraph(fleet)
  const ledger = new Ledger({ settings: shared.ledgerSettings, destinations: [], newId: ids })
  const escalations = new Escalations({
    fleet: () => fleet.definition,
    keepsAlerts: (endpoint) => ledger.view.keepsAlerts(endpoint),
    isEndOnItsWay: (page, endpoint) => ledger.view.isEndOnItsWay(page, endpoint),
    newId: ids,
  })
  const recoveryTargetOf = (row: number) => {
    const recovery = fleet.recoveryOf(row)
    return recovery === null ? null : actionSources.targetOf(recovery)
  }
  const decider = new Decider({
    fleet,
    health,
    ledger,
    escalations,
    rules,
    dependencies,
    ids,
    recoveryTargetOf,
  })
  return {
    health,
    ledger,
    escalations,
    rules,
    dependencies,
    decider,
    reminders: new Reminders(dependencies),
    maintenance: new MaintenanceWatch(fleet, health),
    snoozes: new SnoozeWatch(health),
    silent: new SilentMonitors(fleet, () => decider.routing),
  }
}

function checkingParts(
  shared: SharedParts,
  { health }: DecidingParts,
  { settings, store: { committer } }: EngineOptions,
): CheckingParts {
  const { fleet, clock, time, slo, meters, sources } = shared
  const ownFault = new OwnFaultDetector()
  const checkCounts = new CheckCounts(fleet.types)
  const trendCells = new TrendCells()
  const lastChecks = new LastChecks()
  const checks = new CheckFlow({
    fleet,
    clock,
    slo,
    meters,
    counts: checkCounts,
    intake: new ResultIntake({ fleet, health, time, ownFault, trends: trendCells, lastChecks }),
    isSnoozed: (row) => health.snoozeOf(row) !== null,
    poolBounds: poolBounds(),
    queueTargetMs: sloTargets(settings).queueTargetMs,
    mayStart: () => committer.holds?.() ?? true,
    sources: sources.flatMap((source) => source.checks ?? []),
  })
  return { ownFault, checks, checkCounts, trendCells, lastChecks }
}

function actingParts(
  shared: SharedParts,
  deciding: DecidingParts,
  { settings, ackUrl = null }: EngineOptions,
): ActingParts {
  const { fleet, clock, time, slo, meters, identities, actionSources } = shared
  const { health, ledger, decider } = deciding
  const publicUrl = settings.public_url
  const actions = new ActionFlow({
    fleet,
    clock,
    time,
    ledger,
    decider,
    messages: new Messages({ fleet, health, identities, ledger, decider, publicUrl, ackUrl }),
    meter: meters.add('actions'),
    sources: actionSources,
  })
  return { actions, recoveries: new RecoveryAccount(fleet, slo, time) }
}

function storingParts(
  shared: SharedParts,
  { trendCells }: CheckingParts,
  { settings, store }: EngineOptions,
): StoringParts {
  const { fleet, clock, time, slo, meters, identities, recovered } = shared
  const journal = new Journal(store.committer, clock, meters.add('commit'))
  const trends = new TrendRecorder({
    fleet,
    identities,
    journal,
    time,
    cells: trendCells,
    // Without a store, trends are never read.
    setting: recovered === null ? 'off' : settings.trends,
  })
  return {
    journal,
    checkpoints: new Checkpoints({ fleet, identities, journal, slo, trends, clock }),
    trends,
    revisions: new Revisions(fleet, journal, recovered),
    changes: new LiveChanges(journal),
  }
}
