// simulation/oracle/liveness-rules.ts: what must happen, and by when. The model says what is due; deadlines
// count only time in which the service could act: not while it is paused, stalled or down.
import { externalType } from '@pulseward/server/internal/config/external-driver.ts'
import type { Rate } from '@pulseward/server/internal/notify/driver.ts'
import { notifierOf } from '@pulseward/server/internal/notify/registry.ts'
import type { FleetPlan } from '../fleet-plan.ts'
import type { ModelUntold } from '../model/monitor-state.ts'
import { type ModelAction, type ModelMonitor, service } from '../model/monitor-state.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import type { PageDuty } from './escalation-rules.ts'
import type { Findings } from './findings.ts'
import { isActive } from './maintenance-model.ts'
import type { Scene } from './scene.ts'

const windowNoticedMs = 3_000
const snoozeEndsMs = 3_000
const judgedAgainMs = 3_000
/** A monitor that an ancestor in trouble held back is judged again at this interval. */
const repeatedMs = 15_000
const digestMs = 10_000
const pageMs = 3_000
const codeStartsMs = 20_000
const recoveryStartsMs = 60_000
/** For each recovery that may go first: a minute of the budget, the longest recovery, and the checks that verify it. */
const recoveryTurnMs = 120_000
const longestStepMs = 1_000

/** The rate limits of the driver of a destination. */
export function ratesOf(endpoint: string, { endpoints }: FleetPlan): Rate {
  const planned = endpoints.get(endpoint)
  if (planned === undefined) return { maxInFlight: 4, perSecond: null }
  return planned.type === externalType ? { maxInFlight: 64, perSecond: null } : notifierOf(planned).rate
}

/** No green of the monitor is pending that would report it. */
export function isForDigest({ actions }: ModelMonitor, { endpoint, isCertain }: ModelUntold): boolean {
  return isCertain && !actions.some((one) => one.color === 'green' && one.endpoint === endpoint)
}

type Duty = 'window' | 'snooze' | 'waiting' | 'repeat' | 'start' | 'probe' | 'digest' | 'page'

interface Due {
  readonly since: number
  boundMs: number
}

export interface Evidence {
  /** A check of this monitor has failed since the restart or gap. */
  has(monitor: ModelMonitor): boolean
  /** What is due of pages at this time. */
  pages(now: number): Iterable<PageDuty>
  /** A description of the action in the service, for people. */
  wordsFor(key: number): string
}

