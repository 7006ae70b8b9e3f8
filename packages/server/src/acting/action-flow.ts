// acting/action-flow.ts: how an action is carried out: ledger → started and stored → source → outcome →
// ledger. The ledger is the queue; the pools say how much room there is. A source gets an action only after
// its start is on disk, and the outcome enters the engine through a turn like everything else.
import { setTimeout as delay } from 'node:timers/promises'
import type { Action, ActionKind } from '../deciding/actions/action.ts'
import type { Ledger } from '../deciding/actions/ledger.ts'
import type { Decider } from '../deciding/decide.ts'
import type { Decision } from '../deciding/decision.ts'
import type { Turn } from '../deciding/turn.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type ActionOutcome, notSent, rejected } from '../platform/action-outcome.ts'
import type { Clock } from '../platform/clock.ts'
import type { ServiceTime } from '../platform/service-time.ts'
import { LabelCounter } from '../telemetry/label-counter.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import { ActionPipeline } from './action-pipeline.ts'
import { notifyTimeoutMs, type StartedAction } from './action-source.ts'
import type { ActionSources } from './action-sources.ts'
import type { Messages } from './messages.ts'

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
  readonly sources: ActionSources
}

/** The engine's entry point for answers. */
interface AnswerTaker {
  turn(work: (turn: Turn) => void): unknown
}

/** How actions of this process ended, by driver and state. */
export interface ActionCounts {
  readonly notifications: LabelCounter
  readonly recoveries: LabelCounter
}

interface Call {
  readonly runsHere: boolean
  readonly timeoutMs: number
  /** Null if the outcome is reported in a later turn. */
  make(): Promise<ActionOutcome> | ActionOutcome | null
}

export class ActionFlow {
  readonly counts: ActionCounts = { notifications: new LabelCounter(), recoveries: new LabelCounter() }
  readonly pipelines: Readonly<Record<ActionKind, ActionPipeline>>
  readonly #options: ActionFlowOptions
  readonly #running = new Set<Promise<void>>()
  #answers: AnswerTaker | null = null
  #isOpen = true

  constructor(options: ActionFlowOptions) {
    this.#options = options
    const nowMs = options.clock.monotonicMs()
    this.pipelines = { intervention: new ActionPipeline(nowMs), code: new ActionPipeline(nowMs) }
  }

  /** Must be called before anything starts. */
  tell(answers: AnswerTaker): void {
    this.#answers = answers
  }

  /** Whether actions may start. */
  setAdmission(open: boolean): void {
    this.#isOpen = open
  }

  /** Starts what may start. Sources get the actions when the turn is on disk. */
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

  /** Counts what was queued and started, for the statistics of queues and pools. */
  follow(decision: Decision): void {
    const { time } = this.#options
    for (const { kind, state, queuedAt, revision } of decision.actions)
      if (state === 'queued' && revision === 1) this.pipelines[kind].noteQueued(time.monotonicMs(queuedAt))
    for (const { kind, queuedAt, startedAt } of startedIn(decision))
      this.pipelines[kind].noteStarted(time.monotonicMs(queuedAt), time.monotonicMs(startedAt!))
  }

  /** Resolves when nothing is in flight, or after atMostMs. */
  async drain(atMostMs: number): Promise<void> {
    if (this.#running.size === 0) return
    const waited = new AbortController()
    const timedOut = delay(atMostMs, undefined, { signal: waited.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.#running), timedOut])
    waited.abort()
  }

  #start(turn: Turn, action: Action): void {
    const { clock } = this.#options
    const { runsHere, timeoutMs, make } = this.#callFor(action)
    const pipeline = this.pipelines[action.kind]
    const startedMs = clock.monotonicMs()
    // Each destination may have one action in flight even if the pool is full; that one does not occupy the
    // pool. Nor do actions that run elsewhere: the ledger limits their number.
    const isInPool = runsHere && pipeline.pool.start(startedMs, timeoutMs)
    // In flight from here on, not from the commit: a stopping service also waits for starts that are being stored.
    const answered = new Promise<ActionOutcome | null>((resolve) =>
      turn.afterCommit(() => {
        const isTooLate = clock.monotonicMs() - startedMs > trustedForMs
        resolve(isTooLate ? tooLate : make())
      }),
    )
    const running = answered.then((outcome) => {
      if (isInPool) pipeline.pool.finish(startedMs, timeoutMs, clock.monotonicMs())
      this.#running.delete(running)
      if (outcome !== null) this.#answered(action.id, outcome)
    })
    this.#running.add(running)
  }

  #callFor(action: Action): Call {
    const settled = this.#settle(action)
    if (!('driver' in settled)) return { runsHere: true, timeoutMs: notifyTimeoutMs, make: () => settled }
    const source = this.#options.sources.of(settled.driver)
    const { timeoutMs } = settled
    return { runsHere: source.runsHere, timeoutMs, make: () => source.carryOut(settled) }
  }

  /**
   * Builds the message now, because the fleet may have changed by the time the start is committed. Returns an
   * outcome instead if the action can no longer be carried out.
   */
  #settle(action: Action): StartedAction | ActionOutcome {
    const { decider, fleet, messages } = this.#options
    const row = action.monitorId === null ? -1 : decider.rowOf(action.monitorId)
    if (action.kind === 'code') {
      const endpoint = action.endpoint!
      const driver = fleet.definition.endpoints.get(endpoint)
      if (driver === undefined) return rejected('the destination is not in the fleet any more')
      const about = messages.notification(row, action)
      return { kind: 'notification', action, row, endpoint, driver, about, timeoutMs: notifyTimeoutMs }
    }
    if (row < 0) return rejected('the monitor is not in the fleet any more')
    const driver = fleet.recoveryOf(row)
    if (driver === null) return rejected('no recovery is configured any more')
    const about = messages.intervention(row, action)
    return { kind: 'recovery', action, row, driver, about, timeoutMs: driver.timeoutMs }
  }

  /** Does not start anything: later decisions in the same turn may make queued actions unnecessary. */
  ended(turn: Turn, actionId: string, outcome: ActionOutcome): void {
    const { actions } = turn.decide({ kind: 'action-ended', actionId, outcome })
    const ended = actions.find(({ id }) => id === actionId)
    if (ended !== undefined) this.#count(ended)
  }

  #answered(actionId: string, outcome: ActionOutcome): void {
    this.#answers!.turn((turn) => {
      this.ended(turn, actionId, outcome)
      // There is room for the next action, and in a small fleet the next tick may be a while away.
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

/** The actions that a decision starts, each once, in their state at the end of the decision. */
function startedIn({ events, actions }: Decision): readonly Action[] {
  const ids = new Set<string | null>()
  for (const { event } of events) if (event.type === 'action_started') ids.add(event.actionId)
  const started = new Map<string, Action>()
  for (const action of actions) if (ids.has(action.id)) started.set(action.id, action)
  return [...started.values()]
}
