// simulation/model/reference-model.ts: behaviour.md §3 to §7 once more, as simple and slow as possible,
// written from that document and not from the service. It holds the state of every monitor and answers each
// input with what the service must show. When a process dies, the state goes back to what was on disk.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { FleetPlan } from '../fleet-plan.ts'
import { suppressing, waitsForParent } from './ancestors-model.ts'
import {
  afterAnswer,
  freshDestination,
  type ModelDestination,
  movedDestination,
  restartedDestination,
} from './destination-model.ts'
import {
  failing,
  judge,
  type ModelResult,
  onInterventionEnded,
  onMaintenance,
  onRepeat,
  onResult,
} from './health-model.ts'
import { cancel, dropAction, enqueue, failAsGone, queueOrFail, withdrawPage } from './ledger-model.ts'
import {
  type Arrival,
  type Expected,
  freshMonitor,
  type Instant,
  type ModelAction,
  type ModelMonitor,
  type ModelUntold,
  type ServiceEvent,
  service,
  servicePlan,
} from './monitor-state.ts'
import { movedBy } from './moved-time.ts'
import type { Addressed } from './on-call/escalation-model.ts'
import type { PageMessage } from './on-call/page-state.ts'
import { changePlan } from './plan-change.ts'
import { destinationRemoved, type ModelReason, reason } from './reason.ts'
import { Step, type Surroundings } from './step.ts'
import { onCodeEnded, onStarted } from './telling.ts'
import { digested, doubtUntold, notAhead } from './untold-model.ts'

/** Everything that is reset by a crash. */
export interface Kept {
  readonly monitors: ReadonlyMap<string, ModelMonitor>
  readonly destinations: ReadonlyMap<string, ModelDestination>
}

interface EpisodeTimes {
  readonly firstFailureAt: Instant
  readonly countsFrom: Instant | null
  readonly lastRedAt: Instant | null
}

export type Clocks = Pick<Surroundings, 'now' | 'nowMs' | 'process' | 'processStartedAt'>

export interface ModelOptions {
  readonly cooldownMs: number
  readonly clocks: () => Clocks
  readonly shows: Surroundings['shows']
  readonly writes: Surroundings['writes']
}

export class ReferenceModel {
  readonly #options: ModelOptions
  #plan: FleetPlan
  #monitors = new Map<string, ModelMonitor>()
  #destinations = new Map<string, ModelDestination>()
  readonly #freshDestinations = new Map<number, ModelDestination>()
  #number = 0

  constructor(plan: FleetPlan, options: ModelOptions) {
    this.#plan = plan
    this.#options = options
    this.#monitors.set(service, freshMonitor(servicePlan))
  }

  get plan(): FleetPlan {
    return this.#plan
  }

  monitor(id: string): ModelMonitor | undefined {
    return this.#monitors.get(id)
  }

  monitors(): Iterable<ModelMonitor> {
    return this.#monitors.values()
  }

