// place-simulation/simulate-places.ts: three places with probes that answer early, late or never, die and come back, are cut
// off, repeat and lose batches, and monitors whose definitions change, all from one seed, against the model. The engine, its
// schedule and the protocol are those of the service. Returns the first difference.
import type { Buffer } from 'node:buffer'
import { outcomeStatuses } from '@pulseward/server/internal/checking/probe/probe-protocol.ts'
import type { MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { TestService } from '../engine/test-service.ts'
import { Random } from '../random.ts'
import { replace } from '../simulation/defects/defect.ts'
import { type ModelMonitor, QuorumModel, type Word } from './quorum-model.ts'
import { type AskedCheck, SimulatedProbe } from './simulated-probe.ts'

const places = ['fra', 'iad', 'sin'] as const
type Place = (typeof places)[number]
const timeoutMs = 4_000
const stepMs = 100

const monitors: ReadonlyMap<string, ModelMonitor> = new Map([
  ['majority', { places, rule: 'majority', timeoutMs }],
  ['any', { places, rule: 'any', timeoutMs }],
  ['all', { places, rule: 'all', timeoutMs }],
  ['two', { places: ['sin', 'fra'], rule: 'majority', timeoutMs }],
  ['alone', { places: ['iad'], rule: 'majority', timeoutMs }],
])
const names = [...monitors.keys()]

export interface PlaceSimulation {
  readonly seed: number
  readonly seconds: number
}

export interface PlaceSimulated {
  /** Null if the service did what the model says. */
  readonly difference: string | null
  /** How many slots ended so. */
  readonly ended: Readonly<Record<Word, number>>
}

export async function simulatePlaces({ seed, seconds }: PlaceSimulation): Promise<PlaceSimulated> {
  const world = await PlaceWorld.start(new Random(seed))
  const { model } = world
  for (let ms = 0; ms < seconds * 1_000 && model.faults.length === 0; ms += stepMs) await world.step()
  const [fault] = model.faults
  return { difference: fault === undefined ? null : `seed ${seed}: ${fault}`, ended: model.ended }
}

/** A result on its way. */
interface OnItsWay {
  readonly probe: SimulatedProbe
  readonly slot: object | null
  readonly ticket: number
  readonly word: Word
  readonly startedMs: number
  readonly atMs: number
}

class PlaceWorld {
  readonly model = new QuorumModel(monitors)
  readonly #service: TestService
  readonly #random: Random
  readonly #revisions = new Map(names.map((name) => [name, 0]))
  #probes: SimulatedProbe[] = []
  #results: OnItsWay[] = []
  readonly #cutOff = new Set<SimulatedProbe>()
  /** The slots in which a probe was asked. */
  readonly #asks = new Map<SimulatedProbe, object[]>()
  #started = 0

  private constructor(service: TestService, random: Random) {
    this.#service = service
    this.#random = random
  }

  static async start(random: Random): Promise<PlaceWorld> {
    const service = await TestService.start({ monitors: monitorsAt(new Map()) })
    const world = new PlaceWorld(service, random)
    world.#watch()
    for (const place of places) world.#comes(place)
    return world
  }

  async step(): Promise<void> {
    if (this.#random.chance(0.02)) await deeds[this.#random.weighted(weights)](this)
    await this.#service.advance({ ms: stepMs })
    this.#deliver()
    this.model.check(this.#nowMs)
  }

  /** A second probe may serve the same place. */
  comes(): void {
    const place = this.#random.pick(places)
    if (this.#probes.filter((probe) => probe.place === place).length < 2) this.#comes(place)
  }

  dies(): void {
    if (this.#probes.length > 0) this.#goes(this.#random.pick(this.#probes))
  }

  /** Nothing of it arrives for a while; it is silent for too long, or heard of again. */
  cutsOff(): void {
    const probe = this.#probes.length === 0 ? null : this.#random.pick(this.#probes)
    if (probe === null) return
    if (!this.#cutOff.delete(probe)) this.#cutOff.add(probe)
    else if (this.#random.chance(0.5)) this.#goes(probe)
  }

  /** What it sends is lost or comes twice: the connection ends at the next frame. */
  spoils(): void {
    const probe = this.#probes.length === 0 ? null : this.#random.pick(this.#probes)
    if (probe === null) return
    const first = probe.state(probe.isOverloaded)
    const isLost = this.#random.chance(0.5)
    if (!isLost) this.#take(probe, first)
    const isTaken = this.#takes(probe, isLost ? probe.state(probe.isOverloaded) : first)
    if (isTaken) this.model.faults.push(isLost ? 'a lost frame is not noticed' : 'a frame counts twice')
    this.#goes(probe)
  }

  overloads(): void {
    const probe = this.#probes.length === 0 ? null : this.#random.pick(this.#probes)
    if (probe !== null) this.#take(probe, probe.state(!probe.isOverloaded))
  }

  async changes(): Promise<void> {
    const name = this.#random.pick(names)
    this.#revisions.set(name, this.#revisions.get(name)! + 1)
    this.model.gives(name)
    await this.#service.reload({ monitors: monitorsAt(this.#revisions) })
  }

  get #nowMs(): number {
    return this.#service.clock.monotonicMs()
  }

  #watch(): void {
    const { remote, parts } = this.#service
    const idOf = (row: number) => this.#service.fleet.idOf(row)
    replace(remote, 'offer', (offer) => (row, generation, nextDueMs) => {
      const connected = new Set(this.#probes.map(({ place }) => place))
      const overloaded = new Set(this.#probes.flatMap((probe) => (probe.isOverloaded ? probe.place : [])))
      const name = idOf(row)
      this.model.opens(name, this.#revisions.get(name)!, this.#nowMs, { connected, overloaded })
      offer(row, generation, nextDueMs)
    })
    replace(parts.checks, 'takeResults', (takeResults) => (turn, source, batch) => {
      for (const [position, row] of batch.rows.entries()) {
        const word = outcomeStatuses[batch.outcomes[position]! & 3]!
        this.model.ends(idOf(row), word, batch.startedMs[position]!, this.#nowMs)
      }
      takeResults(turn, source, batch)
    })
  }

  #comes(place: Place): void {
    const probe = new SimulatedProbe({
      place,
      number: ++this.#started,
      nowMs: () => this.#nowMs,
      clockSpeed: this.#random.pick([0.1, 1, 1, 50]),
      asked: (asked, check) => this.#asked(asked, check),
    })
    this.#probes.push(probe)
    this.#service.remote.join(probe.session)
  }

  /** The target answers soon, only after the service has waited long enough, or never. */
  #asked(probe: SimulatedProbe, { ticket, definition }: AskedCheck): void {
    const { host, port } = JSON.parse(definition.config) as { host: string; port: number }
    const slot = this.model.asks(host, probe.place, port - 1)
    if (slot !== null) this.#asks.set(probe, [...(this.#asks.get(probe) ?? []), slot].slice(-100))
    const startedMs = this.#nowMs
    const lastsMs = this.#random.weighted({ soon: 20, late: 2, never: 1 })
    if (lastsMs === 'never') return
    const atMs =
      startedMs + (lastsMs === 'soon' ? this.#random.whole(20, 4_500) : this.#random.whole(6_000, 9_000))
    const word = this.#random.weighted<Word>({ success: 10, failure: 5, timeout: 4, no_data: 1 })
    this.#results.push({ probe, slot, ticket, word, startedMs, atMs })
  }

  /** In batches of each probe, each once. */
  #deliver(): void {
    const nowMs = this.#nowMs
    const isDue = ({ probe, slot, atMs }: OnItsWay) =>
      atMs <= nowMs && !this.#cutOff.has(probe) && (slot === null || !this.model.isClose(slot, nowMs))
    const due = this.#results.filter(isDue)
    this.#results = this.#results.filter((one) => !isDue(one))
    for (const [probe, results] of Map.groupBy(due, (one) => one.probe)) {
      for (const { slot, word } of results)
        if (slot !== null) this.model.delivered(slot, probe.place, word, nowMs)
      const reports = results.map(({ ticket, word, startedMs }) => ({
        ticket,
        word,
        tookMs: nowMs - startedMs,
      }))
      this.#take(probe, probe.results(reports))
    }
  }

  #take(probe: SimulatedProbe, frame: Buffer): void {
    const results = probe.session.take(frame)
    if (results === null) this.#service.remote.stateChanged(probe.session)
    else this.#service.remote.takeResults(probe.session, results)
  }

  /** False if it breaks the protocol. */
  #takes(probe: SimulatedProbe, frame: Buffer): boolean {
    try {
      this.#take(probe, frame)
      return true
    } catch {
      return false
    }
  }

  #goes(probe: SimulatedProbe): void {
    this.#probes = this.#probes.filter((one) => one !== probe)
    this.#cutOff.delete(probe)
    for (const slot of this.#asks.get(probe) ?? []) this.model.lost(slot, probe.place)
    this.#results = this.#results.filter((one) => one.probe !== probe)
    this.#asks.delete(probe)
    this.#service.remote.leave(probe.session, 'has disconnected')
  }
}

const weights = { comes: 6, dies: 3, cutsOff: 4, spoils: 2, overloads: 3, changes: 3 } as const

const deeds: Readonly<Record<keyof typeof weights, (world: PlaceWorld) => void | Promise<void>>> = {
  comes: (world) => world.comes(),
  dies: (world) => world.dies(),
  cutsOff: (world) => world.cutsOff(),
  spoils: (world) => world.spoils(),
  overloads: (world) => world.overloads(),
  changes: (world) => world.changes(),
}

/** The host names the monitor, and the port its revision. */
function monitorsAt(revisions: ReadonlyMap<string, number>): MonitorDocument[] {
  return [...monitors].map(([name, { places: at, rule }]) => ({
    id: name,
    name,
    check: {
      type: 'tcp',
      interval: '10s',
      timeout: '4s',
      locations: [...at],
      ...(at.length === 1 ? {} : { fails_when: rule }),
      config: { host: name, port: (revisions.get(name) ?? 0) + 1 },
    },
  }))
}
