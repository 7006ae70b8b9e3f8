// simulation/oracle/start-rules.ts: what must hold at the moment when an action is started: only gray in
// maintenance, no red and no recovery on evidence of the previous process, the recovery budget, the cooldown,
// and no recovery behind an ancestor in trouble.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { isInTrouble } from '@pulseward/server/internal/deciding/health/ancestors.ts'
import type { CommitBatch } from '@pulseward/server/internal/store/store.ts'
import type { ActionRules } from './action-rules.ts'
import type { Findings } from './findings.ts'
import type { MaintenanceModel } from './maintenance-model.ts'
import type { Scene } from './scene.ts'

const minuteMs = 60_000

export interface StartLimits {
  readonly interventionsPerMinute: number
  readonly cooldownMs: number
}

/** Rounding when instants are converted must not look like an early start. */
const roundingMs = 1

/** How to read the instants of a batch: the service time of the turn that decided it. */
interface Frame {
  readonly process: number
  readonly aheadMs: number
}

interface Start extends Frame {
  /** In true time, as far as the process knew. */
  readonly startedMs: number
}

export class StartRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #maintenance: MaintenanceModel
  readonly #records: ActionRules
  readonly #limits: StartLimits
  readonly #lastFailureMs = new Map<string, number>()
  readonly #startedInRun = new Set<string>()
  readonly #arrivals = new Map<string, Start>()
  /** A full disk may delay a batch until after the clock was set, while its instants still refer to the old time. */
  readonly #frames = new WeakMap<CommitBatch, Frame>()
  #interventions: Start[] = []
  #trustedFromMs = 0
  #troubled: ReadonlySet<string> = new Set()

  constructor(
    scene: Scene,
    findings: Findings,
    maintenance: MaintenanceModel,
    records: ActionRules,
    limits: StartLimits,
  ) {
    this.#scene = scene
    this.#findings = findings
    this.#maintenance = maintenance
    this.#records = records
    this.#limits = limits
  }

  processStarted(): void {
    this.#startedInRun.clear()
    this.#lastFailureMs.clear()
    // A job that is still down fails at the moment of the start.
    this.#trustedFromMs = Number.NEGATIVE_INFINITY
  }

  /** There was a restart or a gap of over 30 seconds since the evidence. */
  evidenceIsOld(): void {
    this.#trustedFromMs = this.#scene.clock.trueMs
  }

  failed(monitorId: string, finishedMs: number): void {
    this.#lastFailureMs.set(monitorId, finishedMs)
  }

  /** Monitors that were in trouble before this step. */
  stepEnded(troubled: ReadonlySet<string>): void {
    this.#troubled = troubled
  }

  handedOver(batch: CommitBatch): void {
    const frame = { process: this.#scene.running.number, aheadMs: this.#scene.serviceAheadMs }
    this.#frames.set(batch, frame)
    for (const action of batch.actions) {
      if (action.state !== 'started' || this.#isStarted(action.id)) continue
      this.#startedInRun.add(action.id)
      this.#checkStart(action, frame)
    }
  }

  written(batch: CommitBatch): void {
    const frame = this.#frames.get(batch)!
    for (const action of batch.actions) {
      const isNews = this.#records.actionOf(action.id)?.state !== action.state
      if (isNews && action.kind === 'intervention' && action.state === 'started') this.#spend(action, frame)
      if (isNews && (action.state === 'succeeded' || action.state === 'unknown')) this.#arrived(action, frame)
    }
  }

  /** A job that a worker has from before a restart is written again when the clock is set. */
  #isStarted(id: string): boolean {
    return this.#startedInRun.has(id) || this.#records.actionOf(id)?.state === 'started'
  }

  #checkStart(action: Action, frame: Frame): void {
    const { id, monitorId, kind, color } = action
    if (monitorId === null) return
    if (color !== 'gray' && this.#maintenance.isSurelyIn(monitorId))
      this.#findings.note(
        'quiet in maintenance',
        `${color ?? kind} ${id} of ${monitorId} starts in maintenance`,
      )
    const needsEvidence = kind === 'intervention' || color === 'red'
    if (needsEvidence && !this.#hasEvidence(monitorId))
      this.#findings.note(
        'evidence of this process',
        `${color ?? kind} ${id} of ${monitorId} starts before a check has failed since the restart or gap`,
      )
    if (kind === 'intervention') this.#checkAncestors(action)
    else this.#checkCooldown(action, frame)
  }

  #hasEvidence(monitorId: string): boolean {
    return (this.#lastFailureMs.get(monitorId) ?? Number.NEGATIVE_INFINITY) > this.#trustedFromMs
  }

  #checkAncestors({ id, monitorId }: Action): void {
    for (const ancestor of this.#scene.ancestorsOf(monitorId!)) {
      const status = this.#scene.statusOf(ancestor)
      if (this.#troubled.has(ancestor) && status !== null && isInTrouble(status))
        this.#findings.note('dependencies', `${id} recovers ${monitorId} while ${ancestor} is ${status}`)
    }
  }

  #checkCooldown(action: Action, frame: Frame): void {
    const { id, monitorId, color, endpoint, attempt } = action
    if (color === 'green' || attempt > 1) return
    const start = startOf(action, frame)
    const last = this.#arrivals.get(`${monitorId} ${color} ${endpoint}`)
    if (last === undefined || !isComparable(last, start)) return
    if (start.startedMs < last.startedMs + this.#limits.cooldownMs - roundingMs)
      this.#findings.note('cooldown', `${color} ${id} of ${monitorId} to ${endpoint} starts in the cooldown`)
  }

  #arrived(action: Action, frame: Frame): void {
    const { monitorId, color, endpoint } = action
    if (color !== null) this.#arrivals.set(`${monitorId} ${color} ${endpoint}`, startOf(action, frame))
  }

  #spend(action: Action, frame: Frame): void {
    const start = startOf(action, frame)
    const minuteAgoMs = start.startedMs - minuteMs + roundingMs
    this.#interventions = this.#interventions.filter(
      (one) => isComparable(one, start) && one.startedMs > minuteAgoMs,
    )
    this.#interventions.push(start)
    if (this.#interventions.length > this.#limits.interventionsPerMinute)
      this.#findings.note('recovery budget', `${action.id} is one recovery too many in a minute`)
  }
}

function startOf({ startedAt }: Action, frame: Frame): Start {
  return { ...frame, startedMs: startedAt! - frame.aheadMs }
}

/**
 * A process moves its instants with its clock; those of the previous process mean the same only while no clock is set.
 */
function isComparable(one: Frame, other: Frame): boolean {
  return one.process === other.process || one.aheadMs === other.aheadMs
}
