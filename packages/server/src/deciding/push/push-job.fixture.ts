// deciding/push/push-job.fixture.ts: a job that reports by itself, under a clock that the test moves. Time wakes it
// exactly when it asked for that, as the wheel does.
import type { PushConfig } from '../../config/push-check.ts'
import type { Instant } from '../health/health.ts'
import { pushRules } from './push-rules.ts'
import { neverSeen, type PushState, type SignalKind } from './push-state.ts'
import { type PushInput, pushTransition, pushWakeAt } from './push-transition.ts'
import { type Unreachable, withUnreachable } from './unreachable.ts'

const key = 'unused'

export class PushJob {
  readonly rules
  state: PushState = neverSeen
  now: Instant
  unreachable: readonly Unreachable[] = []
  /** What was said: `03:10 failure: …` for results, `03:00 push_late: …` for events. */
  readonly said: string[] = []
  readonly latencies: (number | null)[] = []

  constructor(config: Omit<PushConfig, 'key'>, startsAt = '2026-06-01T00:00:00Z') {
    this.rules = pushRules({ ...config, key })
    this.now = Date.parse(startsAt)
    this.apply({ kind: 'loaded' })
  }

  apply(input: PushInput): void {
    const { state, results, events } = pushTransition(this.state, input, this.rules, this.now)
    this.state = state
    const time = new Date(this.now).toISOString().slice(11, 16)
    for (const { status, reason, latencyMs } of results) {
      this.said.push(reason === null ? `${time} ${status}` : `${time} ${status}: ${reason}`)
      if (status === 'success') this.latencies.push(latencyMs)
    }
    for (const { type } of events) this.said.push(`${time} ${type}`)
  }

  /** Lets time pass until this moment: HH:MM of the same day, a full instant, or an instant as a number. */
  until(moment: string | number): this {
    const target = typeof moment === 'number' ? moment : this.#instant(moment)
    for (;;) {
      const wakeAt = pushWakeAt(this.state, this.rules, this.unreachable)
      if (wakeAt === null || wakeAt > target) break
      this.now = Math.max(this.now, wakeAt)
      this.apply({ kind: 'time', unreachable: this.unreachable })
    }
    this.now = target
    return this
  }

  signal(kind: SignalKind, rid = '', tookMs: number | null = null): this {
    const words = kind === 'fail' ? 'exit code 1' : ''
    this.apply({ kind: 'signal', signal: { kind, rid, words, tookMs } })
    return this
  }

  /** The service is not running until this moment. */
  down(moment: string): this {
    const from = this.now
    this.now = this.#instant(moment)
    this.unreachable = withUnreachable(this.unreachable, { kind: 'down', from, until: this.now })
    this.apply({ kind: 'restarted', downSince: from })
    return this
  }

  /** Nobody is answered until this moment. */
  stalled(moment: string): this {
    const from = this.now
    this.now = this.#instant(moment)
    this.unreachable = withUnreachable(this.unreachable, { kind: 'stalled', from, until: this.now })
    return this
  }

  /** What was said since the last call. */
  told(): string[] {
    return this.said.splice(0)
  }

  get due(): string | null {
    return this.state.dueAt === null ? null : new Date(this.state.dueAt).toISOString().slice(0, 16)
  }

  #instant(moment: string): Instant {
    return Date.parse(
      moment.includes('T') ? moment : `${new Date(this.now).toISOString().slice(0, 11)}${moment}:00Z`,
    )
  }
}
