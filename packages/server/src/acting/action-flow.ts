// acting/action-flow.ts: the way of an action: ledger → started and committed → driver → answer → ledger. The ledger
// is the queue; the pools say how much room there is. A driver is called only after the start is on disk, and its
// answer is a decision like any other.
import { setTimeout as delay } from 'node:timers/promises'
import type { RecoveryDefinition } from '../config/fleet-file/definition.ts'
import type { Action, ActionKind } from '../deciding/actions/action.ts'
import type { Decision } from '../deciding/actions/decision.ts'
import type { InterventionGuard } from '../deciding/actions/intervention-line.ts'
import type { Ledger } from '../deciding/actions/ledger.ts'
import type { Verdict } from '../deciding/actions/verdict.ts'
import type { Consequences } from '../deciding/consequences.ts'
import type { DependencyGraph } from '../deciding/dependency-graph.ts'
import type { HealthKeeper } from '../deciding/health-table.ts'
import type { Journal } from '../engine/journal.ts'
import type { ServiceTime } from '../engine/service-time.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Notification, Verdict as NotifierVerdict } from '../notify/driver.ts'
import type { Clock } from '../platform/clock.ts'
import type { Intervention, RecoveryVerdict } from '../recovery/driver.ts'
import { LabelCounter } from '../telemetry/label-counter.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import { ActionPipeline } from './action-pipeline.ts'
import type { Messages } from './messages.ts'

/** Where actions are carried out: the drivers, or a test's own. Neither ever rejects. */
export interface ActionRunner {
  notify(endpoint: string, notification: Notification): Promise<NotifierVerdict>
  recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<RecoveryVerdict>
  /** Equal for recoveries that act on the same thing. */
  targetOf(recovery: RecoveryDefinition): string
  /** How long a call may take. */
  readonly notifyTimeoutMs: number
}

/** After this long without a commit or a turn, what was seen before is too old to start an intervention or a red. */
export const trustedForMs = 30_000
const tooLate: Verdict = {
  kind: 'not-sent',
  reason: 'the start could not be stored in time and nothing was sent',
}

export interface ActionFlowOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly time: ServiceTime
  readonly keeper: HealthKeeper
  readonly dependencies: DependencyGraph
  readonly ledger: Ledger
  readonly journal: Journal
  readonly consequences: Consequences
  readonly messages: Messages
  readonly meter: SystemMeter
  /** Notices a stall, if there was one. */
  readonly turn: () => void
}

/** How actions of this run ended, by driver and state. */
export interface ActionCounts {
  readonly notifications: LabelCounter
  readonly recoveries: LabelCounter
}

export class ActionFlow {
  readonly counts: ActionCounts = { notifications: new LabelCounter(), recoveries: new LabelCounter() }
  readonly pipelines: Readonly<Record<ActionKind, ActionPipeline>>
  readonly #options: ActionFlowOptions
  readonly #guard: InterventionGuard
  readonly #running = new Set<Promise<void>>()
  #runner: ActionRunner | null = null
  #isOpen = true

