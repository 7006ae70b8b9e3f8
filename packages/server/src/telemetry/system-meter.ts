// telemetry/system-meter.ts: how much the stages of the controller do and how long they take, as the systems
// view shows it. Measuring costs two clock readings, made by the caller, and a few additions.
import { BucketWindow } from './bucket-window.ts'

const WINDOW_SECONDS = 60
const UPDATES = 0
const ENTITIES = 1

export interface SystemObservation {
  readonly name: string
  /** How often the stage ran. */
  readonly updates: number
  /** How many monitors, results, actions or requests it handled. */
  readonly entities: number
  /** How many runs had something to handle. */
  readonly batches: number
  readonly lastMs: number | null
  readonly avgMs: number | null
  readonly maxMs: number | null
  /** Epoch milliseconds of the end of the last run. */
  readonly lastProgress: number | null
}

export interface SystemsObservation {
  readonly systems: SystemObservation[]
  readonly aggregate: SystemObservation & {
    readonly entitiesPerSecond: number | null
    readonly updatesPerSecond: number | null
  }
}

/** One stage. A run that throws before `end` is called leaves no trace except a late `lastProgress`. */
export class SystemMeter {
  readonly name: string
  readonly #recent: BucketWindow
  #updates = 0
  #entities = 0
  #batches = 0
  #beganMs = 0
  #endedMs = 0
  #lastMs = 0
  #totalMs = 0
  #maxMs = 0

  constructor(name: string, recent: BucketWindow) {
    this.name = name
    this.#recent = recent
  }

  begin(nowMs: number): void {
    this.#beganMs = nowMs
  }

  end(nowMs: number, entities: number): void {
    const tookMs = nowMs - this.#beganMs
    this.#endedMs = nowMs
    this.#lastMs = tookMs
    this.#totalMs += tookMs
    if (tookMs > this.#maxMs) this.#maxMs = tookMs
    this.#updates++
    this.#entities += entities
    if (entities > 0) this.#batches++
    const cell = this.#recent.roll(nowMs)
    this.#recent.cells[cell + UPDATES]! += 1
    this.#recent.cells[cell + ENTITIES]! += entities
  }

  observe(nowMs: number, wallMs: number): SystemObservation {
    const measured = this.#updates > 0
    return {
      name: this.name,
      updates: this.#updates,
      entities: this.#entities,
      batches: this.#batches,
      lastMs: measured ? this.#lastMs : null,
      avgMs: measured ? this.#totalMs / this.#updates : null,
      maxMs: measured ? this.#maxMs : null,
      lastProgress: measured ? wallMs - (nowMs - this.#endedMs) : null,
    }
  }
}

/** All stages of a controller, in the order in which they were added. */
export class SystemMeters {
  readonly #recent: BucketWindow
  readonly #meters: SystemMeter[] = []

  constructor(nowMs: number) {
    this.#recent = new BucketWindow({ bucketMs: 1_000, length: WINDOW_SECONDS, columns: 2 }, nowMs)
  }

  add(name: string): SystemMeter {
    const meter = new SystemMeter(name, this.#recent)
    this.#meters.push(meter)
    return meter
  }

  observe(nowMs: number, wallMs: number): SystemsObservation {
    this.#recent.roll(nowMs)
    const systems = this.#meters.map((meter) => meter.observe(nowMs, wallMs))
    return {
      systems,
      aggregate: {
        ...aggregate(systems),
        entitiesPerSecond: this.#recent.ratePerSecond(ENTITIES),
        updatesPerSecond: this.#recent.ratePerSecond(UPDATES),
      },
    }
  }
}

function aggregate(systems: readonly SystemObservation[]): SystemObservation {
  const measured = systems.filter((system) => system.updates > 0)
  const latest = measured.toSorted((a, b) => b.lastProgress! - a.lastProgress!)[0]
  const updates = total(measured, (system) => system.updates)
  return {
    name: 'aggregate',
    updates,
    entities: total(measured, (system) => system.entities),
    batches: total(measured, (system) => system.batches),
    lastMs: latest?.lastMs ?? null,
    avgMs: updates === 0 ? null : total(measured, (system) => system.avgMs! * system.updates) / updates,
    maxMs: updates === 0 ? null : Math.max(...measured.map((system) => system.maxMs!)),
    lastProgress: latest?.lastProgress ?? null,
  }
}

function total(
  systems: readonly SystemObservation[],
  measure: (system: SystemObservation) => number,
): number {
  return systems.reduce((sum, system) => sum + measure(system), 0)
}
