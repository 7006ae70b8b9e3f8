// simulation/service-run.ts: one life of the service, from its start to its crash: the controller with a heartbeat in
// simulated time. Between two beats in which nothing is due time is skipped, but never so much that it would be a stall.
import type { Settings } from '@pulseward/server/internal/config/settings/setting-table.ts'
import { createEngine } from '@pulseward/server/internal/engine/create-engine.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { EngineParts } from '@pulseward/server/internal/engine/engine-parts.ts'
import { type ArrangedBefore, arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { LoadedArrangement } from '@pulseward/server/internal/fleet/load-arrangement.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import type { Log } from '@pulseward/server/internal/telemetry/log.ts'
import { definitionOf } from '../fleet/fleet-files.ts'
import type { Defect } from './defects.ts'
import { documentsOf, type FleetPlan, headOf, secretsOf } from './fleet-plan.ts'
import type { Hazard } from './hazard.ts'
import type { Oracle } from './oracle/oracle.ts'
import type { Providers } from './providers.ts'
import { RunProviders } from './run-providers.ts'
import { batchOf, RunTargets } from './run-targets.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import { count, type Tally } from './tally.ts'
import type { Targets } from './targets.ts'

/** As the heartbeat of a small fleet. */
const tickMs = 100
/** A turn that comes later than a second after the last is a stall. */
const longestPauseMs = 900
const canaryMs = 2_000
/** Less often than in life: what they keep is hardly looked at here, and costs. */
const historyMs = 3_000
const adaptMs = 20_000
/** How long a service that stops waits for answers. */
const answersAwaitedMs = 5_000

export interface World {
  readonly clock: SimulatedClock
  readonly targets: Targets
  readonly providers: Providers
  readonly disk: SimulatedDisk
  readonly hazard: Hazard
  readonly oracle: Oracle
  readonly settings: Settings
  readonly defect: Defect | null
  readonly tally: Tally
  plan: FleetPlan
}

export class ServiceRun {
  readonly engine: Engine
  /** For the oracle, which looks inside. */
  readonly parts: EngineParts
  /** The only type there is: every type costs a window of its own in every checkpoint. */
  readonly fleet = new Fleet(['http'])
  readonly #world: World
  readonly #targets: RunTargets
  readonly #providers: RunProviders
  #secrets: ReadonlyMap<string, string>
  #isAlive = true
  #isTicking = false
  #lastTickMs = 0
  #nextDueMs = 0
  #historyAtMs = 0
  #canaryAtMs = 0
  #adaptAtMs = 0

  constructor(world: World, number: number, recovered: Recovered) {
    this.#world = world
    const { clock, targets, providers, oracle, hazard, settings, defect } = world
    this.#secrets = secretsOf(world.plan)
    let ids = 0
    this.#targets = new RunTargets({
      targets,
      fleet: this.fleet,
      clock,
      isAlive: () => this.#isAlive,
      started: (check) => {
        world.tally.checks++
        oracle.checkStarted(check)
        hazard.reached('check started')
      },
    })
    this.#providers = new RunProviders({
      providers,
      clock,
      faults: defect?.calls ?? {},
      secrets: () => this.#secrets,
      isAlive: () => this.#isAlive,
      helped: (monitorId) => targets.setMood(monitorId, 'well'),
      witness: {
        notified: (endpoint, notification) => {
          count(world.tally.actions, notification.color)
          oracle.notified(endpoint, notification)
          hazard.reached('provider called')
        },
        recovered: (target, intervention) => {
          count(world.tally.actions, 'recovery')
          oracle.recovered(target, intervention)
          hazard.reached('provider called')
        },
        answered: (actionId, answer) => {
          oracle.answered(actionId, answer)
          hazard.reached('answer given')
        },
      },
    })
    let parts: EngineParts | null = null
    this.engine = createEngine(
      {
        settings,
        fleet: this.fleet,
        clock,
        log: this.#log(),
        ids: () => `${number}-${ids++}`,
        store: {
          committer: world.disk.openFor({ failed: () => this.#pause(), works: () => this.#resume() }),
          recovered,
        },
        checks: this.#targets,
        actions: this.#providers,
      },
      (made) => {
        parts = made
        defect?.engine?.(made)
      },
    )
    this.parts = parts!
  }

  /** Goes on in simulated time: taking over takes commits. */
  begin(): void {
    const { oracle } = this.#world
    this.engine.start(this.#arranged(null)).then(
      () => {
        if (!this.#isAlive || !this.engine.reading.isAdmitting) return
        this.#isTicking = true
        this.#lastTickMs = this.#nowMs
        oracle.takenOver()
        this.#planChecks()
      },
      (error: unknown) =>
        oracle.findings.note('the service goes on', `the takeover failed: ${inWords(error)}`),
    )
  }

  /** The process is gone: whatever its code still does reaches nobody. */
  kill(): void {
    this.#isAlive = false
    this.#isTicking = false
  }

  /** Ends as asked by its owner; false when that would take too long. */
  stop(ended: () => void): boolean {
    if (!this.#isTicking || this.#providers.lastMs > this.#nowMs + answersAwaitedMs) return false
    this.#isTicking = false
    void this.engine.stop().then(ended)
    return true
  }

  reload(): void {
    if (!this.#isTicking) return
    const { definition, present } = this.fleet
    this.#secrets = secretsOf(this.#world.plan)
    this.engine.applyFleet(this.#arranged({ definition, present }))
    this.#planChecks()
  }

  get isTakenOver(): boolean {
    return this.#isTicking
  }

  /** A probe thread dies with all that it was doing. */
  loseThread(): void {
    const lost = this.#targets.takeAll()
    if (lost.length === 0) return
    this.#world.oracle.checksLost(lost)
    this.engine.takeLost(
      Uint32Array.from(lost, ({ row }) => row),
      'the probe thread ended',
    )
  }

  woke(): void {
    this.#targets.woke()
  }

  /** When something happens next, in true time. */
  get nextAtMs(): number {
    const nextMs = Math.min(this.#targets.nextMs, this.#providers.nextMs, this.#nextTickMs())
    return this.#world.clock.trueMsOf(nextMs)
  }

  takeResults(): void {
    const ended = this.#targets.takeEnded()
    if (ended.length === 0) return
    const { oracle, hazard } = this.#world
    oracle.checksEnding(ended)
    this.engine.takeResults(batchOf(ended))
    if (!this.#isAlive) return
    oracle.checksEnded(ended)
    hazard.reached('results taken')
  }

  /** True when there were any: the service hears of them in its next microtasks. */
  takeAnswers(): boolean {
    return this.#providers.deliver()
  }

  tick(): void {
    if (!this.#isTicking || this.#nextTickMs() > this.#nowMs) return
    const { engine } = this
    const { oracle, targets, hazard } = this.#world
    oracle.ticking()
    engine.tick()
    if (!this.#isAlive) return
    oracle.ticked()
    this.#lastTickMs = this.#nowMs
    if (this.#nowMs >= this.#historyAtMs) {
      this.#historyAtMs = this.#nowMs + historyMs
      engine.everySecond()
    }
    if (this.#nowMs >= this.#adaptAtMs) {
      this.#adaptAtMs = this.#nowMs + adaptMs
      engine.adapt()
    }
    if (this.#nowMs >= this.#canaryAtMs) {
      this.#canaryAtMs = this.#nowMs + canaryMs
      oracle.canaryRead('loopback', true)
      oracle.canaryRead('resolver', !targets.isNetworkGone)
      engine.readCanary('loopback', true)
      engine.readCanary('resolver', !targets.isNetworkGone)
    }
    this.#planChecks()
    hazard.reached('turn ended')
  }

  get #nowMs(): number {
    return this.#world.clock.monotonicMs()
  }

  /** On the grid of the heartbeat: where something is due, or where a pause would be too long. */
  #nextTickMs(): number {
    if (!this.#isTicking) return Number.POSITIVE_INFINITY
    const { ledger, time, checks } = this.parts
    let dueMs = checks.queue.depth > 0 ? this.#lastTickMs : this.#nextDueMs
    const startAt = ledger.nextStartAt(time.now())
    if (startAt !== null) dueMs = Math.min(dueMs, time.monotonicMs(startAt))
    const beats = Math.ceil((dueMs - this.#lastTickMs) / tickMs)
    return this.#lastTickMs + Math.min(longestPauseMs, Math.max(1, beats) * tickMs)
  }

  #planChecks(): void {
    const { scheduler } = this.parts.checks
    this.#nextDueMs = Number.POSITIVE_INFINITY
    for (let row = 0; row < this.fleet.rows; row++) {
      const dueMs = scheduler.nextDueMs(row)
      if (dueMs !== null && dueMs < this.#nextDueMs) this.#nextDueMs = dueMs
    }
  }

  #pause(): void {
    this.#world.oracle.paused()
    this.engine.pause()
  }

  #resume(): void {
    this.engine.resume()
    this.#world.oracle.resumed()
  }

  #arranged(before: ArrangedBefore | null): LoadedArrangement {
    const { plan } = this.#world
    const arrangement = arrange(definitionOf(documentsOf(plan), headOf(plan)), before)
    return { arrangement, credentials: this.#secrets, files: [] }
  }

  #log(): Log {
    const write = (...line: unknown[]) => {
      if (this.#isAlive) this.#world.oracle.logged(line)
    }
    return { info: write, warn: write, error: write, debug: write } as unknown as Log
  }
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
