// bench/trend-fleet.ts: a fleet whose checks are counted in trends and committed to a real store, in
// simulated time: a tick every ten milliseconds, checkpoints in rounds of eight seconds, as in the service.
// Measures CPU time, because a shared machine makes wall time longer.
import { blockOf } from '../packages/server/src/persistence/counter-block.ts'
import { TrendRecorder } from '../packages/server/src/persistence/trend-recorder.ts'
import { emptyBatch } from '../packages/server/src/store/record-types.ts'
import type { SqliteStore } from '../packages/server/src/store/sqlite/sqlite-store.ts'
import type { TrendWrite } from '../packages/server/src/store/trend.ts'
import { TrendCells } from '../packages/server/src/trends/trend-cells.ts'

const tickMs = 10
const roundMs = 8_000
const sliceMs = 100
/** Trends are committed this often: a commit for every slice would measure the disk's syncs. */
const commitMs = 10_000
/** Far from each other in memory, like monitors that are due at the same time. */
const stride = 7_919

export interface TrendFleetOptions {
  readonly monitors: number
  readonly intervalMs: number
  readonly setting: 'light' | 'full'
  /** The start of an hour. */
  readonly beginMs: number
}

export class TrendFleet {
  readonly cells = new TrendCells()
  /**
   * CPU time of this thread, which is the controller's and includes making samples, and of all others, which
   * is the store's.
   */
  readonly cpu = { controllerUs: 0, storeUs: 0 }
  readonly counted = { samples: 0, healthy: 0, ofFirst: 0 }
  nowMs: number
  readonly #options: TrendFleetOptions
  readonly #recorder: TrendRecorder
  readonly #latencies: Latencies
  #writes: TrendWrite[] = []
  #due = 0
  #row = 0
  #round = 0
  #visited = 0
  #roundBeganMs: number

  constructor(options: TrendFleetOptions) {
    const { monitors, setting, beginMs } = options
    this.#options = options
    this.nowMs = beginMs
    this.#roundBeganMs = beginMs
    this.#latencies = new Latencies(monitors)
    this.#recorder = new TrendRecorder({
      fleet: { counts: { total: monitors } } as ConstructorParameters<typeof TrendRecorder>[0]['fleet'],
      // Numbers start at 1.
      identities: {
        rowOf: (number) => (number >= 1 && number <= monitors ? number - 1 : -1),
        highestNumber: monitors,
      },
      journal: { keepTrend: (write) => this.#writes.push(write) },
      time: { now: () => this.nowMs },
      cells: this.cells,
      setting,
    })
    this.#recorder.advance()
  }

  /** Advances the time, with every check that is due in it. */
  async pass(ms: number, store: SqliteStore): Promise<void> {
    for (const untilMs = this.nowMs + ms; this.nowMs < untilMs; ) {
      const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
      for (let passed = 0; passed < commitMs; passed += tickMs) this.#tick()
      const trends = this.#writes
      this.#writes = []
      await store.commit({ ...emptyBatch, trends })
      const controllerUs = sumOf(process.threadCpuUsage(thread))
      this.cpu.controllerUs += controllerUs
      this.cpu.storeUs += sumOf(process.cpuUsage(all)) - controllerUs
    }
  }

  #tick(): void {
    this.nowMs += tickMs
    this.#countDue()
    this.#recorder.advance()
    if (this.nowMs % sliceMs === 0) this.#visitBlocks()
  }

  #countDue(): void {
    const { monitors, intervalMs } = this.#options
    this.#due += (monitors * tickMs) / intervalMs
    for (; this.#due >= 1; this.#due--) {
      this.#row = (this.#row + stride) % monitors
      const latencyMs = this.#latencies.next(this.#row)
      const isHealthy = latencyMs >= 0
      this.cells.count(this.#row, isHealthy, latencyMs)
      this.counted.samples++
      if (isHealthy) this.counted.healthy++
      if (this.#row === 0) this.counted.ofFirst++
    }
  }

  #visitBlocks(): void {
    const blocks = blockOf(this.#options.monitors) + 1
    const due = Math.min(blocks, Math.ceil(((this.nowMs - this.#roundBeganMs) / roundMs) * blocks))
    while (this.#visited < due) this.#recorder.visit(this.#visited++, true, this.#round)
    if (this.nowMs - this.#roundBeganMs < roundMs) return
    this.#recorder.saveFleet()
    this.#roundBeganMs = this.nowMs
    this.#visited = 0
    this.#round++
  }
}

function sumOf({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}

/** Each monitor has a different latency that varies by a fifth, and sometimes by much more; a few fail for a while. */
class Latencies {
  readonly #usual: Float32Array
  readonly #factors = new Float32Array(65_536)
  #next = 0

  constructor(monitors: number) {
    const random = seeded(1)
    this.#usual = Float32Array.from({ length: monitors }, () => 2 * 200 ** random())
    for (let index = 0; index < this.#factors.length; index++) {
      const spread = 0.2 * (random() + random() + random() - 1.5)
      this.#factors[index] = random() < 0.02 ? 3 + 2 * random() : 1 + spread
    }
  }

  /** Below 0 for a failure: one check in a thousand, and one in ten for one monitor in a hundred. */
  next(row: number): number {
    this.#next = (Math.imul(this.#next, 1_664_525) + 1_013_904_223) >>> 0
    const chance = this.#next >>> 12
    if (chance % 1_000 === 0 || (row % 100 === 7 && chance % 10 === 0)) return -1
    return this.#usual[row]! * this.#factors[this.#next >>> 16]!
  }
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
