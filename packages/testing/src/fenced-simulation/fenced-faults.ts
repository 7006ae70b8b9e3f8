// fenced-simulation/fenced-faults.ts: what goes wrong around the processes on one store, at random from the seed: processes
// die and freeze, machines are suspended, clocks are set, ways are lost, and the database is slow, full or restarted.
import type { Random } from '../random.ts'
import type { Agenda } from '../simulation/agenda.ts'
import { count } from '../simulation/tally.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import type { Way } from './simulated-network.ts'
import type { Site } from './site.ts'

export interface FaultsOptions {
  readonly agenda: Agenda
  readonly random: Random
  readonly nowMs: () => number
  /** Multiplies how often something happens. */
  readonly storm: number
  /** Nothing goes wrong after this. */
  readonly calmFromMs: number
  readonly database: SimulatedDatabase
  readonly sites: readonly Site[]
}

const everyMs = 300_000
const pairShare = 0.2
const weights = {
  kill: 3,
  stop: 2,
  freeze: 4,
  suspend: 2,
  'clock set': 1,
  'requests lost': 2,
  'answers lost': 3,
  'way lost': 2,
  'way flaps': 4,
  'answer lost': 3,
  reset: 2,
  'database restarts': 1,
  'database slow': 3,
  'database full': 1,
}
type FaultName = keyof typeof weights

export class FencedFaults {
  readonly counts: Record<string, number> = {}
  readonly #options: FaultsOptions

  constructor(options: FaultsOptions) {
    this.#options = options
  }

  begin(): void {
    const { agenda, random, nowMs, calmFromMs, storm } = this.#options
    const atMs = nowMs() - (Math.log(1 - random.next()) * everyMs) / storm
    if (atMs >= calmFromMs) return
    agenda.at(atMs, () => {
      this.#strike(random.weighted(weights))
      if (random.chance(pairShare)) this.#strike(random.weighted(weights))
      this.begin()
    })
  }

  calm(): void {
    const { database, sites } = this.#options
    Object.assign(database, { latencyMs: 2, isFull: false, isDown: false })
    for (const { network } of sites) {
      network.hear(['requests', 'answers'])
      network.holdsUpAnswers = false
    }
  }

  #strike(name: FaultName): void {
    const { random, database, sites } = this.#options
    count(this.counts, name)
    // Mostly the active one: what happens to the others is seldom of interest.
    const active = sites.find(({ session }) => session.endsWith(` ${database.owner}`))
    this.#happen(name, active !== undefined && random.chance(0.7) ? active : random.pick(sites))
  }

  #happen(name: FaultName, site: Site): void {
    const { random, nowMs, database } = this.#options
    const { service, machine, network } = site
    switch (name) {
      case 'kill':
        return service?.kill()
      case 'stop':
        return service?.stop()
      case 'freeze':
        return service?.process.freeze(nowMs(), random.spread(500, 20_000))
      case 'suspend':
        return machine.suspend(nowMs(), Math.round(random.spread(1_000, 60_000)))
      case 'clock set':
        return machine.clock.jumpWall(Math.round(random.between(-600_000, 600_000)))
      case 'requests lost':
        return this.#silence(site, ['requests'])
      case 'answers lost':
        return this.#silence(site, ['answers'])
      case 'way lost':
        return this.#silence(site, ['requests', 'answers'])
      case 'way flaps':
        return this.#flap(site, Math.min(nowMs() + random.spread(10_000, 90_000), this.#options.calmFromMs))
      case 'answer lost':
        return network.loseNextAnswer()
      case 'reset':
        return database.cut(site.session)
      case 'database restarts':
        database.crash()
        return this.#later(random.spread(500, 8_000), () => Object.assign(database, { isDown: false }))
      case 'database slow':
        database.latencyMs = random.spread(100, 12_000)
        return this.#later(random.spread(2_000, 60_000), () => Object.assign(database, { latencyMs: 2 }))
      case 'database full':
        database.isFull = true
        return this.#later(random.spread(2_000, 60_000), () => Object.assign(database, { isFull: false }))
    }
  }

  #silence({ network }: Site, ways: readonly Way[]): void {
    network.silence(ways)
    this.#later(this.#options.random.spread(1_000, 20_000), () => network.hear(ways))
  }

  /** Some answers take seconds, and now and then the connection is reset: what was sent may be there long since. */
  #flap(site: Site, untilMs: number): void {
    const { nowMs, random, database } = this.#options
    site.network.holdsUpAnswers = true
    this.#later(random.between(300, 5_000), () => {
      database.cut(site.session)
      if (nowMs() < untilMs) this.#flap(site, untilMs)
      else site.network.holdsUpAnswers = false
    })
  }

  #later(ms: number, happen: () => void): void {
    const { agenda, nowMs, calmFromMs } = this.#options
    agenda.at(Math.min(nowMs() + ms, calmFromMs), happen)
  }
}
