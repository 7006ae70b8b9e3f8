// simulation/process-life.ts: the processes of one simulation, one after the other: each starts with what is on disk, and
// ends at once, at a moment that matters, or as its owner asks. The next one follows after seconds, minutes or an hour.
import { recentActionsMs } from '@pulseward/server/internal/engine/engine-settings.ts'
import type { Recovered } from '@pulseward/server/internal/store/store.ts'
import type { Random } from '../random.ts'
import type { Agenda } from './agenda.ts'
import type { FleetInForce } from './fleet-in-force.ts'
import { moments } from './hazard.ts'
import { ServiceProcess } from './service-process.ts'
import { count } from './tally.ts'
import type { World } from './world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const crashEveryMs = 100 * minuteMs
/** A full disk keeps a service from stopping; after this time its owner kills it. */
const patienceMs = 15_000

export interface ProcessLifeOptions {
  readonly world: World
  readonly fleet: FleetInForce
  readonly random: Random
  readonly agenda: Agenda
  /** Multiplies how often processes end. */
  readonly storm: number
  /** No process ends after this. */
  readonly calmFromMs: number
  /** A process has ended. */
  readonly ended: () => void
}

export class ProcessLife {
  readonly #options: ProcessLifeOptions
  #process: ServiceProcess | null = null
  #processes = 0
  /** When the next process starts, while none runs. */
  #startAtMs = 0

  constructor(options: ProcessLifeOptions) {
    this.#options = options
  }

  /** Null while none runs. */
  get process(): ServiceProcess | null {
    return this.#process
  }

  /** Null while no process can be asked. */
  get serving(): ServiceProcess | null {
    return this.#process?.isTakenOver ? this.#process : null
  }

  /** When a process acts next, or starts, in true time. */
  get nextAtMs(): number {
    if (this.#process === null) return this.#startAtMs
    return Math.min(this.#process.nextAtMs, this.#options.world.disk.nextAtMs)
  }

  async startIfDue(): Promise<void> {
    if (this.#process === null && this.#startAtMs <= this.#options.world.clock.trueMs) await this.#start()
  }

  /** Plans one end of the process at a random time in each period. */
  planCrash(): void {
    const { random, agenda, storm, calmFromMs } = this.#options
    const atMs = this.#nowMs + (random.between(0.2, 1.2) * crashEveryMs) / storm
    if (atMs >= calmFromMs) return
    agenda.at(atMs, () => {
      if (this.#isStormy) this.#strike()
      this.planCrash()
    })
  }

  crash(moment: string): void {
    const { tally } = this.#options.world
    if (this.#process === null) return
    tally.crashes++
    count(tally.faults, `crash: ${moment}`)
    this.#end()
  }

  /** The next process starts at once. */
  calm(): void {
    if (this.#process === null) this.#startAtMs = this.#nowMs
  }

  get #nowMs(): number {
    return this.#options.world.clock.trueMs
  }

  get #isStormy(): boolean {
    return this.#nowMs < this.#options.calmFromMs
  }

  async #start(): Promise<void> {
    const { world, random, fleet } = this.#options
    const { clock, disk, oracle, defect, settings, hazard } = world
    clock.boot(random.whole(1_000, 10_000_000))
    const left = asRead(await disk.store.recover(recentActionsMs(settings)))
    const changed = defect?.recovered?.(left) ?? left
    const monitors = await Array.fromAsync(changed.monitors)
    const recovered = { ...changed, monitors: again(monitors) }
    oracle.storeRead(recovered, monitors.flat())
    fleet.begin()
    const process = new ServiceProcess(world, this.#processes++, recovered)
    this.#process = process
    oracle.processStarted(
      { number: this.#processes, parts: process.parts, fleet: process.fleet },
      recovered.position,
    )
    if (this.#isStormy && random.chance(0.2)) hazard.arm(random.pick(moments), random.whole(0, 2))
    process.begin()
    await world.settled()
  }

  #strike(): void {
    const { random, world } = this.#options
    switch (random.weighted({ moment: 6, now: 2, stop: 2 })) {
      case 'moment':
        return world.hazard.arm(random.pick(moments), random.whole(0, 4))
      case 'now':
        return this.crash('any time')
      case 'stop':
        return random.chance(0.5) ? this.#stop() : this.#stopInFlight(random.whole(0, 4))
    }
  }

  #stop(): void {
    const { world, agenda } = this.#options
    const process = this.#process
    const isStopping = process?.stop(() => this.#process === process && this.#stopped()) ?? false
    if (isStopping) count(world.tally.faults, 'orderly stop')
    agenda.at(this.#nowMs + patienceMs, () => this.#process === process && this.crash('any time'))
  }

  /** Stops the process while an answer is pending, which seldom happens by chance. */
  #stopInFlight(passes: number): void {
    const { world, agenda } = this.#options
    world.hazard.arm('provider called', passes, () => agenda.at(this.#nowMs, () => this.#stop()))
  }

  #stopped(): void {
    this.#options.world.oracle.stopped()
    this.#end()
  }

  #end(): void {
    const { world, random, ended } = this.#options
    const { clock, disk, hazard, oracle } = world
    this.#process?.kill()
    disk.crash()
    hazard.disarm()
    oracle.processEnded()
    ended()
    this.#process = null
    const kind = random.weighted({ short: 7, minutes: 2, hours: 0.4 })
    const downMs = {
      short: random.between(200, 5_000),
      minutes: random.spread(30_000, 600_000),
      hours: hourMs,
    }[kind]
    if (random.chance(0.15)) clock.jumpWall(Math.round(random.between(-2, 2) * hourMs))
    this.#startAtMs = Math.round(this.#nowMs + (this.#isStormy ? downMs : 0))
  }
}

/** What was stored is read back through JSON. */
function asRead(recovered: Recovered): Recovered {
  const { states, actions } = recovered
  return { ...recovered, ...JSON.parse(JSON.stringify({ states, actions })) }
}

/** May be read more than once. */
function again<Chunk>(chunks: readonly Chunk[]): AsyncIterable<Chunk> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* chunks
    },
  }
}
