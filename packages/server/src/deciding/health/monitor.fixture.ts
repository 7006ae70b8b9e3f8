// deciding/health/monitor.fixture.ts: a monitor that tests drive in sentences. It uses the state machine alone: each
// call is one input at its own time, and all effects and events are kept in order.
import { type Ancestors, clear } from './ancestors.ts'
import type { HealthRules } from './health.ts'
import { type Health, type Instant, newHealth } from './health.ts'
import type { Asked, HealthContext, HealthInput, InterventionOutcome, ResultInput } from './input.ts'
import { type Status, statusOf, statusReason } from './status.ts'
import type { Effect, MonitorEvent, Notify, Step } from './step.ts'
import { transition } from './transition.ts'

export const plainRules: HealthRules = {
  unhealthyThreshold: 3,
  healthyThreshold: 2,
  recoveryConfigured: false,
  settleMs: 5_000,
  repeatMs: null,
}

export const asked: Asked = { actor: 'ann', reason: 'planned work', note: null }
export const inTrouble: Ancestors = { kind: 'in-trouble', by: 'edge-gateway' }
export const notChecked: Ancestors = { kind: 'not-checked' }

export class MonitorUnderTest {
  state: Health = newHealth(1)
  rules: HealthRules
  now: Instant = 1_000_000
  ancestors: Ancestors = clear
  readonly effects: Effect[] = []
  readonly events: MonitorEvent[] = []
  #inputs = 0

  constructor(rules: Partial<HealthRules> = {}) {
    this.rules = { ...plainRules, ...rules }
  }

  get status(): Status {
    return statusOf(this.state)
  }

  get reason(): string | null {
    return statusReason(this.state, this.rules)
  }

  get colors(): string[] {
    return this.effects.filter((effect): effect is Notify => effect.kind === 'notify').map((n) => n.color)
  }

  get history(): string[] {
    return this.events.map((e) => (e.type === 'incident_closed' ? `${e.type} ${e.outcome}` : e.type))
  }

  ordered(kind: Effect['kind']): Effect[] {
    return this.effects.filter((effect) => effect.kind === kind)
  }

  succeeds(times = 1, warning: string | null = null): this {
    return this.#results(times, { status: 'success', warning })
  }

  fails(times = 1, reason = 'refused'): this {
    return this.#results(times, { status: 'failure', reason })
  }

  timesOut(times = 1): this {
    return this.#results(times, { status: 'timeout' })
  }

  saysNothing(): this {
    return this.#results(1, { status: 'no_data' })
  }

  suffersOwnFault(): this {
    return this.#results(1, { status: 'timeout', ownFault: true })
  }

  startsIntervention(): this {
    return this.gets({ kind: 'action-started', actionId: this.state.intervention?.actionId ?? 'none' })
  }

  endsIntervention(outcome: InterventionOutcome): this {
    const actionId = this.state.intervention?.actionId ?? 'none'
    return this.gets({ kind: 'action-ended', actionId, outcome, context: this.context() })
  }

  /** Fails up to the threshold and has its intervention queued and started. */
  failsIntoIntervention(): this {
    return this.fails(this.rules.unhealthyThreshold).startsIntervention()
  }

  /** Has its intervention accepted and waits until the settle time has passed. */
  failsIntoVerification(): this {
    return this.failsIntoIntervention().endsIntervention('accepted').waits(this.rules.settleMs)
  }

  beginsMaintenance(name: string | null = null): this {
    return this.gets({ kind: 'maintenance-began', untilWallMs: 2e12, name, context: this.context() })
  }

  endsMaintenance(): this {
    return this.gets({ kind: 'maintenance-ended' })
  }

  changesCheck(): this {
    const checkRevision = this.state.checkRevision + 1
    return this.gets({ kind: 'configuration-changed', checkRevision, recoveryChanged: false })
  }

  changesRecovery(): this {
    const { checkRevision } = this.state
    return this.gets({ kind: 'configuration-changed', checkRevision, recoveryChanged: true })
  }

  isDueToRepeat(): this {
    return this.gets({ kind: 'repeat-due', context: this.context() })
  }

  /** Does not end by itself: the state machine does not watch the deadline. */
  isSnoozed(untilWallMs = 2e12): this {
    return this.gets({ kind: 'snoozed', untilWallMs, asked })
  }

  isUnsnoozed(): this {
    return this.gets({ kind: 'unsnoozed', asked })
  }

  /** Applies to the open incident. */
  isHandled(kind: 'acknowledged' | 'dismissed' | 'reopened'): this {
    return this.gets({ kind, incidentId: this.state.episode?.incident?.id ?? 'none', asked })
  }

  isToRecover(): this {
    return this.gets({ kind: 'recovery-requested', asked, context: this.context() })
  }

  restarts(): this {
    return this.gets({ kind: 'restarted', interventionRuns: false, context: this.context() })
  }

  dependsOn(ancestors: Ancestors): this {
    this.ancestors = ancestors
    return this
  }

  waits(ms: number): this {
    this.now += ms
    return this
  }

  gets(input: HealthInput): this {
    this.take(transition(this.state, input, this.rules, this.now))
    return this
  }

  take(step: Step): void {
    this.state = step.state
    this.events.push(...step.events)
    this.effects.push(...step.effects)
  }

  result(result: Partial<ResultInput>): ResultInput {
    return {
      kind: 'result',
      status: 'success',
      ownFault: false,
      warning: null,
      reason: null,
      from: null,
      generation: this.state.generation + 1,
      checkRevision: this.state.checkRevision,
      startedAt: this.now,
      finishedAt: this.now,
      context: this.context(),
      ...result,
    }
  }

  context(): HealthContext {
    const n = ++this.#inputs
    return {
      ancestors: this.ancestors,
      ids: { episode: `episode-${n}`, incident: `incident-${n}`, intervention: `action-${n}` },
    }
  }

  #results(times: number, result: Partial<ResultInput>): this {
    for (let n = 0; n < times; n++) this.waits(10).gets(this.result(result))
    return this
  }
}
