// testing/controller-under-test.ts: the controller with every check in the test's hand: a check that was started stays
// under way until the test ends it, late, badly or never. Time is the test's too.
import { statuses } from '@pulseward/contract'
import type { CheckRunner } from '@pulseward/server/internal/checking/check-flow.ts'
import { ResultBuffer } from '@pulseward/server/internal/checking/probe/result-buffer.ts'
import type { Outcome } from '@pulseward/server/internal/checks/driver.ts'
import { checks } from '@pulseward/server/internal/checks/registry.ts'
import type { MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import { Controller } from '@pulseward/server/internal/engine/engine.ts'
import type { Committer } from '@pulseward/server/internal/engine/journal.ts'
import { arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { ForgetfulStore } from '@pulseward/server/internal/store/forgetful-store.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { FakeClock } from './fake-clock.ts'
import { definitionOf } from './fleet-files.ts'
import { SimulatedProviders } from './simulated-providers.ts'

const tickMs = 10
const adaptMs = 250

export interface StartedCheck {
  readonly row: number
  readonly generation: number
  readonly startedMs: number
}

export class ControllerUnderTest implements CheckRunner {
  readonly clock = new FakeClock()
  readonly fleet = new Fleet(Object.keys(checks))
  readonly controller: Controller
  /** Every check that was handed out, in order. */
  readonly started: StartedCheck[] = []
  #added: StartedCheck[] = []

  constructor(monitors: readonly MonitorDocument[], committer: Committer = new ForgetfulStore()) {
    const { fleet, clock } = this
    const settings = resolveSettings({ flags: new Map(), environment: {}, file: null }).values
    let ids = 0
    this.controller = new Controller({
      settings,
      fleet,
      clock,
      log: silentLog,
      ids: () => `id-${ids++}`,
      committer,
      recovered: null,
    })
    this.controller.attach(this, new SimulatedProviders(clock))
    this.reload(monitors)
  }

  get flow() {
    return this.controller.flow
  }

  setFleet(): void {}

  add(row: number, generation: number): void {
    this.#added.push({ row, generation, startedMs: this.clock.monotonicMs() })
  }

  flush(): void {
    this.started.push(...this.#added)
    this.#added = []
  }

  reload(monitors: readonly MonitorDocument[]): void {
    const { definition, present } = this.fleet.loaded ? this.fleet : { definition: null, present: null }
    const before = definition === null ? null : { definition, present }
    const arrangement = arrange(definitionOf(monitors), before)
    this.controller.take({ arrangement, credentials: new Map(), files: [] })
  }

  /** Time passes, a tick at a time; after each, onStarted is told of what was started in it. */
  advance(ms: number, onStarted: (check: StartedCheck) => void = () => {}): void {
    for (let passed = 0; passed < ms; passed += tickMs) {
      const before = this.started.length
      this.clock.advance(tickMs)
      this.controller.tick()
      if (this.clock.monotonicMs() % adaptMs === 0) this.controller.adapt()
      for (const check of this.started.slice(before)) onStarted(check)
    }
  }

  /** Time passes until the next check is started. */
  next(): StartedCheck {
    const count = this.started.length
    for (let passed = 0; this.started.length === count; passed += tickMs) {
      if (passed > 120_000) throw new Error('no check was started in two minutes')
      this.advance(tickMs)
    }
    return this.started.at(-1)!
  }

  /** The check ends now. */
  end({ row, generation, startedMs }: StartedCheck, outcome: Outcome): void {
    const buffer = new ResultBuffer()
    buffer.add(row, generation, outcome, startedMs, this.clock.monotonicMs(), false)
    this.controller.takeResults(buffer.take())
  }

  statusOf(row: number): string {
    return statuses[this.fleet.columns.status[row]!]!
  }
}
