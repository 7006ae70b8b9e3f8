// acting/action-flow.ts: how an action is carried out: ledger → started and stored → driver → outcome → ledger. The
// ledger is the queue; the pools say how much room there is. A driver is called only after the start is on disk, and
// its answer enters the engine by a turn like everything else.
import { setTimeout as delay } from 'node:timers/promises'
import { type ExternalConfig, externalType } from '../config/external-driver.ts'
import type { FleetDefinition, RecoveryDefinition } from '../config/fleet-file/definition.ts'
import type { Action, ActionKind } from '../deciding/actions/action.ts'
import type { Ledger } from '../deciding/actions/ledger.ts'
import type { Decider } from '../deciding/decide.ts'
import type { Decision } from '../deciding/decision.ts'
import type { Turn } from '../deciding/turn.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Notification } from '../notify/driver.ts'
import { type ActionOutcome, notSent, rejected } from '../platform/action-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { ServiceTime } from '../platform/service-time.ts'
import type { Intervention } from '../recovery/driver.ts'
import { LabelCounter } from '../telemetry/label-counter.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import { ActionPipeline } from './action-pipeline.ts'
import type { Messages } from './messages.ts'

/** Carries out actions: the drivers, or those of a test. Its promises never reject. */
export interface ActionRunner {
  /** From now on actions are carried out as this fleet says. */
  setFleet(fleet: FleetDefinition, credentials: ReadonlyMap<string, string>): void
  notify(endpoint: string, notification: Notification): Promise<ActionOutcome>
  recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<ActionOutcome>
  /** The same for recoveries that act on the same target. */
  targetOf(recovery: RecoveryDefinition): string
  /** How long a call may take. */
  readonly notifyTimeoutMs: number
}

/** An action that a worker outside the service carries out. */
export interface ExternalAction {
  readonly action: Action
  readonly kind: 'recovery' | 'notification'
  /** Of its monitor; -1 for a digest, and for one that is not in the fleet any more. */
  readonly row: number
  readonly config: ExternalConfig
  /** What it is about, as drivers are told. */
  readonly about: Notification | Intervention
  readonly timeoutMs: number
}

/** Offers actions to workers outside the service; how each ends comes by a turn (`ended`). */
export interface ExternalActions {
  offer(action: ExternalAction): void
}

/** After this long without a commit or a turn, earlier failures are too old to start an intervention or a red. */
export const trustedForMs = 30_000
const tooLate = notSent('the start could not be stored in time and nothing was sent')

export interface ActionFlowOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly time: ServiceTime
  readonly ledger: Ledger
  readonly decider: Decider
  readonly messages: Messages
  readonly meter: SystemMeter
  readonly runner: ActionRunner
  /** Null where nothing is done outside the service. */
  readonly external: ExternalActions | null
  /** The way into the engine for answers. */
  readonly turn: (work: (turn: Turn) => void) => void
}

/** How actions of this process ended, by driver and state. */
export interface ActionCounts {
  readonly notifications: LabelCounter
  readonly recoveries: LabelCounter
}

export class ActionFlow {
  readonly counts: ActionCounts = { notifications: new LabelCounter(), recoveries: new LabelCounter() }
  readonly pipelines: Readonly<Record<ActionKind, ActionPipeline>>
  readonly #options: ActionFlowOptions
  readonly #running = new Set<Promise<void>>()
  #isOpen = true

  constructor(options: ActionFlowOptions) {
    this.#options = options
    const nowMs = options.clock.monotonicMs()
    this.pipelines = { intervention: new ActionPipeline(nowMs), code: new ActionPipeline(nowMs) }
  }

  /** Whether actions may start. */
  setAdmission(open: boolean): void {
    this.#isOpen = open
  }