  constructor(options: ActionFlowOptions) {
    this.#options = options
    const nowMs = options.clock.monotonicMs()
    this.pipelines = { intervention: new ActionPipeline(nowMs), code: new ActionPipeline(nowMs) }
    this.#guard = {
      holdOf: (monitorId) => this.#holdOf(monitorId),
      targetOf: (monitorId) => this.#targetOf(monitorId),
    }
  }

  attach(runner: ActionRunner): void {
    this.#runner = runner
  }

  /** Whether actions may start. */
  setAdmission(open: boolean): void {
    this.#isOpen = open
  }

  /** Starts what may start. The caller ends the turn, and drivers are called after its commit. */
  advance(): void {
    const { ledger, time, clock, consequences, meter } = this.#options
    if (!this.#isOpen) return
    const now = time.now()
    const nextAt = ledger.nextStartAt(now)
    if (nextAt === null || nextAt > now) return
    meter.begin(clock.monotonicMs())
    const { intervention, code } = this.pipelines
    const decision = ledger.startDue(now, this.#guard, { interventions: intervention.free, codes: code.free })
    consequences.ofDecision(decision)
    for (const action of decision.actions) if (action.state === 'started') this.#begin(action)
    meter.end(clock.monotonicMs(), decision.actions.length)
  }

  /** Counts what was queued and started, for the views of queues and pools. */
  observe(decision: Decision): void {
    const { time } = this.#options
    const hasStarted = new Set<string | null>()
    for (const { type, actionId } of decision.events) if (type === 'action_started') hasStarted.add(actionId)
    for (const { id, kind, state, queuedAt, startedAt, revision } of decision.actions) {
      const pipeline = this.pipelines[kind]
      if (state === 'queued' && revision === 1) pipeline.noteQueued(time.monotonicMs(queuedAt))
      if (hasStarted.has(id)) pipeline.noteStarted(time.monotonicMs(queuedAt), time.monotonicMs(startedAt!))
    }
  }

  /** Resolves when nothing is in flight any more, or after so long. */
  async drain(atMostMs: number): Promise<void> {
    if (this.#running.size === 0) return
    const waited = new AbortController()
    const tired = delay(atMostMs, undefined, { signal: waited.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.#running), tired])
    waited.abort()
  }

  #begin(action: Action): void {
    const { journal, consequences, messages, fleet, clock } = this.#options
    const row = action.monitorId === null ? -1 : consequences.rowOf(action.monitorId)
    const recovery = action.kind === 'intervention' && row >= 0 ? fleet.recoveryOf(row) : null
    const timeoutMs = recovery?.timeoutMs ?? this.#runner!.notifyTimeoutMs
    const pipeline = this.pipelines[action.kind]
    const startedMs = clock.monotonicMs()
    // A destination has a place of its own also when the pool is full; it is then not a place of the pool.
    const isInPool = pipeline.pool.start(startedMs, timeoutMs)
    const call = this.#callFor(action, row, recovery, messages)
    // In flight from here on, not from the commit: a service that stops waits also for starts that are being stored.
    const answered = new Promise<Verdict>((resolve) =>
      journal.afterCommit(() => {
        const isTooLate = clock.monotonicMs() - startedMs > trustedForMs
        resolve(isTooLate ? tooLate : call())
      }),
    )
    const running = answered.then((verdict) => {
      if (isInPool) pipeline.pool.finish(startedMs, timeoutMs, clock.monotonicMs())
      this.#running.delete(running)
      this.#ended(action, verdict)
    })
    this.#running.add(running)
  }

  /** What to say is put together now: by the time of the commit the fleet may be another. */
  #callFor(
    action: Action,
    row: number,
    recovery: RecoveryDefinition | null,
    messages: Messages,
  ): () => Promise<Verdict> {
    const runner = this.#runner!
    if (action.kind === 'code') {
      const notification = messages.notification(row, action)
      return async () => ofNotifier(await runner.notify(action.endpoint!, notification))
    }
    if (row < 0) return async () => ({ kind: 'rejected', reason: 'the monitor is not in the fleet any more' })
    if (recovery === null)
      return async () => ({ kind: 'rejected', reason: 'no recovery is configured any more' })
    const intervention = messages.intervention(row, action)
    return async () => ofRecovery(await runner.recover(recovery, intervention))
  }

  #ended(action: Action, verdict: Verdict): void {
    const { ledger, time, consequences, journal, turn } = this.#options
    turn()
    const decision = ledger.ended(action.id, verdict, time.now())
    for (const ended of decision.actions) if (ended.id === action.id) this.#count(ended)
    consequences.ofDecision(decision)
    // There is room for the next one: in a small fleet the next tick may be long in coming.
    this.advance()
    void journal.flush()
  }

  #count({ kind, endpoint, state, monitorId }: Action): void {
    const { fleet, consequences } = this.#options
    if (kind === 'code') {
      const driver = fleet.definition.endpoints.get(endpoint!)?.type
      if (driver !== undefined) this.counts.notifications.note(driver, state)
      return
    }
    const row = consequences.rowOf(monitorId!)
    const driver = row < 0 ? undefined : fleet.recoveryOf(row)?.type
    if (driver !== undefined) this.counts.recoveries.note(driver, state)
  }

  #holdOf(monitorId: string): 'ancestor' | 'maintenance' | null {
    const { consequences, keeper, dependencies, time } = this.#options
    const row = consequences.rowOf(monitorId)
    if (row < 0) return null
    const { maintenance, episode } = keeper.healthOf(row)
    if (maintenance !== null) return 'maintenance'
    const now = time.now()
    const ancestors = dependencies.ancestorsOf(row, episode?.firstFailureAt ?? now, now)
    return ancestors.kind === 'in-trouble' ? 'ancestor' : null
  }

  #targetOf(monitorId: string): string {
    const row = this.#options.consequences.rowOf(monitorId)
    const recovery = row < 0 ? null : this.#options.fleet.recoveryOf(row)
    return recovery === null ? monitorId : this.#runner!.targetOf(recovery)
  }
}

function ofNotifier(verdict: NotifierVerdict): Verdict {
  switch (verdict.kind) {
    case 'delivered':
      return { kind: 'accepted' }
    case 'retry':
      return { kind: 'rejected-for-now', reason: verdict.reason, retryAfterMs: verdict.waitMs }
    case 'unknown':
      return { kind: 'ambiguous', reason: verdict.reason }
    default:
      return verdict
  }
}

function ofRecovery(verdict: RecoveryVerdict): Verdict {
  return verdict.kind === 'unknown' ? { kind: 'ambiguous', reason: verdict.reason } : verdict
}