  keep(): Kept {
    return { monitors: new Map(this.#monitors), destinations: new Map(this.#destinations) }
  }

  goBackTo({ monitors, destinations }: Kept): void {
    this.#monitors = new Map(monitors)
    this.#destinations = new Map(destinations)
  }

  /** Monotonic time starts anew, and this process has seen nothing yet. */
  restarted(): void {
    const { now } = this.#options.clocks()
    for (const [id, monitor] of this.#monitors) {
      const untold = monitor.untold.map((one) => notAhead(one, now))
      const arrivals = broughtBack(monitor.arrivals, now)
      const recoveriesAt = monitor.recoveriesAt.map((at) => Math.min(at, now))
      const actions = monitor.actions.map((one) => startedBy(one, now))
      const seen = { lastCheckMs: null, lastFailureMs: null }
      this.#monitors.set(id, { ...monitor, untold, arrivals, recoveriesAt, actions, ...seen })
    }
    for (const [name, one] of this.#destinations) this.#destinations.set(name, restartedDestination(one, now))
  }

  /** Service time was set. */
  moveTime(stepMs: number): void {
    for (const [id, monitor] of this.#monitors) this.#monitors.set(id, movedBy(monitor, stepMs))
    for (const [name, one] of this.#destinations) this.#destinations.set(name, movedDestination(one, stepMs))
  }

  /** How long ago an episode of an earlier process began is what that process recorded. */
  adoptTimes(id: string, { firstFailureAt, countsFrom, lastRedAt }: EpisodeTimes): void {
    const monitor = this.#monitors.get(id)!
    const episode = { ...monitor.episode!, firstFailureAt }
    const { verification, incident } = episode
    if (incident !== null && lastRedAt !== null) episode.incident = { ...incident, lastRedAt }
    if (verification !== null && countsFrom !== null) episode.verification = { ...verification, countsFrom }
    this.#monitors.set(id, { ...monitor, episode })
  }

  /** Another fleet is in force; each changed monitor is passed separately (fleetChanged). */
  setPlan(plan: FleetPlan): void {
    const before = this.#plan
    this.#plan = plan
    for (const [name, { version }] of this.#destinations)
      if (plan.endpoints.get(name)?.version !== version) this.#destinations.delete(name)
    const names = new Set([...before.endpoints.keys(), ...plan.endpoints.keys()])
    for (const name of names)
      if (before.endpoints.get(name) !== plan.endpoints.get(name)) this.#changeUntold(name, doubtUntold)
  }

  /**
   * The ids whose plan differs from the one that the model has followed, or that have something queued that
   * can no longer be sent.
   */
  changed(): readonly string[] {
    const ids = new Set([...this.#monitors.keys(), ...this.#plan.monitors.keys()])
    ids.delete(service)
    return [...ids].filter((id) => {
      const monitor = this.#monitors.get(id)
      const followed = monitor?.isRemoved ? undefined : monitor?.plan
      const isStranded = monitor?.actions.some(
        ({ endpoint, state }) =>
          state === 'queued' && endpoint !== null && !this.#plan.endpoints.has(endpoint),
      )
      return followed !== this.#plan.monitors.get(id) || isStranded === true
    })
  }

  fleetChanged(id: string): readonly Expected[] {
    const next = this.#plan.monitors.get(id)
    const monitor = this.#monitors.get(id)
    if (monitor === undefined) {
      if (next !== undefined) this.#monitors.set(id, freshMonitor(next))
      return []
    }
    return this.#step(id, (step) => changePlan(step, next))
  }

  /** Takes the new destinations before the rest of the changed plan. */
  takeDestinations(id: string): void {
    const monitor = this.#monitors.get(id)
    const next = this.#plan.monitors.get(id)
    if (monitor === undefined || next === undefined || monitor.plan === next) return
    const plan = { ...monitor.plan, destinations: next.destinations }
    this.#monitors.set(id, { ...monitor, plan })
  }

  result(id: string, result: ModelResult): readonly Expected[] {
    return this.#step(id, (step) => onResult(step, result))
  }

  /** What was withheld is due again. */
  judgeAgain(id: string): readonly Expected[] {
    return this.#step(id, (step) => judge(step, failing(step, 'withheld')))
  }

  maintenance(id: string, begins: boolean): readonly Expected[] {
    return this.#step(id, (step) => onMaintenance(step, begins))
  }

  /** A window has ended for a disabled monitor: nothing is sent. */
  leaveMaintenance(id: string): void {
    const monitor = this.#monitors.get(id)
    if (monitor !== undefined) this.#monitors.set(id, { ...monitor, maintenance: null })
  }

  repeat(id: string): readonly Expected[] {
    return this.#step(id, onRepeat)
  }

  /** A control that was allowed, of a monitor, its incident or an action. */
  asked(id: string, happen: (step: Step) => void): readonly Expected[] {
    return this.#step(id, happen)
  }

  started(id: string, key: number, at: Instant): readonly Expected[] {
    return this.#step(id, (step) => {
      const action = actionOf(step, key)
      const isProbe = action.endpoint !== null && this.destination(action.endpoint).isAiling
      onStarted(step, action, at, isProbe)
    })
  }

  interventionEnded(
    id: string,
    key: number,
    answer: 'accepted' | 'rejected' | 'unknown',
    at: Instant,
  ): readonly Expected[] {
    return this.#step(id, (step) => {
      const action = actionOf(step, key)
      dropAction(step, action)
      if (answer === 'unknown') keepUnknown(step, action)
      // A monitor that was removed while no process ran no longer opens an incident.
      if (this.#plan.monitors.has(id)) onInterventionEnded(step, key, answer, at)
      else step.monitor.intervention = null
    })
  }

  codeEnded(id: string, key: number, answer: ActionOutcome, at: Instant): readonly Expected[] {
    return this.#step(id, (step) => {
      const action = actionOf(step, key)
      dropAction(step, action)
      if (answer.kind === 'unknown') keepUnknown(step, action)
      onCodeEnded(step, action, answer, at)
    })
  }

  /** The service decided to send a digest; the comparing rules check it. */
  queueDigest(endpoint: string): readonly Expected[] {
    const { now } = this.#options.clocks()
    this.#destinations.set(endpoint, { ...this.destination(endpoint), lastDigestAt: now })
    return this.#step(service, (step) =>
      enqueue(step, {
        kind: 'code',
        color: null,
        cause: 'digest',
        endpoint,
        episode: null,
        incident: null,
        acknowledgedBy: null,
        because: reason('digest'),
        attempt: 1,
        notBefore: { from: step.around.now, to: step.around.now + step.around.cooldownMs },
      }),
    )
  }

  cancelDigest(action: ModelAction, outcome: 'superseded' | 'configuration_changed'): readonly Expected[] {
    return this.#step(service, (step) =>
      cancel(step, action, outcome, outcome === 'superseded' ? reason('nothing_untold') : destinationRemoved),
    )
  }

  sendPage(
    page: PageMessage,
    { endpoint, incident, at }: Addressed,
    because: ModelReason,
  ): readonly Expected[] {
    return this.#step(service, (step) =>
      queueOrFail(step, {
        ...{ kind: 'code', color: null, cause: 'page', endpoint, episode: null, incident, page },
        ...{ acknowledgedBy: null, because, attempt: 1 },
        notBefore: at ?? { from: step.around.now, to: step.around.now },
      }),
    )
  }

