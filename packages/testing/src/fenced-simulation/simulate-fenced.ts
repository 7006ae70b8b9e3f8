// fenced-simulation/simulate-fenced.ts: several processes of the service on one simulated store, on machines of their own,
// under faults of clocks, of the network and of the disk of the database. Everything follows from the seed. After the faults
// everything comes to rest, and the oracle judges the whole.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import { writerName } from '@pulseward/server/internal/store/postgres/take-over.ts'
import { type CrashMonitor, crashFleet, crashMonitors } from '../crash/crash-fleet.ts'
import type { CallEnd } from '../engine/fake-providers.ts'
import type { CheckEnd } from '../engine/fake-targets.ts'
import type { definitionOf } from '../fleet/fleet-files.ts'
import { Random } from '../random.ts'
import { Agenda } from '../simulation/agenda.ts'
import { loopTurn } from '../simulation/event-loop.ts'
import { type FencedDefect, fenceOf } from './fenced-defects.ts'
import { FencedFaults } from './fenced-faults.ts'
import { FencedOracle, type FencedViolation } from './fenced-oracle.ts'
import { FencedService } from './fenced-service.ts'
import { simulateConnections } from './simulated-connection.ts'
import { SimulatedDatabase } from './simulated-database.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import { SimulatedMachine, type SimulatedProcess, simulateTime } from './simulated-time.ts'
import type { Site } from './site.ts'

export interface FencedSimulation {
  readonly seed: number
  readonly hours: number
  readonly monitors: number
  /** How often each is checked. What goes wrong is rare, and checks are most of the work between. */
  readonly intervalSeconds: number
  readonly processes: number
  /** Multiplies how much goes wrong. */
  readonly storm: number
  readonly defect: FencedDefect | null
}

export interface FencedResult {
  readonly seed: number
  readonly violation: FencedViolation | null
  readonly faults: Readonly<Record<string, number>>
  readonly takeovers: number
  readonly checks: number
  readonly effects: number
}

const hourMs = 3_600_000
const calmMs = 600_000
const turnsEveryMs = 240_000
const loopTurnEverySteps = 20_000

export async function simulateFenced(options: FencedSimulation): Promise<FencedResult> {
  const simulation = new Simulation(options)
  using _time = simulateTime()
  using _connections = simulateConnections((process) => simulation.wayOf(process))
  return await simulation.run()
}

class Simulation {
  readonly #options: FencedSimulation
  readonly #random: Random
  readonly #agenda = new Agenda()
  readonly #oracle: FencedOracle
  readonly #database: SimulatedDatabase
  readonly #monitors: ReadonlyMap<string, CrashMonitor>
  readonly #definition: Parameters<typeof definitionOf>
  readonly #sites: readonly Site[]
  readonly #sick = new Set<string>()
  readonly #faults: FencedFaults
  readonly #calmFromMs: number
  #nowMs = 0
  #runs = 0
  #checks = 0

