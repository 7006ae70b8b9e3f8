// checks/checked-monitor.ts: a monitor whose checks follow each other as in a probe thread: each may resume the TLS session
// that the one before has left. Names are addresses on loopback, and time passes when the test says so.
import type { CheckDriver, Outcome } from '@pulseward/server/internal/checks/driver.ts'
import { runCheck } from '@pulseward/server/internal/checks/runner.ts'
import { SessionMemory } from '@pulseward/server/internal/platform/tls/session-memory.ts'
import type { Static, TObject } from 'typebox'
import { FakeClock } from '../engine/fake-clock.ts'
import { LoopbackRun } from './loopback-run.ts'

export class CheckedMonitor {
  readonly clock: FakeClock
  readonly sessions: SessionMemory
  readonly #row: number

  /** Monitors of one thread share their memory of sessions. */
  constructor(clock = new FakeClock(), sessions = new SessionMemory(clock), row = 0) {
    this.clock = clock
    this.sessions = sessions
    this.#row = row
  }

  /** Another monitor of the same thread. */
  neighbour(): CheckedMonitor {
    return new CheckedMonitor(this.clock, this.sessions, this.#row + 1)
  }

  async check<Schema extends TObject>(
    driver: CheckDriver<Schema>,
    config: Static<Schema>,
    { version = 0, timeoutMs = 5_000 } = {},
  ): Promise<Outcome> {
    using loopback = new LoopbackRun()
    const job = {
      driver: driver as unknown as CheckDriver,
      config: config as Record<string, unknown>,
      timeoutMs,
      retries: 0,
      secrets: [],
      sessions: this.sessions,
      row: this.#row,
      version,
      intervalMs: 1_000,
    }
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    runCheck(job, loopback.network, this.clock, resolve)
    const outcome = await promise
    if (loopback.openSockets > 0) throw new Error(`the check left ${loopback.openSockets} sockets open`)
    return outcome
  }
}
