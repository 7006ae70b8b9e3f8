// deciding/actions/ledger.fixture.ts: a ledger with monitors that tests drive in sentences. Monitors live
// through the real state machine: its steps go to the ledger, and the ledger's reports go back. Every
// decision is committed to records as in a store, which refuses changes that may never happen to an action.
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import * as outcomes from '../../platform/action-outcome.ts'
import { type HealthRules, type Instant, movedHealth } from '../health/health.ts'
import type { HealthContext } from '../health/input.ts'
import { MonitorUnderTest } from '../health/monitor.fixture.ts'
import type { Color, Step } from '../health/step.ts'
import { type Action, type ActionState, isUnsettled, type Review, type ReviewResolution } from './action.ts'
import type { Destination, DestinationRecord } from './destination.ts'
import type { InterventionGuard } from './intervention-queue.ts'
import { Ledger } from './ledger.ts'
import type { ActionEvent, LedgerDecision } from './ledger-decision.ts'
import type { LedgerSettings } from './ledger-parts.ts'
import type { ExternalStarts, LedgerRecords } from './restore-ledger.ts'

export type Routes = Partial<Record<Color, readonly string[]>>

/** A person's review. */
export function review(resolution: ReviewResolution, at: Instant, revision = 2): Review {
  return { revision, resolution, actor: 'ann', at, reason: 'seen in its log', note: null, evidenceRefs: [] }
}

export const minuteMs = 60_000
export const plainSettings: LedgerSettings = {
  cooldownMs: 5 * minuteMs,
  greenBypassesCooldown: true,
  interventionsPerMinute: 10,
}

export const accepted = outcomes.accepted()
export const rejected = outcomes.rejected('400')
export const gone = outcomes.gone('410')
export const unanswered = outcomes.unknown('no answer')
export const retryLater = (retryAfterMs: number | null = null): ActionOutcome =>
  outcomes.retry('503', retryAfterMs)

export const destination = (name: string, limits: Partial<Destination> = {}): Destination => ({
  name,
  fingerprint: 'first',
  maxInFlight: 4,
  ratePerSecond: Number.POSITIVE_INFINITY,
  keepsAlerts: false,
  ...limits,
})

export const everyColorTo = (...endpoints: string[]): Routes => ({
  red: endpoints,
  yellow: endpoints,
  green: endpoints,
  cyan: endpoints,
  gray: endpoints,
})

const lawfulMoves: Readonly<Record<ActionState, readonly ActionState[]>> = {
  queued: ['queued', 'started', 'cancelled', 'failed'],
  started: ['started', 'succeeded', 'failed', 'unknown'],
  // Finished actions are still amended when an episode takes over their warning.
  succeeded: ['succeeded'],
  unknown: ['unknown'],
  failed: ['failed'],
  // A red is still amended when its incident becomes untold, or is told.
  cancelled: ['cancelled'],
}

export interface LedgerUnderTestOptions {
  readonly settings?: Partial<LedgerSettings>
  readonly destinations?: readonly Destination[]
  readonly routes?: Routes
}

export class LedgerUnderTest {
  now: Instant = 1_000_000
  routes: Routes
  destinations: readonly Destination[]
  settings: LedgerSettings
  ledger: Ledger
  /** What a store would hold, in the order in which actions were queued. */
  readonly records = new Map<string, Action>()
  readonly events: ActionEvent[] = []
  readonly starts: { readonly action: Action; readonly at: Instant }[] = []
  readonly held = new Map<string, 'ancestor' | 'maintenance'>()
  readonly targets = new Map<string, string>()
  idsGiven = 0
  readonly #monitors = new Map<string, FedMonitor>()

  constructor({ settings = {}, destinations, routes }: LedgerUnderTestOptions = {}) {
    this.settings = { ...plainSettings, ...settings }
    this.destinations = destinations ?? [destination('chat')]
    this.routes = routes ?? everyColorTo(...this.destinations.map(({ name }) => name))
    this.ledger = this.newLedger()
  }

  monitor(name = 'edge', rules: Partial<HealthRules> = {}): FedMonitor {
    let monitor = this.#monitors.get(name)
    if (monitor === undefined) {
      monitor = new FedMonitor(name, this, rules)
      this.#monitors.set(name, monitor)
    }
    monitor.now = this.now
    return monitor
  }

  waits(ms: number): this {
    this.now += ms
    return this
  }

  /** Starts what may start, and returns it. */
  startsDue(): Action[] {
    const { actions } = this.decide((ledger) =>
      ledger.startDue(this.now, this.guard, { interventions: 1000, notifications: 1000 }),
    )
    return actions.filter(({ state }) => state === 'started')
  }

  answers(action: Action, outcome: ActionOutcome): LedgerDecision {
    return this.decide((ledger) => ledger.ended(action.id, outcome, this.now))
  }

  /** Starts and answers until nothing more may start now. */
  delivers(outcome: ActionOutcome = accepted): Action[] {
    const delivered: Action[] = []
    for (let started = this.startsDue(); started.length > 0; started = this.startsDue()) {
      for (const action of started) this.answers(action, outcome)
      delivered.push(...started)
    }
    return delivered
  }

