// simulation/fault-injector.ts: everything that goes wrong around the service, at random from the seed: targets, our own
// network, providers, the disk, clocks, and people who change their fleet. The simulation itself plans crashes.

import type { Random } from '../random.ts'
import type { Agenda } from './agenda.ts'
import type { FleetPlan } from './fleet-plan.ts'
import type { ProviderMood, ProviderMoods } from './provider-moods.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import type { TargetMood, TargetMoods } from './target-moods.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** What the fault injector can do to the simulation as a whole. */
export interface SimulationControls {
  readonly plan: FleetPlan
  /** People change something in their fleet files. */
  changeFleet(): void
  /** Every monitor is checked at this interval for a while; null: as configured again. */
  paceFleet(intervalSeconds: number | null): void
  /** The process is suspended for a while. */
  sleep(ms: number): void
  /** The whole machine is suspended. */
  suspend(ms: number): void
  jumpWall(ms: number): void
  loseThread(): void
}

export interface FaultInjectorOptions {
  readonly controls: SimulationControls
  readonly agenda: Agenda
  readonly random: Random
  readonly targets: TargetMoods
  readonly providers: ProviderMoods
  readonly disk: SimulatedDisk
  readonly nowMs: () => number
  /** Nothing goes wrong after this. */
  readonly calmFromMs: number
  /** How many times more often than usual things go wrong. */
  readonly times: number
  readonly fault: (kind: string) => void
}

export class FaultInjector {
  readonly #options: FaultInjectorOptions

  constructor(options: FaultInjectorOptions) {
    this.#options = options
  }

  begin(): void {
    const { controls, random } = this.#options
    const monitors = controls.plan.monitors.size
    this.#every((4 * hourMs) / Math.max(1, monitors), () => this.#targetTurns())
    this.#every(3 * hourMs, () => this.#outageOfMany())
    this.#every(40 * minuteMs, () => this.#providerTurns())
    this.#every(5 * hourMs, () => this.#networkGoes())
    this.#every(2 * hourMs, () => this.#diskIsSlow())
    this.#every(3 * hourMs, () => this.#diskIsFull())
    this.#every(80 * minuteMs, () => this.#named('reload', () => controls.changeFleet()))
    this.#every(5 * hourMs, () => this.#named('wall clock jump', () => controls.jumpWall(this.#jumpMs())))
    this.#every(3 * hourMs, () => this.#named('stall', () => controls.sleep(random.spread(1_100, 300_000))))
    this.#every(8 * hourMs, () =>
      this.#named('suspend', () => controls.suspend(random.spread(5_000, hourMs))),
    )
    this.#every(4 * hourMs, () => this.#named('lost probe thread', () => controls.loseThread()))
  }

  #targetTurns(): void {
    const { random, targets, controls } = this.#options
    const mood = random.weighted<TargetMood>({
      well: 0,
      down: 5,
      flapping: 2,
      hanging: 2,
      slow: 1,
      warning: 2,
    })
    const id = random.pick([...controls.plan.monitors.keys()])
    this.#for(
      `target ${mood}`,
      random.spread(20_000, 40 * minuteMs),
      () => targets.setMood(id, mood),
      () => targets.setMood(id, 'well'),
    )
  }

  /** A monitor and all its descendants fail, as when a switch fails. */
  #outageOfMany(): void {
    const { random, targets, controls } = this.#options
    const root = random.pick([...controls.plan.monitors.keys()])
    const struck = [...controls.plan.monitors.values()].filter(
      ({ id, parents }) => id === root || parents.includes(root) || random.chance(0.3),
    )
    const all = (mood: TargetMood) => {
      for (const { id } of struck) targets.setMood(id, mood)
    }
    const mood = random.pick<TargetMood>(['down', 'hanging'])
    this.#for(
      'outage of many',
      random.spread(minuteMs, 20 * minuteMs),
      () => all(mood),
      () => all('well'),
    )
  }

  #providerTurns(): void {
    const { random, providers, controls } = this.#options
    const mood = random.weighted<ProviderMood>({
      well: 0,
      slow: 2,
      rejecting: 2,
      limiting: 3,
      'limiting for long': 1,
      failing: 2,
      gone: 1,
      hanging: 2,
      'losing answers': 3,
    })
    const endpoint = random.pick([...controls.plan.endpoints.keys()])
    this.#for(
      `provider ${mood}`,
      random.spread(minuteMs, 30 * minuteMs),
      () => providers.setMood(endpoint, mood),
      () => providers.setMood(endpoint, 'well'),
    )
  }

  /** Checks are so frequent that enough of them fail at once to tell our own fault from that of the targets. */
  #networkGoes(): void {
    const { random, targets, controls, agenda, nowMs } = this.#options
    controls.paceFleet(4)
    const lastsMs = random.spread(10_000, 4 * minuteMs)
    agenda.at(nowMs() + minuteMs, () =>
      this.#for(
        'own network gone',
        lastsMs,
        () => this.#setNetwork(true),
        () => this.#setNetwork(false),
      ),
    )
    agenda.at(nowMs() + 2 * minuteMs + lastsMs, () => {
      targets.isNetworkGone = false
      controls.paceFleet(null)
    })
  }

  #setNetwork(isGone: boolean): void {
    this.#options.targets.isNetworkGone = isGone
  }

  #diskIsSlow(): void {
    const { random, disk } = this.#options
    const latencyMs = random.spread(50, 45_000)
    this.#for(
      'slow disk',
      random.spread(10_000, 10 * minuteMs),
      () => this.#setLatency(latencyMs),
      () => {
        disk.latencyMs = 2
      },
    )
  }

  #setLatency(latencyMs: number): void {
    this.#options.disk.latencyMs = latencyMs
  }

  #diskIsFull(): void {
    const { random, disk } = this.#options
    const setFull = (isFull: boolean) => {
      disk.isFull = isFull
    }
    this.#for(
      'full disk',
      random.spread(2_000, 4 * minuteMs),
      () => setFull(true),
      () => setFull(false),
    )
  }

  #jumpMs(): number {
    const { random } = this.#options
    const ms = Math.round(random.spread(1_500, 3 * hourMs))
    return random.chance(0.5) ? ms : -ms
  }

  #named(kind: string, happen: () => void): void {
    this.#options.fault(kind)
    happen()
  }

  /** Something begins now and ends later, at the latest when the calm phase begins. */
  #for(kind: string, ms: number, begin: () => void, end: () => void): void {
    const { agenda, nowMs, calmFromMs } = this.#options
    if (nowMs() >= calmFromMs) return
    this.#named(kind, begin)
    agenda.at(Math.min(nowMs() + ms, calmFromMs), end)
  }

  /** Repeats, at this interval on average. */
  #every(meanMs: number, happen: () => void): void {
    const { random, agenda, nowMs, calmFromMs, times } = this.#options
    const atMs = nowMs() - (Math.log(1 - random.next()) * meanMs) / times
    if (atMs >= calmFromMs) return
    agenda.at(atMs, () => {
      if (nowMs() < calmFromMs) happen()
      this.#every(meanMs, happen)
    })
  }
}