  /** Starts what may start; drivers are called when the turn is on disk. */
  startDue(turn: Turn): void {
    const { ledger, clock, meter } = this.#options
    if (!this.#isOpen) return
    const nextAt = ledger.nextStartAt(turn.now)
    if (nextAt === null || nextAt > turn.now) return
    meter.begin(clock.monotonicMs())
    const { intervention, code } = this.pipelines
    const room = { interventions: intervention.free, notifications: code.free }
    const started = startedIn(turn.decide({ kind: 'room', room }))
    for (const action of started) this.#start(turn, action)
    meter.end(clock.monotonicMs(), started.length)
  }

  /** Counts what was queued and started, for the figures of queues and pools. */
  follow(decision: Decision): void {
    const { time } = this.#options
    for (const { kind, state, queuedAt, revision } of decision.actions)
      if (state === 'queued' && revision === 1) this.pipelines[kind].noteQueued(time.monotonicMs(queuedAt))
    for (const { kind, queuedAt, startedAt } of startedIn(decision))
      this.pipelines[kind].noteStarted(time.monotonicMs(queuedAt), time.monotonicMs(startedAt!))
  }

  /** Resolves when nothing is in flight any more, or after atMostMs. */
  async drain(atMostMs: number): Promise<void> {
    if (this.#running.size === 0) return
    const waited = new AbortController()
    const timedOut = delay(atMostMs, undefined, { signal: waited.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.#running), timedOut])
    waited.abort()
  }

  #start(turn: Turn, action: Action): void {
    const { decider, fleet, clock, runner } = this.#options
    const row = action.monitorId === null ? -1 : decider.rowOf(action.monitorId)
    const recovery = action.kind === 'intervention' && row >= 0 ? fleet.recoveryOf(row) : null
    const timeoutMs = recovery?.timeoutMs ?? runner.notifyTimeoutMs
    if (this.#isExternal(action, recovery)) {
      this.#offer(turn, this.#externalFor(action, row, recovery, timeoutMs))
      return
    }
    const pipeline = this.pipelines[action.kind]
    const startedMs = clock.monotonicMs()
    // Each destination has a place of its own even when the pool is full; that one does not occupy the pool.
    const isInPool = pipeline.pool.start(startedMs, timeoutMs)
    const call = this.#callFor(action, row, recovery)
    // In flight from here on, not from the commit: a service that stops also waits for starts that are being stored.
    const answered = new Promise<ActionOutcome>((resolve) =>
      turn.afterCommit(() => {
        const isTooLate = clock.monotonicMs() - startedMs > trustedForMs
        resolve(isTooLate ? tooLate : call())
      }),
    )
    const running = answered.then((outcome) => {
      if (isInPool) pipeline.pool.finish(startedMs, timeoutMs, clock.monotonicMs())
      this.#running.delete(running)
      this.#answered(action.id, outcome)
    })
    this.#running.add(running)
  }

  /** The message is put together now: when the start is committed, the fleet may have changed. */
  #callFor(action: Action, row: number, recovery: RecoveryDefinition | null): () => Promise<ActionOutcome> {
    const { runner, messages } = this.#options
    if (action.kind === 'code') {
      const notification = messages.notification(row, action)
      return () => runner.notify(action.endpoint!, notification)
    }
    if (row < 0) return async () => rejected('the monitor is not in the fleet any more')
    if (recovery === null) return async () => rejected('no recovery is configured any more')
    const intervention = messages.intervention(row, action)
    return () => runner.recover(recovery, intervention)
  }

  #isExternal({ endpoint }: Action, recovery: RecoveryDefinition | null): boolean {
    const type =
      endpoint === null ? recovery?.type : this.#options.fleet.definition.endpoints.get(endpoint)?.type
    return type === externalType && this.#options.external !== null
  }

  #externalFor(
    action: Action,
    row: number,
    recovery: RecoveryDefinition | null,
    timeoutMs: number,
  ): ExternalAction {
    const { fleet, messages } = this.#options
    const { endpoint } = action
    const configured = endpoint === null ? recovery : fleet.definition.endpoints.get(endpoint)
    const config = configured?.config as ExternalConfig
    return endpoint === null
      ? { action, kind: 'recovery', row, config, about: messages.intervention(row, action), timeoutMs }
      : { action, kind: 'notification', row, config, about: messages.notification(row, action), timeoutMs }
  }

  /** It takes no place in the pool: how many wait for workers is bounded by the ledger. */
  #offer(turn: Turn, offered: ExternalAction): void {
    const { clock, external } = this.#options
    const startedMs = clock.monotonicMs()
    turn.afterCommit(() => {
      const isTooLate = clock.monotonicMs() - startedMs > trustedForMs
      if (!isTooLate) external?.offer(offered)
      else this.#answered(offered.action.id, tooLate)
    })
  }

  /** Starts nothing: what else is decided in the turn may make what waits superfluous. */
  ended(turn: Turn, actionId: string, outcome: ActionOutcome): void {
    const { actions } = turn.decide({ kind: 'action-ended', actionId, outcome })
    const ended = actions.find(({ id }) => id === actionId)
    if (ended !== undefined) this.#count(ended)
  }

  #answered(actionId: string, outcome: ActionOutcome): void {
    this.#options.turn((turn) => {
      this.ended(turn, actionId, outcome)
      // There is room for the next one, and in a small fleet the next tick may take a while.
      this.startDue(turn)
    })
  }

  #count({ kind, endpoint, state, monitorId }: Action): void {
    const { fleet, decider } = this.#options
    if (kind === 'code') {
      const driver = fleet.definition.endpoints.get(endpoint!)?.type
      if (driver !== undefined) this.counts.notifications.note(driver, state)
      return
    }
    const row = decider.rowOf(monitorId!)
    const driver = row < 0 ? undefined : fleet.recoveryOf(row)?.type
    if (driver !== undefined) this.counts.recoveries.note(driver, state)
  }
}

/** The actions that a decision starts, each once and as it is at the end of the decision. */
function startedIn({ events, actions }: Decision): readonly Action[] {
  const ids = new Set<string | null>()
  for (const { event } of events) if (event.type === 'action_started') ids.add(event.actionId)
  const started = new Map<string, Action>()
  for (const action of actions) if (ids.has(action.id)) started.set(action.id, action)
  return [...started.values()]
}