  restarts(downMs = 0, completeSince: Instant = 0): this {
    return this.#takesOver(downMs, this.recordsFor(completeSince))
  }

  /** The clock of the machine is set while the service runs. */
  setsClock(stepMs: number): this {
    const isToldKnown = new Map(
      [...this.#monitors.keys()].map((name) => [name, this.ledger.view.isToldKnown(name)]),
    )
    this.commit(this.ledger.move(stepMs))
    for (const [name, monitor] of this.#monitors)
      monitor.state = movedHealth(monitor.state, stepMs, isToldKnown.get(name)!)
    return this.waits(stepMs)
  }

  /** Restores the current records as a backup, this much later. */
  isRestored(laterMs: number): this {
    return this.#takesOver(laterMs, { ...this.recordsFor(0), restoredFrom: { backupAt: this.now } })
  }

  #takesOver(downMs: number, records: LedgerRecords): this {
    this.now += downMs
    this.ledger = this.newLedger()
    this.decide((ledger) => ledger.restore(records, this.now, this.guard.targetOf))
    for (const name of this.#monitors.keys()) this.monitor(name).restarts()
    return this
  }

  /** Which of the started actions external workers hold. */
  external: ExternalStarts = { isGranted: () => false, isExternal: () => false }

  recordsFor(
    completeSince: Instant,
    destinations: DestinationRecord[] = this.ledger.view.destinationRecords(),
  ): LedgerRecords {
    const healths = new Map([...this.#monitors].map(([name, { state }]) => [name, state]))
    const isKept = (action: Action) => isUnsettled(action) || (action.finishedAt ?? Infinity) >= completeSince
    const actions = [...this.records.values()].filter(isKept)
    return { actions, completeSince, healths, destinations, restoredFrom: null, external: this.external }
  }

  reloads(destinations: readonly Destination[]): LedgerDecision {
    this.destinations = destinations
    return this.decide((ledger) => ledger.reconfigure(destinations, this.settings, this.now))
  }

  /** Open and finished actions of a monitor, as "red started". */
  shows(filter: (action: Action) => boolean = () => true): string[] {
    return [...this.records.values()]
      .filter(filter)
      .map(({ kind, color, state, outcome }) =>
        [color ?? kind, state, ...(state === 'cancelled' || state === 'failed' ? [outcome] : [])].join(' '),
      )
  }

  open(color?: Color): Action[] {
    return [...this.records.values()].filter(
      (action) =>
        (action.state === 'queued' || action.state === 'started') && (color ?? action.color) === action.color,
    )
  }

  decide(ask: (ledger: Ledger) => LedgerDecision): LedgerDecision {
    return this.commit(ask(this.ledger))
  }

  commit(decision: LedgerDecision): LedgerDecision {
    for (const action of decision.actions) this.#write(action)
    this.events.push(...decision.events)
    for (const report of decision.health) {
      const monitor = this.monitor(report.monitorId)
      if (report.kind === 'action-started')
        monitor.gets({ kind: 'action-started', actionId: report.actionId })
      else if (report.kind === 'hold-reviewed' || report.kind === 'hold-restored')
        monitor.gets({ kind: report.kind })
      else {
        const { actionId, outcome } = report
        monitor.gets({ kind: 'action-ended', actionId, outcome, context: monitor.context() })
      }
    }
    return decision
  }

  /** Has no records. Its ids continue after those of the previous ledger. */
  newLedger(): Ledger {
    const { settings, destinations } = this
    return new Ledger({ settings, destinations, newId: () => `code-${++this.idsGiven}` })
  }

  get guard(): InterventionGuard {
    return {
      holdOf: (monitorId) => this.held.get(monitorId) ?? null,
      targetOf: (monitorId) => this.targets.get(monitorId) ?? monitorId,
    }
  }

  #write(action: Action): void {
    const before = this.records.get(action.id)
    if (before !== undefined) {
      if (!lawfulMoves[before.state].includes(action.state))
        throw new Error(`${action.id} went from ${before.state} to ${action.state}`)
      if (action.revision <= before.revision) throw new Error(`the revision of ${action.id} did not rise`)
    }
    if (action.state === 'started' && before?.state !== 'started') this.starts.push({ action, at: this.now })
    this.records.set(action.id, action)
  }
}

export class FedMonitor extends MonitorUnderTest {
  readonly #name: string
  readonly #world: LedgerUnderTest

  constructor(name: string, world: LedgerUnderTest, rules: Partial<HealthRules>) {
    super(rules)
    this.#name = name
    this.#world = world
  }

  override context(): HealthContext {
    const { ancestors, ids } = super.context()
    const { episode, incident, intervention } = ids
    const own = (id: string) => `${this.#name} ${id}`
    return {
      ancestors,
      ids: { episode: own(episode), incident: own(incident), intervention: own(intervention) },
    }
  }

  override take(step: Step): void {
    const before = this.state
    super.take(step)
    const world = this.#world
    world.now = Math.max(world.now, this.now)
    const destinationsOf = (color: Color) => world.routes[color] ?? []
    const monitorStep = { monitorId: this.#name, before, step, destinationsOf }
    world.decide((ledger) => ledger.apply(monitorStep, world.now))
  }
}
