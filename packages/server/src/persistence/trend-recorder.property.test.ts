// What the store has of trends against a list of all samples, over kills at any moment, clocks that are set, and monitors
// that leave: what was committed is there once, and nothing else is.
import { temporaryFolder } from '@pulseward/testing'
import { batch, identity } from '@pulseward/testing/store'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../store/memory-store.ts'
import { SqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { fleetBlock, type TrendWrite } from '../store/trend.ts'
import { CountedCell, type TrendCell } from '../trends/cell.ts'
import { bucketOf } from '../trends/latency-buckets.ts'
import { type CountedLevel, cellAt } from '../trends/levels.ts'
import { TrendCells } from '../trends/trend-cells.ts'
import { TrendRecorder, type TrendsSetting } from './trend-recorder.ts'

/** In three blocks, at their edges. */
const numbers = [0, 1, 255, 256, 700]
const blocks = 3
const blockOf = (numericId: number) => Math.floor(numericId / 256)
const begin = Date.UTC(2026, 0, 1, 10, 58)
const levels = ['minute', 'fiveMinutes', 'hour'] as const

/** Samples of one cell of a monitor, or of the fleet: those of the time that is being filled, and those from before. */
class Samples {
  readonly closed = new CountedCell()
  readonly open = new CountedCell()

  close(): void {
    this.closed.add(this.open)
    this.open.clear()
  }

  copied(): Samples {
    const copy = new Samples()
    copy.closed.add(this.closed)
    copy.open.add(this.open)
    return copy
  }
}

/** A number of a monitor below 0 is the fleet. */
interface Place {
  readonly numericId: number
  readonly cell: number
  readonly samples: Samples
}

/** By level and block. */
type Counted = Map<string, readonly Place[]>

/** One process after the other over one store, and beside each what it should have counted. */
class Processes {
  now = begin
  /** As far as the clock was set. */
  #earliest = begin
  #latest = begin
  /** What the present process knows, and what of it is on disk. */
  #live: Counted = new Map()
  #committed: Counted = new Map()
  #waiting: { readonly write: TrendWrite; readonly counted: readonly Place[] }[] = []
  #gone = new Set<number>()
  #cells = new TrendCells()
  #recorder: TrendRecorder
  /** The cells that were being filled at the last tick. */
  #filling = new Map<CountedLevel, number>()
  readonly #setting: TrendsSetting
  readonly #openStore: () => Promise<Store>
  #store: Store | null = null
  #round = 0

  constructor(setting: TrendsSetting, openStore: () => Promise<Store>) {
    this.#setting = setting
    this.#openStore = openStore
    this.#recorder = this.#newRecorder()
  }

  get store(): Store {
    if (this.#store === null) throw new Error('no process has begun')
    return this.#store
  }

  async begin(): Promise<void> {
    this.#store = await this.#openStore()
    await this.store.commit(batch({ identities: numbers.map((number) => identity(number)) }))
    this.#recorder.restore((await this.store.recover(0)).trends)
    for (const level of levels) {
      const filling = cellAt(level, this.now)
      this.#filling.set(level, filling)
      for (const { numericId, cell, samples } of this.#placesOf(level)) {
        if (cell !== filling) samples.close()
        else if (this.#gone.has(numericId)) samples.open.clear()
      }
    }
  }

  /** The monitor leaves the fleet; its next sample is counted after it has come back. */
  leave(numericId: number): void {
    this.#cells.forget(numbers.indexOf(numericId))
    this.#gone.add(numericId)
    for (const level of levels)
      for (const place of this.#placesOf(level)) if (place.numericId === numericId) place.samples.open.clear()
  }

  count(numericId: number, latencyMs: number | null): void {
    this.#gone.delete(numericId)
    this.#cells.count(numbers.indexOf(numericId), latencyMs !== null, latencyMs ?? 0)
    for (const level of this.#levels) {
      this.#note(level, blockOf(numericId), numericId, latencyMs)
      this.#note(level, fleetBlock, fleetBlock, latencyMs)
    }
  }

  tick(ms: number): void {
    this.now += ms
    this.#earliest = Math.min(this.#earliest, this.now)
    this.#latest = Math.max(this.#latest, this.now)
    this.#recorder.advance()
    for (const level of levels) {
      const filling = cellAt(level, this.now)
      if (filling === this.#filling.get(level)) continue
      this.#filling.set(level, filling)
      for (const { samples } of this.#placesOf(level)) samples.close()
    }
  }

  checkpoint(): void {
    for (let block = 0; block < blocks; block++) this.#recorder.visit(block, true, this.#round)
    this.#recorder.saveFleet()
    this.#round++
  }

  async commit(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    await this.store.commit(batch({ trends: waiting.map(({ write }) => write) }))
    for (const { write, counted } of waiting) this.#committed.set(keyOf(write), counted)
  }

  /** Nothing that waits is ever written. */
  async kill(): Promise<void> {
    this.#waiting = []
    this.#live = new Map(Array.from(this.#committed, ([key, counted]) => [key, copied(counted)]))
    this.#cells = new TrendCells()
    this.#recorder = this.#newRecorder()
    await this.store[Symbol.asyncDispose]()
    await this.begin()
  }

  /** All that is on disk of every monitor, and of the fleet. */
  async stored(): Promise<Record<string, TrendCell>> {
    const found: Record<string, TrendCell> = {}
    for (const level of levels) {
      const [from, to] = [cellAt(level, this.#earliest), cellAt(level, this.#latest) + 1]
      for (const numericId of [null, ...numbers])
        for (const { cell, ...rest } of await this.store.readTrend({ level, numericId, from, to }))
          found[`${level} ${numericId ?? fleetBlock} ${cell}`] = rest
    }
    return found
  }

  committed(): Record<string, TrendCell> {
    const found: Record<string, TrendCell> = {}
    for (const [key, places] of this.#committed)
      for (const { numericId, cell, samples } of copied(places)) {
        samples.close()
        if (!samples.closed.isEmpty)
          found[`${key.split(' ')[0]} ${numericId} ${cell}`] = samples.closed.summed()
      }
    return found
  }

  #placesOf(level: CountedLevel): Place[] {
    return [...this.#live].flatMap(([key, places]) => (key.startsWith(level) ? places : []))
  }

  get #levels(): readonly CountedLevel[] {
    return this.#setting === 'full' ? levels : ['hour']
  }

  #newRecorder(): TrendRecorder {
    return new TrendRecorder({
      fleet: { counts: { total: numbers.length } } as ConstructorParameters<typeof TrendRecorder>[0]['fleet'],
      identities: {
        rowOf: (numericId) => (this.#gone.has(numericId) ? -1 : numbers.indexOf(numericId)),
        highestNumber: 700,
      },
      journal: {
        keepTrend: (write) =>
          this.#waiting.push({ write, counted: copied(this.#live.get(keyOf(write)) ?? []) }),
      },
      time: { now: () => this.now },
      cells: this.#cells,
      setting: this.#setting,
    })
  }

  #note(level: CountedLevel, block: number, numericId: number, latencyMs: number | null): void {
    const key = keyOf({ level, block })
    const places = this.#live.get(key) ?? []
    const cell = this.#filling.get(level) ?? 0
    let place = places.find((each) => each.numericId === numericId && each.cell === cell)
    if (place === undefined) {
      place = { numericId, cell, samples: new Samples() }
      this.#live.set(key, [...places, place])
    }
    const { open } = place.samples
    if (latencyMs === null) open.failures++
    else open.counts[bucketOf(latencyMs)]!++
  }
}

function keyOf({ level, block }: Pick<TrendWrite, 'level' | 'block'>): string {
  return `${level} ${block}`
}

function copied(places: readonly Place[]): Place[] {
  return places.map((place) => ({ ...place, samples: place.samples.copied() }))
}

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ count: fc.constantFrom(...numbers), ms: fc.option(fc.constant(20)) }) },
  { weight: 3, arbitrary: fc.record({ tickMs: fc.constantFrom(10, 61_000, 299_000, 3_600_000) }) },
  { weight: 3, arbitrary: fc.constant('checkpoint' as const) },
  { weight: 3, arbitrary: fc.constant('commit' as const) },
  { weight: 2, arbitrary: fc.constant('kill' as const) },
  { weight: 1, arbitrary: fc.record({ leaves: fc.constantFrom(...numbers) }) },
  { weight: 1, arbitrary: fc.record({ clockMs: fc.constantFrom(-7_200_000, -300_000, 86_400_000) }) },
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

async function take(processes: Processes, each: Step): Promise<void> {
  if (each === 'checkpoint') processes.checkpoint()
  else if (each === 'commit') await processes.commit()
  else if (each === 'kill') await processes.kill()
  else if ('count' in each) processes.count(each.count, each.ms)
  else if ('leaves' in each) processes.leave(each.leaves)
  else processes.tick('tickMs' in each ? each.tickMs : each.clockMs)
}

/** A store that every process finds as the one before left it, and what has to be removed at the end. */
interface Kept extends Disposable {
  open(now: () => number): Promise<Store>
}

const stores: readonly { readonly name: string; readonly runs: number; readonly keep: () => Kept }[] = [
  {
    name: 'memory',
    runs: 300,
    keep: () => {
      let store: MemoryStore | null = null
      return {
        open: async (now) => {
          store ??= Object.assign(new MemoryStore(now), { [Symbol.asyncDispose]: async () => undefined })
          return store
        },
        [Symbol.dispose]: () => undefined,
      }
    },
  },
  {
    name: 'sqlite',
    runs: 12,
    keep: () => {
      const folder = temporaryFolder()
      return {
        open: (now) => SqliteStore.open({ directory: folder.path('data'), now }),
        [Symbol.dispose]: () => folder[Symbol.dispose](),
      }
    },
  },
]

describe.each(stores)('over a store in $name', ({ runs, keep }) => {
  it.each(['light', 'full'] as const)(
    'trends that are %s have every sample once that was committed, and no other, wherever a process was killed',
    { tags: 'long' },
    async (setting) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
          using kept = keep()
          const processes: Processes = new Processes(setting, () => kept.open(() => processes.now))
          await processes.begin()
          for (const each of steps) await take(processes, each)
          await processes.commit()
          expect(await processes.stored()).toEqual(processes.committed())
          await processes.store[Symbol.asyncDispose]()
        }),
        { numRuns: runs },
      )
    },
  )
})

it('counts nothing when trends are off', async () => {
  const processes = new Processes('off', async () => new MemoryStore(() => begin))
  await processes.begin()
  processes.count(1, 20)
  processes.tick(3_600_000)
  processes.checkpoint()
  await processes.commit()
  expect(await processes.stored()).toEqual({})
})