  constructor(options: FencedSimulation) {
    this.#options = options
    const { seed, hours, monitors, intervalSeconds, processes, storm, defect } = options
    const random = new Random(seed)
    this.#random = random
    this.#calmFromMs = hours * hourMs
    const nowMs = () => this.#nowMs
    const agenda = this.#agenda
    this.#oracle = new FencedOracle(nowMs)
    const wallMs = Date.UTC(2026, 0, 1)
    this.#database = new SimulatedDatabase({
      ...{ agenda, nowMs, witness: this.#oracle, fence: fenceOf(defect), random: random.fork() },
      wallMs: () => wallMs + this.#nowMs,
    })
    this.#monitors = new Map(crashMonitors(monitors).map((monitor) => [monitor.id, monitor]))
    const urls = { targets: 'http://targets.test', receivers: 'http://receivers.test' }
    const {
      monitors: documents,
      version: _,
      ...head
    } = JSON.parse(crashFleet([...this.#monitors.values()], urls, `${intervalSeconds}s`))
    this.#definition = [documents, head]
    this.#sites = Array.from({ length: processes }, (_, number) => ({
      name: `machine-${number + 1}`,
      machine: new SimulatedMachine(wallMs + random.whole(-2_000, 2_000), random.whole(1_000, 10_000_000)),
      network: new SimulatedNetwork({ agenda, nowMs, random: random.fork() }),
      service: null,
      session: '',
    }))
    this.#faults = new FencedFaults({
      ...{ agenda, nowMs, storm, random: random.fork(), calmFromMs: this.#calmFromMs },
      ...{ database: this.#database, sites: this.#sites },
    })
  }

  wayOf(process: SimulatedProcess) {
    const { network } = this.#sites.find(({ service }) => service?.process === process)!
    return { process, network, database: this.#database }
  }

  async run(): Promise<FencedResult> {
    for (const site of this.#sites) this.#start(site)
    for (const id of this.#monitors.keys()) this.#turn(id)
    this.#faults.begin()
    this.#agenda.at(this.#calmFromMs, () => this.#calm())
    const endMs = this.#calmFromMs + calmMs
    for (let steps = 0; this.#nowMs < endMs && this.#oracle.first === null; steps++) {
      let nextMs = Math.min(endMs, this.#agenda.nextAtMs)
      for (const { service } of this.#sites)
        if (service !== null) nextMs = Math.min(nextMs, service.process.nextAtMs)
      if (nextMs > this.#nowMs) this.#nowMs = nextMs
      this.#agenda.runUpTo(this.#nowMs)
      for (const { service } of this.#sites)
        if (service !== null && service.process.nextAtMs <= this.#nowMs)
          await service.process.step(this.#nowMs)
      // Lets other code on this thread run.
      if (steps % loopTurnEverySteps === 0) await loopTurn()
    }
    if (this.#oracle.first === null) await this.#oracle.ended(this.#database, this.#monitors)
    for (const { service } of this.#sites) service?.process.kill()
    return {
      seed: this.#options.seed,
      violation: this.#oracle.first,
      faults: this.#faults.counts,
      takeovers: this.#database.takeovers,
      checks: this.#checks,
      effects: this.#oracle.effects,
    }
  }

  #start(site: Site): void {
    const oracle = this.#oracle
    const run = `run-${++this.#runs}`
    site.session = writerName(run)
    site.machine.advanceTo(this.#nowMs)
    site.service = new FencedService({
      ...{
        machine: site.machine,
        name: site.name,
        run,
        database: this.#database,
        monitors: this.#definition,
      },
      proves: this.#options.defect?.proves,
      letsGo: this.#options.defect?.letsGo ?? false,
      targets: { check: (monitorId) => this.#checkEnd(monitorId) },
      providers: {
        notify: () => this.#callEnd(),
        recover: (_, { monitorId }) => this.#recoveryEnd(monitorId),
      },
      witness: {
        checkStarted: ({ monitorId }) => {
          this.#checks++
          oracle.checked(run, monitorId)
        },
        notified: (_, { actionId }) => oracle.called(run, actionId),
        recovered: (_, { actionId }) => oracle.called(run, actionId),
        answered() {},
        acknowledged: (batch) => oracle.acknowledged(run, batch),
      },
      failed: (error) => oracle.failed(run, error),
      ended: () => this.#startAgain(site),
    })
    site.service.start()
  }

  /** As a service manager does, and now and then only after a while. */
  #startAgain(site: Site): void {
    this.#database.cut(site.session)
    site.service = null
    const afterMs = this.#random.chance(0.2)
      ? this.#random.spread(5_000, 120_000)
      : this.#random.spread(200, 5_000)
    this.#agenda.at(this.#nowMs + afterMs, () => this.#start(site))
  }

  /** A target fails or recovers, again and again until the calm. */
  #turn(id: string): void {
    const meanMs = turnsEveryMs / this.#options.storm
    const atMs = this.#nowMs - Math.log(1 - this.#random.next()) * meanMs
    if (atMs >= this.#calmFromMs) return
    this.#agenda.at(atMs, () => {
      if (!this.#sick.delete(id)) this.#sick.add(id)
      this.#turn(id)
    })
  }

  #checkEnd(monitorId: string): CheckEnd {
    const fails = this.#sick.has(monitorId)
    const lastsMs = this.#random.between(2, 300)
    const reason = fails ? 'status 503' : null
    return { status: fails ? 'failure' : 'success', isLocal: false, lastsMs, reason, warning: null }
  }

  #callEnd(): CallEnd {
    const lastsMs = this.#random.spread(5, 3_000)
    const answer = this.#random.weighted({ accepted: 10, retry: 2, unknown: 1 })
    const outcomes: Readonly<Record<typeof answer, ActionOutcome>> = {
      accepted: { kind: 'accepted' },
      retry: { kind: 'retry', reason: 'status 503', retryAfterMs: null },
      unknown: { kind: 'unknown', reason: 'the answer was lost' },
    }
    const outcome = outcomes[this.#nowMs >= this.#calmFromMs ? 'accepted' : answer]
    return { answer: () => outcome, lastsMs }
  }

  #recoveryEnd(monitorId: string): CallEnd {
    if (this.#random.chance(0.5)) this.#sick.delete(monitorId)
    return { answer: () => ({ kind: 'accepted' }), lastsMs: this.#random.between(5, 500) }
  }

  #calm(): void {
    this.#sick.clear()
    this.#faults.calm()
  }
}
