// engine/engine-under-test.ts: the engine with every check in the test's hand: a check that was started stays in
// flight until the test ends it, late, badly or never. Time is the test's too.
import { statuses } from '@pulseward/contract'
import type { CheckRunner } from '@pulseward/server/internal/checking/check-flow.ts'
import { ResultBuffer } from '@pulseward/server/internal/checking/probe/result-buffer.ts'
import type { Outcome } from '@pulseward/server/internal/checks/driver.ts'
import { checks } from '@pulseward/server/internal/checks/registry.ts'
import type { MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import { createEngine } from '@pulseward/server/internal/engine/create-engine.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { type ArrangedBefore, arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { LoadedArrangement } from '@pulseward/server/internal/fleet/load-arrangement.ts'
import type { Committer } from '@pulseward/server/internal/persistence/journal.ts'
import { ForgetfulStore } from '@pulseward/server/internal/store/forgetful-store.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { definitionOf } from '../fleet/fleet-files.ts'
import { FakeClock } from './fake-clock.ts'
import { SimulatedProviders } from './simulated-providers.ts'

const tickMs = 10
const adaptMs = 250

export interface StartedCheck {
  readonly row: number
  readonly generation: number
  readonly startedMs: number
}

export class EngineUnderTest implements CheckRunner {
  readonly clock = new FakeClock()
  readonly fleet = new Fleet(Object.keys(checks))
  readonly engine: Engine
  readonly parts: EngineParts
  /** Every check that was handed out, in order. */
  readonly started: StartedCheck[] = []
  #added: StartedCheck[] = []

  static async start(
    monitors: readonly MonitorDocument[],
    committer: Committer = new ForgetfulStore(),
  ): Promise<EngineUnderTest> {
    const tested = new EngineUnderTest(committer)
    await tested.engine.start(tested.#arranged(monitors, null))
    return tested
  }

  private constructor(committer: Committer) {
    const { fleet, clock } = this
    const settings = resolveSettings({ flags: new Map(), environment: {}, file: null }).values
    let ids = 0
    let parts: EngineParts | null = null
    this.engine = createEngine(
      {
        settings,
        fleet,
        clock,
        log: silentLog,
        ids: () => `id-${ids++}`,
        store: { committer, recovered: null },
        checks: this,
        actions: new SimulatedProviders(clock),
      },
      (made) => {
        parts = made
      },
    )
    this.parts = parts!
  }

  get flow() {
    return this.parts.checks
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
    const { definition, present } = this.fleet
    this.engine.applyFleet(this.#arranged(monitors, { definition, present }))
  }

  /** Time passes, a tick at a time; after each, onStarted is told of what was started in it. */
  advance(ms: number, onStarted: (check: StartedCheck) => void = () => {}): void {
    for (let passed = 0; passed < ms; passed += tickMs) {
      const before = this.started.length
      this.clock.advance(tickMs)
      this.engine.tick()
      if (this.clock.monotonicMs() % adaptMs === 0) this.engine.adapt()
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
    this.engine.takeResults(buffer.take())
  }

  statusOf(row: number): string {
    return statuses[this.fleet.columns.status[row]!]!
  }

  #arranged(monitors: readonly MonitorDocument[], before: ArrangedBefore | null): LoadedArrangement {
    return { arrangement: arrange(definitionOf(monitors), before), credentials: new Map(), files: [] }
  }
}
