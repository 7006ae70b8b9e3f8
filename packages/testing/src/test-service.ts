// testing/test-service.ts: the whole controller in one process under a clock that a test moves, with simulated
// targets. Tests read like a timeline: something happens, time passes, something is expected.
import { statuses } from '@pulseward/contract'
import { checks } from '@pulseward/server/internal/checks/registry.ts'
import type { MonitorDocument } from '@pulseward/server/internal/config/fleet-file/schema.ts'
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import { Controller } from '@pulseward/server/internal/controller/controller.ts'
import { arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { LiveIndex } from '@pulseward/server/internal/projection/live-index.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { FakeClock } from './fake-clock.ts'
import { definitionOf } from './fleet-files.ts'
import { type SimulatedTarget, SimulatedTargets } from './simulated-targets.ts'

const tickMs = 10
const adaptMs = 250
const historyMs = 1000

export interface TestServiceOptions {
  readonly monitors: readonly MonitorDocument[]
}

/** A monitor for tests: `http('edge', { every: '10s' })`. */
export function http(id: string, { every = '10s' }: { every?: string } = {}): MonitorDocument {
  return { id, name: id, check: { type: 'http', interval: every, config: { url: `http://${id}.test/` } } }
}

export class TestService {
  readonly clock = new FakeClock()
  readonly fleet = new Fleet(Object.keys(checks))
  readonly controller: Controller
  readonly #targets = new SimulatedTargets(this.clock)
  readonly #index = new LiveIndex(this.fleet, this.clock)
  #elapsedMs = 0

  constructor({ monitors }: TestServiceOptions) {
    const settings = resolveSettings({ flags: new Map(), environment: {}, file: null }).values
    let ids = 0
    this.controller = new Controller({
      settings,
      fleet: this.fleet,
      clock: this.clock,
      log: silentLog,
      ids: () => `id-${ids++}`,
    })
    this.controller.attach(this.#targets)
    this.reload(monitors)
  }

  /** The fleet files say something else from now on. */
  reload(monitors: readonly MonitorDocument[]): void {
    const before = this.fleet.loaded
      ? { definition: this.fleet.definition, present: this.fleet.present }
      : null
    const arrangement = arrange(definitionOf(monitors), before)
    this.controller.take({ arrangement, credentials: new Map(), files: [] })
  }

  target(id: string): SimulatedTarget {
    return this.#targets.of(id)
  }

  advance({ seconds = 0, ms = seconds * 1000 }: { seconds?: number; ms?: number }): void {
    for (let passed = 0; passed < ms; passed += tickMs) this.#step()
  }

  /** Time passes in which nothing of the service runs, as in a suspended machine. */
  sleep({ seconds }: { seconds: number }): void {
    this.clock.advance(seconds * 1000)
  }

  statusOf(id: string): string {
    return statuses[this.fleet.columns.status[this.#slotOf(id)]!]!
  }

  overview() {
    const overview = this.#index.overview()
    if (!overview.available) throw new Error(overview.reason)
    return overview.value
  }

  #step(): void {
    this.clock.advance(tickMs)
    this.#elapsedMs += tickMs
    const results = this.#targets.deliver()
    if (results !== null) this.controller.flow.takeResults(results)
    this.controller.tick()
    if (this.#elapsedMs % adaptMs === 0) this.controller.adapt()
    if (this.#elapsedMs % historyMs === 0) this.controller.keepHistory()
  }

  #slotOf(id: string): number {
    for (let slot = 0; slot < this.fleet.slots; slot++) {
      if (this.fleet.has(slot) && this.fleet.idOf(slot) === id) return slot
    }
    throw new Error(`there is no monitor ${id}`)
  }
}
