// acting/recovery-account.ts: how the episodes that could have been recovered ended, for the SLO window. Each is counted
// in the bucket in which it reached the unhealthy threshold, however much later its outcome is known.
import type { Action, ActionState } from '../deciding/actions/action.ts'
import type { LedgerView } from '../deciding/actions/ledger-view.ts'
import type { Decision } from '../deciding/decision.ts'
import type { Health, Instant } from '../deciding/health/health.ts'
import type { Step } from '../deciding/health/step.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { ServiceTime } from '../platform/service-time.ts'
import type { RecoveryKind } from '../slo/recovery-coverage.ts'
import type { SloWindow } from '../slo/slo-window.ts'

const ends: Readonly<Partial<Record<ActionState, RecoveryKind | null>>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  cancelled: null,
}

interface Pending {
  reachedAt: Instant
}

export class RecoveryAccount {
  readonly #fleet: Fleet
  readonly #slo: SloWindow
  readonly #time: ServiceTime
  /** Interventions of this process that have no outcome yet. */
  readonly #pending = new Map<string, Pending>()
  /** Pending interventions that the budget has not delayed yet. */
  readonly #notHeld = new Map<string, Pending>()

  constructor(fleet: Fleet, slo: SloWindow, time: ServiceTime) {
    this.#fleet = fleet
    this.#slo = slo
    this.#time = time
  }

  follow({ steps, actions }: Decision): void {
    for (const { row, before, step } of steps)
      this.#noteStep(before, step, this.#fleet.recoveryOf(row) !== null)
    for (const action of actions) this.#noteAction(action)
  }

  #noteStep(before: Health, step: Step, isConfigured: boolean): void {
    const reachedAt = step.state.episode?.thresholdReachedAt ?? null
    if (reachedAt === null) return
    if ((before.episode?.thresholdReachedAt ?? null) === null) {
      this.#note(isConfigured ? 'eligible' : 'noneConfigured', reachedAt)
      if (isConfigured && step.state.hold !== null) this.#note('held', reachedAt)
    }
    for (const effect of step.effects) {
      // A manual recovery may be the second of its episode, and an episode is counted once.
      if (effect.kind !== 'queue-intervention' || effect.because.kind === 'control') continue
      this.#note('admitted', reachedAt)
      const pending = { reachedAt }
      this.#pending.set(effect.actionId, pending)
      this.#notHeld.set(effect.actionId, pending)
    }
  }

  #noteAction({ id, state }: Action): void {
    const end = ends[state]
    const pending = this.#pending.get(id)
    if (end === undefined || pending === undefined) return
    this.#pending.delete(id)
    this.#notHeld.delete(id)
    if (end !== null) this.#note(end, pending.reachedAt)
  }

  /** Call periodically: notes interventions that wait for the budget. */
  noteHeld(view: LedgerView, now: Instant): void {
    for (const [actionId, { reachedAt }] of this.#notHeld) {
      if (view.waitOf(actionId, now) !== 'budget') continue
      this.#notHeld.delete(actionId)
      this.#note('held', reachedAt)
    }
  }

  /** The clock was set: moves all instants. */
  move(stepMs: number): void {
    for (const pending of this.#pending.values()) pending.reachedAt += stepMs
  }

  #note(kind: RecoveryKind, reachedAt: Instant): void {
    this.#slo.noteRecovery(kind, this.#time.monotonicMs(reachedAt))
  }
}
