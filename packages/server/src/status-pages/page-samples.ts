// status-pages/page-samples.ts: the samples of a page's components over the shown days, read from the trends while somebody
// looks at the page. Days that are over are read once per hour; yesterday and today are added up from hours, once per
// minute. What cannot be read stays as it was.
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { cellAt, hoursOfDay, type TrendLevel } from '../trends/levels.ts'
import { DailySamples, shownDays } from './daily-uptime.ts'
import type { PageRows } from './page-monitors.ts'

export interface SampleSource {
  readonly fleet: Pick<Fleet, 'columns'>
  readonly engine: Pick<EngineReading, 'now'>
  readonly store: Pick<Store, 'readTrends'>
  readonly log: Log
}

/** Read at once: more would make commits wait for the answer. */
const monitorsAtOnce = 64

export class PageSamples {
  readonly #source: SampleSource
  /** The days that are over, without yesterday. */
  #past: { readonly key: string; readonly samples: ReadonlyMap<string, DailySamples> } | null = null
  #all: ReadonlyMap<string, DailySamples> = new Map()
  #version = 0
  #today = 0

  constructor(source: SampleSource) {
    this.#source = source
  }

  /** Rises when anything is read that differs. */
  get version(): number {
    return this.#version
  }

  /** The last of the shown days. */
  get today(): number {
    return this.#today
  }

  of(componentId: string): DailySamples {
    return this.#all.get(componentId) ?? new DailySamples()
  }

  /** `generation`: of the rows. */
  async read(rows: PageRows, generation: number): Promise<void> {
    try {
      await this.#read(rows, generation)
    } catch (error) {
      this.#source.log.warn(
        { error },
        'the trends for a status page cannot be read; it shows those read before',
      )
    }
  }

  async #read(rows: PageRows, generation: number): Promise<void> {
    const now = this.#source.engine.now()
    const today = cellAt('day', now)
    const key = `${cellAt('hour', now)} ${generation}`
    if (this.#past?.key !== key) {
      const samples = await this.#sum(rows, 'day', today - shownDays + 1, today - 2, (day) => day - today)
      this.#past = { key, samples }
    }
    const [first, last] = [(today - 1) * hoursOfDay, (today + 1) * hoursOfDay - 1]
    const all = await this.#sum(rows, 'hour', first, last, (hour) => Math.floor(hour / hoursOfDay) - today)
    for (const [id, samples] of all) samples.addAll(this.#past.samples.get(id)!)
    if (today === this.#today && isSame(all, this.#all)) return
    this.#all = all
    this.#today = today
    this.#version++
  }

  /** `daysAgo`: 0 is today, -1 is yesterday. */
  async #sum(
    rows: PageRows,
    level: TrendLevel,
    from: number,
    to: number,
    daysAgo: (cell: number) => number,
  ): Promise<Map<string, DailySamples>> {
    const sums = new Map([...rows.keys()].map((id) => [id, new DailySamples()]))
    const users = this.#usersOf(rows)
    const numbers = [...users.keys()].sort((one, other) => one - other)
    for (let next = 0; next < numbers.length; next += monitorsAtOnce) {
      const numericIds = numbers.slice(next, next + monitorsAtOnce)
      const found = await this.#source.store.readTrends({ level, numericIds, from, to })
      for (const [place, cells] of found.entries())
        for (const componentId of users.get(numericIds[place]!)!)
          for (const { cell, samples, healthy } of cells)
            sums.get(componentId)!.add(shownDays - 1 + daysAgo(cell), samples, healthy)
    }
    return sums
  }

  /** Which components a monitor belongs to, by its number. */
  #usersOf(rows: PageRows): Map<number, string[]> {
    const { numericId } = this.#source.fleet.columns
    const users = new Map<number, string[]>()
    for (const [componentId, ofComponent] of rows) {
      for (const row of ofComponent) {
        const number = numericId[row]!
        if (number === 0) continue
        const known = users.get(number)
        if (known === undefined) users.set(number, [componentId])
        else known.push(componentId)
      }
    }
    return users
  }
}

function isSame(one: ReadonlyMap<string, DailySamples>, other: ReadonlyMap<string, DailySamples>): boolean {
  const same = (left: Float64Array, right: Float64Array) => left.every((value, day) => value === right[day])
  if (one.size !== other.size) return false
  return [...one].every(([id, { samples, healthy }]) => {
    const before = other.get(id)
    return before !== undefined && same(samples, before.samples) && same(healthy, before.healthy)
  })
}
