// engine/engine-under-test.ts: an engine whose checks a test ends by hand: a started check stays in flight
// until the test ends it, late, badly or never. The test also controls the time.
import { statuses } from '@pulseward/contract'
import { ResultBuffer } from '@pulseward/server/internal/checking/probe/result-buffer.ts'
import type { Outcome } from '@pulseward/server/internal/checks/driver.ts'
import { checks } from '@pulseward/server/internal/checks/registry.ts'
import { externalType } from '@pulseward/server/internal/config/external-driver.ts'
import type { MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import { startLoop } from '@pulseward/server/internal/engine/controller-loop.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { ExternalJobs } from '@pulseward/server/internal/external-workers/external-jobs.ts'
import { type ArrangedBefore, arrange, reportOf } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { type LoadedArrangement, reloadedFrom } from '@pulseward/server/internal/fleet/load-arrangement.ts'
import type { Committer } from '@pulseward/server/internal/persistence/journal.ts'
import { ForgetfulStore } from '@pulseward/server/internal/store/forgetful-store.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { definitionOf } from '../fleet/fleet-files.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeProviders } from './fake-providers.ts'
import { type CheckEnd, type CheckInFlight, FakeTargets } from './fake-targets.ts'
import { FakeTimers, tickMs } from './fake-timers.ts'
import { observedEngine } from './observed-engine.ts'
import { ScriptedProviders } from './scripted-providers.ts'

/** Histories are not written, because these tests do not read them. */
const jobs = ['tick', 'adapt'] as const

const untilTold: CheckEnd = {
  status: 'success',
  isLocal: false,
  lastsMs: Number.POSITIVE_INFINITY,
  reason: null,
  warning: null,
}

export class EngineUnderTest {
  readonly clock = new FakeClock()
  readonly fleet = new Fleet([...Object.keys(checks), externalType])
  readonly engine: Engine
  readonly parts: EngineParts
  /** Every check that was handed out, in order. */
  readonly started: CheckInFlight[] = []
  readonly targets: FakeTargets
  readonly #timers = new FakeTimers()

  static async start(
    monitors: readonly MonitorDocument[],
    committer: Committer = new ForgetfulStore(),
  ): Promise<EngineUnderTest> {
    const tested = new EngineUnderTest(committer)
    await tested.engine.start(tested.#arranged(monitors, null))
    startLoop(tested.engine, tested.#timers)
    return tested
  }

  /** An engine that has not yet restored the state of the previous process. */
  static unstarted(): EngineUnderTest {
    return new EngineUnderTest(new ForgetfulStore())
  }

  private constructor(committer: Committer) {
    const { fleet, clock } = this
    this.targets = new FakeTargets({
      clock,
      fleet,
      behaviour: { check: () => untilTold },
      started: (check) => this.started.push(check),
    })
    const settings = resolveSettings({ flags: new Map(), environment: {}, file: null }).values
    let count = 0
    const ids = () => `id-${count++}`
    // There are no workers to take a job.
    const external = new ExternalJobs({ fleet, clock, ids, jobType: () => null, mostPolls: 1 })
    const { engine, parts } = observedEngine({
      settings,
      fleet,
      clock,
      log: silentLog,
      ids,
      store: { committer, recovered: null },
      sources: [
        { checks: this.targets },
        { actions: new FakeProviders({ clock, behaviour: new ScriptedProviders(clock) }) },
        external,
      ],
    })
    external.connect(engine.reading, { executions: [], restoredFrom: null })
    this.engine = engine
    this.parts = parts
  }

  get flow() {
    return this.parts.checks
  }

  reload(monitors: readonly MonitorDocument[]): void {
    const { definition, present } = this.fleet
    const before = { definition, present }
    this.engine.applyFleet(reloadedFrom(this.#arranged(monitors, before), before))
  }

  /** Like `reload`, but as a change so large that the whole fleet is arranged anew. */
  replace(monitors: readonly MonitorDocument[]): void {
    const { definition, present } = this.fleet
    const { arrangement, credentials, files } = this.#arranged(monitors, { definition, present })
    const report = reportOf(arrangement)
    this.engine.applyFleet({ next: { kind: 'whole', arrangement }, credentials, files, report })
  }

  /** Advances the time tick by tick; after each tick, onStarted gets the checks that it started. */
  advance(ms: number, onStarted: (check: CheckInFlight) => void = () => {}): void {
    for (let passed = 0; passed < ms; passed += tickMs) {
      const before = this.started.length
      this.clock.advance(tickMs)
      this.#timers.runDue(jobs)
      this.targets.takeEnded()
      for (const check of this.started.slice(before)) onStarted(check)
    }
  }

  /** Advances the time until the next check starts. */
  next(): CheckInFlight {
    const count = this.started.length
    for (let passed = 0; this.started.length === count; passed += tickMs) {
      if (passed > 120_000) throw new Error('no check was started in two minutes')
      this.advance(tickMs)
    }
    return this.started.at(-1)!
  }

  /** The check ends now. */
  end(
    { row, generation, startedMs }: Pick<CheckInFlight, 'row' | 'generation' | 'startedMs'>,
    outcome: Outcome,
  ): void {
    const buffer = new ResultBuffer()
    buffer.add(row, generation, outcome, startedMs, this.clock.monotonicMs(), false)
    this.engine.takeResults(this.targets, buffer.take())
  }

  statusOf(row: number): string {
    return statuses[this.fleet.columns.status[row]!]!
  }

  #arranged(monitors: readonly MonitorDocument[], before: ArrangedBefore | null): LoadedArrangement {
    return { arrangement: arrange(definitionOf(monitors), before), credentials: new Map(), files: [] }
  }
}
