// simulation/model/step.ts: one input of one monitor while the model evaluates it: a mutable draft of the
// monitor, and what the service must show for it.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { FleetPlan } from '../fleet-plan.ts'
import type { Expected, Instant, ModelEpisode, ModelMonitor } from './monitor-state.ts'

/** What the model may read besides the monitor itself. */
export interface Surroundings {
  readonly plan: FleetPlan
  /** Service time. */
  readonly now: Instant
  /** Monotonic time. */
  readonly nowMs: number
  readonly cooldownMs: number
  /** The number of the process, and when it started. */
  readonly process: number
  readonly processStartedAt: Instant
  monitor(id: string): ModelMonitor | undefined
  isDead(endpoint: string): boolean
  isAiling(endpoint: string): boolean
  /** Until when a destination may be left alone. */
  heldUntil(endpoint: string): Instant
  nextNumber(): number
  /** Whether the service shows this in the present turn, where behaviour.md allows both. */
  shows(id: string, what: Partial<StoredEvent>): boolean
  /** The same for the records of actions: joining a queued action, or following one in flight, makes no event. */
  writes(id: string, isMeant: (action: Action) => boolean): boolean
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export class Step {
  readonly id: string
  readonly monitor: Mutable<ModelMonitor>
  readonly around: Surroundings
  readonly expected: Expected[] = []

  constructor(monitor: ModelMonitor, around: Surroundings) {
    this.id = monitor.plan.id
    this.monitor = { ...monitor }
    this.around = around
  }

  get episode(): ModelEpisode | null {
    return this.monitor.episode
  }

  inEpisode(changes: Partial<ModelEpisode>): void {
    if (this.monitor.episode !== null) this.monitor.episode = { ...this.monitor.episode, ...changes }
  }

  expect(one: Expected): void {
    this.expected.push(one)
  }
}
