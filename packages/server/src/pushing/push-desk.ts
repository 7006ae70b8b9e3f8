// pushing/push-desk.ts: takes the signals of jobs. Signals that arrive in the same event loop turn are one turn of
// the engine and one commit. A signal is acknowledged when that is on disk, never before: a job that was told
// `ok` may forget what it reported.
import { setImmediate as nextMoment } from 'node:timers/promises'
import type { SignalKind } from '../deciding/push/push-state.ts'
import type { Engine } from '../engine/engine.ts'
import type { Clock } from '../platform/clock.ts'
import type { KeyDigest, KeyOwner } from '../platform/key-table.ts'
import type { ArrivedSignal, PushMonitors, Taken } from './push-monitors.ts'

export interface PushDeskOptions {
  readonly monitors: PushMonitors
  readonly engine: Pick<Engine, 'request'>
  readonly clock: Clock
}

interface Waiting {
  readonly owner: KeyOwner
  readonly signal: ArrivedSignal
  settle(taken: Taken | 'unavailable'): void
}

export class PushDesk {
  readonly #options: PushDeskOptions
  #waiting: Waiting[] = []

  constructor(options: PushDeskOptions) {
    this.#options = options
  }

  /** Whose key has this digest; null for an unknown one, or for none. */
  find(digest: KeyDigest | null): KeyOwner | null {
    return digest === null ? null : this.#options.monitors.find(digest)
  }

  secretsOf({ row }: KeyOwner): readonly string[] {
    return this.#options.monitors.secretsOf(row)
  }

  /** 0 if the key may send a signal of this kind now, otherwise for how many seconds it has to wait. */
  waitSeconds({ row }: KeyOwner, kind: SignalKind): number {
    const { monitors, clock } = this.#options
    return monitors.rate.take(row, kind, clock.monotonicMs())
  }

  /** Resolves when the signal is on disk, or cannot be stored now. */
  take(owner: KeyOwner, signal: ArrivedSignal): Promise<Taken | 'unavailable'> {
    const { promise, resolve: settle } = Promise.withResolvers<Taken | 'unavailable'>()
    if (this.#waiting.push({ owner, signal, settle }) === 1) void nextMoment().then(() => this.#store())
    return promise
  }

  async #store(): Promise<void> {
    const { monitors, engine } = this.#options
    const waiting = this.#waiting
    this.#waiting = []
    const taken: Taken[] = []
    let end: Awaited<ReturnType<Engine['request']>> = 'refused'
    try {
      end = await engine.request('told', (turn) => {
        for (const { owner, signal } of waiting) taken.push(monitors.take(turn, owner, signal))
        monitors.report(turn)
        turn.startActions()
      })
    } finally {
      for (const [index, { settle }] of waiting.entries())
        settle(end === 'stored' ? (taken[index] ?? 'unavailable') : 'unavailable')
    }
  }
}
