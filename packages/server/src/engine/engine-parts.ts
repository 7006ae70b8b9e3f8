// engine/engine-parts.ts: the parts of an engine, in the order of the flow. Only createEngine and tests that look
// inside see them; everything else reads through EngineReading.
import { ActionFlow } from '../acting/action-flow.ts'
import { ActionSources } from '../acting/action-sources.ts'
import { Messages } from '../acting/messages.ts'
import { RecoveryAccount } from '../acting/recovery-account.ts'
import { CheckFlow } from '../checking/check-flow.ts'
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
import { Reminders } from '../deciding/reminders.ts'
import { SnoozeWatch } from '../deciding/snooze-watch.ts'
import type { Turn } from '../deciding/turn.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { Checkpoints } from '../persistence/checkpoints.ts'
import { Identities } from '../persistence/identities.ts'
import { type Committer, Journal } from '../persistence/journal.ts'
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
  /** Where decisions are stored, and what the previous process left there; null when nothing is kept. */
  readonly store: { readonly committer: Committer; readonly recovered: Recovered | null }
  /** Where checks and actions are carried out. */
  readonly sources: readonly Source[]
}

/** Is told of every decision, in the turn in which it is made. */
interface DecisionFollower {
  follow(decision: Decision): void
}

export interface EngineParts {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly log: Log
  readonly time: ServiceTime
  readonly recovered: Recovered | null
  readonly retention: RetentionClock
  readonly recentActionsMs: number
  readonly ledgerSettings: LedgerSettings
  readonly health: HealthTable
  readonly ledger: Ledger
  readonly rules: MonitorRules
  readonly dependencies: DependencyGraph
  readonly decider: Decider
  readonly reminders: Reminders
  readonly maintenance: MaintenanceWatch
  readonly snoozes: SnoozeWatch
  readonly ownFault: OwnFaultDetector
  readonly slo: SloWindow
  readonly checks: CheckFlow
  readonly checkCounts: CheckCounts
  readonly actions: ActionFlow
  readonly sources: readonly Source[]
  readonly actionSources: ActionSources
  readonly recoveries: RecoveryAccount
  /** The values that drivers are run with. */
  readonly inForce: { credentials: Credentials }
  readonly identities: Identities
  readonly journal: Journal
  readonly checkpoints: Checkpoints
  readonly trendCells: TrendCells
  readonly trends: TrendRecorder
  readonly changes: LiveChanges
  readonly decisionLog: DecisionLog
  readonly figures: EngineFigures
  readonly transitions: SystemMeter
  readonly followers: readonly DecisionFollower[]
}

/** enter: the way into the engine that is made of these parts. */
export function createParts(
  options: EngineOptions,
  enter: (work: (turn: Turn) => void) => void,
): EngineParts {
  const { settings, fleet, clock, log, ids, store, sources } = options
  const { committer, recovered } = store
  const actionSources = new ActionSources(sources.flatMap((source) => source.actions ?? []))
  const time = new ServiceTime(clock)
  const meters = new SystemMeters(clock.monotonicMs())
  const targets = sloTargets(settings)
  const slo = openSlo({ drivers: fleet.types, targets }, recovered?.slo ?? null, clock)
  const transitions = meters.add('transitions')

  const health = new HealthTable(fleet, (row) => identities.controlsBefore(row))
  const rules = new MonitorRules(fleet)
  const dependencies = new DependencyGraph(fleet)
  const ledger = new Ledger({ settings: ledgerSettings(settings), destinations: [], newId: ids })
  const recoveryTargetOf = (row: number) => {
    const recovery = fleet.recoveryOf(row)
    return recovery === null ? null : actionSources.targetOf(recovery)
  }
  const decider = new Decider({ fleet, health, ledger, rules, dependencies, ids, recoveryTargetOf })
  const reminders = new Reminders(dependencies)
  const maintenance = new MaintenanceWatch(fleet, health)
  const snoozes = new SnoozeWatch(health)

  const ownFault = new OwnFaultDetector()
  const checkCounts = new CheckCounts(fleet.types)
  const trendCells = new TrendCells()
  const checks = new CheckFlow({
    fleet,
    clock,
    slo,
    meters,
    counts: checkCounts,
    intake: new ResultIntake({ fleet, health, time, ownFault, trends: trendCells }),
    isSnoozed: (row) => health.snoozeOf(row) !== null,
    poolBounds: poolBounds(),
    queueTargetMs: targets.queueTargetMs,
    sources: sources.flatMap((source) => source.checks ?? []),
  })

  const identities = new Identities(fleet)
  const messages = new Messages({
    fleet,
    health,
    identities,
    ledger,
    decider,
    publicUrl: settings.public_url,
  })
  const actions = new ActionFlow({
    fleet,
    clock,
    time,
    ledger,
    decider,
    messages,
    meter: meters.add('actions'),
    sources: actionSources,
    turn: enter,
  })
  const recoveries = new RecoveryAccount(fleet, slo, time)

  const journal = new Journal(committer, clock, meters.add('commit'))
  const trends = new TrendRecorder({
    fleet,
    identities,
    journal,
    time,
    cells: trendCells,
    // Without a store there is nobody to ask for them.
    setting: recovered === null ? 'off' : settings.trends,
  })
  const checkpoints = new Checkpoints({ fleet, identities, journal, slo, trends, clock })
  const changes = new LiveChanges(journal)
  const decisionLog = new DecisionLog(log, health)
  const figures = new EngineFigures({
    fleet,
    clock,
    time,
    ledger,
    meters,
    checks,
    pipelines: actions.pipelines,
  })
  return {
    fleet,
    clock,
    log,
    time,
    recovered,
    retention: recovered?.retention ?? newRetentionClock,
    recentActionsMs: recentActionsMs(settings),
    ledgerSettings: ledgerSettings(settings),
    health,
    ledger,
    rules,
    dependencies,
    decider,
    reminders,
    maintenance,
    snoozes,
    ownFault,
    slo,
    checks,
    checkCounts,
    actions,
    sources,
    actionSources,
    recoveries,
    inForce: { credentials: new Map() },
    identities,
    journal,
    checkpoints,
    trendCells,
    trends,
    changes,
    decisionLog,
    figures,
    transitions,
    followers: [reminders, snoozes, checks, recoveries, actions, decisionLog, changes],
  }
}