export class LivenessRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #model: ReferenceModel
  readonly #evidence: Evidence
  readonly #cooldownMs: number
  /** Since when something is continuously due, in running time, by duty and subject. */
  readonly #due: Readonly<Record<Duty, Map<string | number, Due>>> = {
    ...{ window: new Map(), snooze: new Map(), waiting: new Map(), repeat: new Map() },
    ...{ start: new Map(), probe: new Map(), digest: new Map(), page: new Map() },
  }
  /** Ailing destinations to which something could be sent now. */
  readonly #startable = new Set<string>()
  #runningMs = 0
  #lastMs = 0
  #isPaused = false
  /** Service time and wall time of the judged turn. */
  #now = 0
  #wallMs = 0

  constructor(
    scene: Scene,
    findings: Findings,
    model: ReferenceModel,
    cooldownMs: number,
    evidence: Evidence,
  ) {
    this.#cooldownMs = cooldownMs
    this.#scene = scene
    this.#findings = findings
    this.#model = model
    this.#evidence = evidence
  }

  processStarted(): void {
    this.#forgetDue()
    this.#isPaused = false
    this.#lastMs = this.#scene.clock.monotonicMs()
  }

  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#forgetDue()
  }

  /** The service has just run a turn. */
  judge(): void {
    const nowMs = this.#scene.clock.monotonicMs()
    const sinceMs = nowMs - this.#lastMs
    this.#lastMs = nowMs
    if (this.#isPaused) return
    // A late turn could not do anything in time.
    if (sinceMs > longestStepMs) this.#forgetDue()
    this.#runningMs += Math.min(sinceMs, longestStepMs)
    this.#startable.clear()
    this.#now = this.#scene.running.parts.time.now()
    this.#wallMs = this.#scene.clock.wallMs()
    for (const monitor of this.#model.monitors()) {
      if (monitor.isRemoved) continue
      this.#judgeWindow(monitor)
      this.#judgeSnooze(monitor)
      this.#judgeWaiting(monitor)
      this.#judgeRepeat(monitor)
      for (const action of monitor.actions) {
        if (action.state === 'queued') this.#judgeQueued(monitor, action)
      }
    }
    this.#judgeAiling()
    this.#judgeUntold()
    for (const { of, isDue, words } of this.#evidence.pages(this.#now))
      this.#within('page', of, isDue, pageMs, words)
  }

  #forgetDue(): void {
    for (const duties of Object.values(this.#due)) duties.clear()
  }

  #judgeWindow({ plan, maintenance }: ModelMonitor): void {
    const isIn = plan.window !== null && isActive(plan.window, this.#wallMs)
    const isOther = plan.enabled && isIn !== (maintenance !== null)
    this.#within('window', plan.id, isOther, windowNoticedMs, () =>
      isIn
        ? `${plan.id} is in maintenance and nothing shows it`
        : `the maintenance of ${plan.id} does not end`,
    )
  }

  #judgeSnooze({ plan, snooze }: ModelMonitor): void {
    const isOver = snooze !== null && snooze.untilWallMs <= this.#wallMs
    this.#within('snooze', plan.id, isOver, snoozeEndsMs, () => `the snooze of ${plan.id} does not end`)
  }

  #judgeWaiting(monitor: ModelMonitor): void {
    const { plan, episode } = monitor
    // After a restart it is judged when it fails again.
    const isOver =
      episode?.withheld === 'waiting' && this.#evidence.has(monitor) && !this.#model.mayWait(plan.id)
    this.#within(
      'waiting',
      plan.id,
      isOver,
      judgedAgainMs,
      () => `${plan.id} waits for a parent for too long`,
    )
  }

  #judgeRepeat(monitor: ModelMonitor): void {
    const { plan, plannedAt, episode, maintenance, snooze } = monitor
    const incident = episode?.incident ?? null
    // The changed fleet may repeat it more often than the previous one.
    const dueAt =
      Math.max(incident?.lastRedAt ?? Infinity, plannedAt) + (plan.repeatMinutes ?? Infinity) * 60_000
    // An acknowledged or dismissed incident is not repeated.
    const isAttended = incident !== null && (incident.isDismissed || incident.acknowledgedBy !== null)
    const isSilent = maintenance !== null || snooze !== null || incident?.retell === true || isAttended
    const isDue =
      !isSilent && this.#now >= dueAt && this.#evidence.has(monitor) && this.#model.speaks(plan.id)
    this.#within(
      'repeat',
      plan.id,
      isDue,
      repeatedMs,
      () =>
        `the red of ${plan.id} is not repeated (last ${incident!.lastRedAt}, every ${plan.repeatMinutes} min, now ${this.#now})`,
    )
  }

  #judgeQueued(monitor: ModelMonitor, action: ModelAction): void {
    const { id } = monitor.plan
    const isGray = action.color === 'gray'
    const mayGo = isGray || monitor.maintenance === null
    const needsEvidence = action.kind === 'intervention' || action.color === 'red'
    const isOwnWay = mayGo && (!needsEvidence || this.#evidence.has(monitor))
    if (action.kind === 'intervention') {
      const isDue = isOwnWay && this.#model.speaks(id)
      const boundMs = recoveryStartsMs + recoveryTurnMs * this.#waitingRecoveries()
      return this.#within(
        'start',
        action.key,
        isDue,
        boundMs,
        () => `the recovery of ${id} never starts (${this.#evidence.wordsFor(action.key)})`,
      )
    }
    if (!isOwnWay || this.#now < action.notBefore.to || isBehindAnother(monitor, action))
      return this.#within('start', action.key, false, 0, () => '')
    const rate = ratesOf(action.endpoint!, this.#model.plan)
    const { queued, started } = this.#lineOf(action.endpoint!)
    const { isAiling, atLatest } = this.#model.destination(action.endpoint!)
    const isOpen = this.#now >= atLatest
    if (isAiling && started === 0) this.#startable.add(action.endpoint!)
    const isDue = !isAiling && isOpen && started < rate.maxInFlight
    const boundMs = codeStartsMs + queued * (rate.perSecond === null ? 0 : 1_000 / rate.perSecond)
    this.#within(
      'start',
      action.key,
      isDue,
      boundMs,
      () =>
        `the ${action.color} of ${id} to ${action.endpoint} is not sent (${this.#evidence.wordsFor(action.key)})`,
    )
  }

  /** An ailing destination with something to send is probed with one notification. */
  #judgeAiling(): void {
    for (const name of this.#model.plan.endpoints.keys()) {
      const { isAiling, atLatest } = this.#model.destination(name)
      const isDue = isAiling && this.#startable.has(name) && this.#now >= atLatest
      this.#within('probe', name, isDue, codeStartsMs, () => `${name} is ailing and never tried again`)
    }
  }

  /** What no green reports is sent in one message, a cooldown after the oldest of it became untold. */
  #judgeUntold(): void {
    const oldestAt = this.#oldestUntold()
    for (const name of this.#model.plan.endpoints.keys()) {
      const { lastDigestAt, lastDigestBy, isDead } = this.#model.destination(name)
      const dueAt = Math.max(oldestAt.get(name) ?? Infinity, lastDigestAt, lastDigestBy) + this.#cooldownMs
      const isOpen = () => this.#model.monitor(service)!.actions.some(isDigestTo(name))
      const isDue = this.#now >= dueAt && !isDead && !isOpen()
      this.#within(
        'digest',
        name,
        isDue,
        digestMs,
        () =>
          `${name} is never told of what it has missed (${JSON.stringify(this.#model.untoldAt(name).map(({ monitor, untold }) => [monitor.plan.id, untold]))}, ${JSON.stringify(this.#model.destination(name))}, now ${this.#now})`,
      )
    }
  }

  /** Since when a digest could report the oldest incident that each destination has missed since its last digest. */
  #oldestUntold(): ReadonlyMap<string, number> {
    const oldestAt = new Map<string, number>()
    for (const monitor of this.#model.monitors()) {
      for (const untold of monitor.untold) {
        const { endpoint, since, triedUntil } = untold
        if (since === null || since <= this.#model.lastDigestAt(endpoint)) continue
        if (!isForDigest(monitor, untold)) continue
        const oldest = oldestAt.get(endpoint) ?? Infinity
        oldestAt.set(endpoint, Math.min(oldest, Math.max(since, triedUntil)))
      }
    }
    return oldestAt
  }

  #waitingRecoveries(): number {
    let waiting = 0
    for (const { actions } of this.#model.monitors())
      waiting += actions.filter(({ kind }) => kind === 'intervention').length
    return waiting
  }

  #lineOf(endpoint: string): { readonly queued: number; readonly started: number } {
    let [queued, started] = [0, 0]
    for (const { actions } of this.#model.monitors()) {
      for (const action of actions) {
        if (action.endpoint !== endpoint) continue
        if (action.state === 'queued') queued++
        else started++
      }
    }
    return { queued, started }
  }

  /** Something may be due for a limited time only. */
  #within(duty: Duty, of: string | number, isDue: boolean, boundMs: number, words: () => string): void {
    const duties = this.#due[duty]
    if (!isDue) {
      duties.delete(of)
      return
    }
    const due = duties.get(of) ?? { since: this.#runningMs, boundMs }
    // Actions that went first may be gone by now.
    due.boundMs = Math.max(due.boundMs, boundMs)
    duties.set(of, due)
    const lateMs = this.#runningMs - due.since
    if (lateMs > due.boundMs)
      this.#findings.note('liveness', `${words()}: due for ${Math.round(lateMs / 1000)} s`)
  }
}

function isDigestTo(name: string): (action: ModelAction) => boolean {
  return ({ cause, endpoint }) => cause === 'digest' && endpoint === name
}

/** Notifications of one monitor to one destination are sent one after the other, except gray. */
function isBehindAnother({ actions }: ModelMonitor, { endpoint, color }: ModelAction): boolean {
  const isBefore = (one: ModelAction) =>
    one.endpoint === endpoint && one.state === 'started' && one.color !== 'gray'
  return color !== 'gray' && actions.some(isBefore)
}