  withdrawPage(page: string, because: ModelReason): readonly Expected[] {
    return this.#step(service, (step) => withdrawPage(step, page, because))
  }

  /** Its destination is no longer in the fleet. */
  cancelPage(action: ModelAction): readonly Expected[] {
    return this.#step(service, (step) => cancel(step, action, 'configuration_changed', destinationRemoved))
  }

  /** Delivered or dropped. Without an answer, its incidents are still untold. */
  digestEnded(action: ModelAction, answer: ActionOutcome): readonly Expected[] {
    const endpoint = action.endpoint!
    const before = this.destination(endpoint)
    const lastDigestAt = Math.max(before.lastDigestAt, action.startedAt!)
    this.#destinations.set(endpoint, { ...before, lastDigestAt })
    if (answer.kind === 'retry' || answer.kind === 'unknown') return []
    // A destination that has left the fleet meanwhile is owed nothing.
    if (!this.#plan.endpoints.has(endpoint)) return []
    this.#changeUntold(endpoint, (monitor, name) => digested(monitor, name, action.startedAt!))
    const type = answer.kind === 'accepted' ? 'digest_sent' : 'digest_dropped'
    const because = answer.kind === 'accepted' ? reason('taken') : reason('answer')
    return [{ type, monitorId: service, endpoint, because }]
  }

  /** When the last digest was queued. */
  lastDigestAt(endpoint: string): Instant {
    return this.destination(endpoint).lastDigestAt
  }

  /** What a destination was not notified of, by monitor. */
  untoldAt(endpoint: string): readonly { readonly monitor: ModelMonitor; readonly untold: ModelUntold }[] {
    const found = []
    for (const monitor of this.#monitors.values())
      for (const untold of monitor.untold)
        if (untold.endpoint === endpoint && untold.since !== null) found.push({ monitor, untold })
    return found
  }

  #changeUntold(
    endpoint: string,
    change: (monitor: ModelMonitor, endpoint: string) => readonly ModelUntold[],
  ): void {
    for (const [id, monitor] of this.#monitors)
      if (monitor.untold.length > 0) this.#monitors.set(id, { ...monitor, untold: change(monitor, endpoint) })
  }

  /** What an answer means for its destination. */
  answered(endpoint: string, answer: ActionOutcome, at: Instant, isProbe: boolean): readonly Expected[] {
    const before = this.destination(endpoint)
    const after = afterAnswer(before, answer, at, isProbe)
    this.#destinations.set(endpoint, after)
    const said = (type: ServiceEvent, because: ModelReason): Expected[] => [
      { type, monitorId: service, endpoint, because },
    ]
    if (after.isDead) this.#changeUntold(endpoint, doubtUntold)
    if (after.isDead && !before.isDead)
      return [
        ...said('destination_dead', reason('answer', { answer: 'gone' })),
        ...[...this.#monitors.keys()].flatMap((id) => this.#step(id, (step) => failAsGone(step, endpoint))),
      ]
    if (after.isAiling && !before.isAiling) return said('destination_ailing', reason('not_taken'))
    return before.isAiling && !after.isAiling ? said('destination_recovered', reason('taken')) : []
  }

  /** Failures before a restart count too, as far as the service knows them. */
  mayAil(endpoint: string): boolean {
    const before = this.destination(endpoint)
    if (before.isProven || before.failures === 0) return false
    const ailingSince = before.isAiling ? before.ailingSince : this.#options.clocks().now
    this.#destinations.set(endpoint, { ...before, isAiling: true, ailingSince })
    return true
  }

  destination(endpoint: string): ModelDestination {
    const known = this.#destinations.get(endpoint)
    return known ?? this.#fresh(this.#plan.endpoints.get(endpoint)?.version ?? 0)
  }

  /** Made once per version: destinations are looked up at every turn, and most never had trouble. */
  #fresh(version: number): ModelDestination {
    const known = this.#freshDestinations.get(version)
    if (known !== undefined) return known
    const fresh = freshDestination(version)
    this.#freshDestinations.set(version, fresh)
    return fresh
  }

  /** A parent may still have to be checked before this one opens. */
  mayWait(id: string): boolean {
    const step = new Step(this.#monitors.get(id)!, {
      ...this.#around(),
      shows: () => false,
      writes: () => false,
    })
    return waitsForParent(step, step.episode?.dueSince ?? 0) || suppressing(step).length > 0
  }

  /** No ancestor is in trouble. */
  speaks(id: string): boolean {
    return suppressing({ id, around: this.#around() }).length === 0
  }

  #step(id: string, happen: (step: Step) => void): readonly Expected[] {
    const step = new Step(this.#monitors.get(id)!, this.#around())
    happen(step)
    this.#monitors.set(id, step.monitor)
    return step.expected
  }

  #around(): Surroundings {
    return {
      ...this.#options.clocks(),
      plan: this.#plan,
      cooldownMs: this.#options.cooldownMs,
      monitor: (id) => this.#monitors.get(id),
      isDead: (endpoint) => this.destination(endpoint).isDead,
      isAiling: (endpoint) => this.destination(endpoint).isAiling,
      heldUntil: (endpoint) => this.destination(endpoint).atLatest,
      nextNumber: () => ++this.#number,
      shows: this.#options.shows,
      writes: this.#options.writes,
    }
  }
}

/** A time that an earlier process recorded with a clock that was ahead counts as the start of this process. */
function broughtBack(arrivals: ModelMonitor['arrivals'], now: Instant): ModelMonitor['arrivals'] {
  const back = (one: Arrival) => ({ ...one, from: Math.min(one.from, now), to: Math.min(one.to, now) })
  return Object.fromEntries(Object.entries(arrivals).map(([place, one]) => [place, back(one)]))
}

/** The same for an action that a worker still has. */
function startedBy(action: ModelAction, now: Instant): ModelAction {
  const { startedAt } = action
  return startedAt !== null && startedAt > now ? { ...action, startedAt: now } : action
}

function keepUnknown({ monitor }: Step, { key, color, endpoint, incident }: ModelAction): void {
  monitor.unknown = [...monitor.unknown, { key, color, endpoint, incident, revision: 1 }]
}

function actionOf(step: Step, key: number): ModelAction {
  return step.monitor.actions.find((one) => one.key === key)!
}
