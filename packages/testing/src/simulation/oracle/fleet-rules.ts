// simulation/oracle/fleet-rules.ts: the running fleet is exactly what the files say and what was written
// through v2: every monitor with its check, its timing, its recovery, its destinations and its parents; every
// endpoint, and the value of every credential.
import { sharedValue } from '@pulseward/server/internal/config/fleet-file/definition.ts'
import type { Color } from '@pulseward/server/internal/notify/driver.ts'
import { PackedReader } from '@pulseward/server/internal/platform/packed-strings.ts'
import { checkConfigOf, type FleetPlan, type PlannedMonitor, recoveryConfigOf } from '../fleet-plan.ts'
import { count, type Tally } from '../tally.ts'
import { inOrder, isSameJson, secretOf, type Wanted } from '../writes/wanted.ts'
import type { Findings } from './findings.ts'
import type { Scene } from './scene.ts'

export class FleetRules {
  readonly #scene: Scene
  readonly #findings: Findings
  readonly #tally: Tally

  constructor(scene: Scene, findings: Findings, tally: Tally) {
    this.#scene = scene
    this.#findings = findings
    this.#tally = tally
  }

  /** The process has taken the plan, with these resources in it. */
  compare(plan: FleetPlan, resources: readonly Wanted[]): void {
    count(this.#tally.compared, 'fleets')
    const { definition } = this.#scene.running.fleet
    const running = new Map(this.#scene.rows())
    this.#same('monitors', running.keys(), plan.monitors.keys())
    this.#same('endpoints', definition.endpoints.keys(), plan.endpoints.keys())
    for (const monitor of plan.monitors.values()) {
      const row = running.get(monitor.id)
      if (row !== undefined) this.#compareMonitor(monitor, row)
    }
    this.#compareCredentials(resources)
  }

  #compareMonitor(monitor: PlannedMonitor, row: number): void {
    const { definition } = this.#scene.running.fleet
    const { enabled, intervalMs, timeoutMs, unhealthyThreshold, healthyThreshold } = sharedValue(
      definition.policies,
      row,
    )
    const recovery = sharedValue(definition.recoveries, row)
    const runs = {
      name: new PackedReader(definition.names).get(row),
      config: JSON.parse(new PackedReader(definition.configs).get(row)),
      policy: { enabled, intervalMs, timeoutMs, unhealthyThreshold, healthyThreshold },
      recovery: recovery === null ? null : recovery.config,
      windows: sharedValue(definition.maintenance, row).length,
      red: this.#destinations(row, 'red'),
      gray: this.#destinations(row, 'gray'),
      parents: sharedValue(definition.dependencies, row).filter((id) => this.#scene.plan.monitors.has(id)),
    }
    const planned = {
      name: monitor.name,
      config: checkConfigOf(monitor),
      policy: {
        enabled: monitor.enabled,
        ...timesOf(monitor),
        unhealthyThreshold: monitor.unhealthyThreshold,
        healthyThreshold: monitor.healthyThreshold,
      },
      recovery: monitor.recovery === null ? null : recoveryConfigOf(monitor.recovery),
      windows: monitor.window === null ? 0 : 1,
      red: [...monitor.destinations.red].sort(),
      gray: [...monitor.destinations.gray].sort(),
      parents: [...monitor.parents],
    }
    if (!isSameJson(runs, planned))
      this.#note(`${monitor.id} runs as ${inOrder(runs)}, and should as ${inOrder(planned)}`)
  }

  #destinations(row: number, color: Color): readonly string[] {
    const { definition } = this.#scene.running.fleet
    const named = sharedValue(definition.notifications, row).colors[color]
    const labels = sharedValue(definition.labels, row)
    const routed = definition.routes.filter(
      ({ match, colors }) =>
        colors.includes(color) && Object.entries(match).every(([key, value]) => labels[key] === value),
    )
    const all = [...(named === undefined ? [] : [named]), ...routed.map(({ destinations }) => destinations)]
    const told = all.flatMap(({ groups, endpoints }) => [
      ...groups.flatMap((group) => definition.groups.get(group) ?? []),
      ...endpoints,
    ])
    return [...new Set(told)].sort()
  }

  #compareCredentials(resources: readonly Wanted[]): void {
    const { credentials } = this.#scene.running.parts.inForce
    const runs = [...credentials].flatMap(([name, value]) =>
      name.startsWith('v2/') ? [`${name} ${value}`] : [],
    )
    const planned = resources.flatMap((one) =>
      one.kind === 'Credential' ? [`v2/${one.id} ${secretOf(one)}`] : [],
    )
    if (runs.sort().join() !== planned.sort().join())
      this.#note('the values of credentials are not what was written')
  }

  #same(noun: string, running: Iterable<string>, planned: Iterable<string>): void {
    const runs = [...running].sort().join(' ')
    const should = [...planned].sort().join(' ')
    if (runs !== should) this.#note(`the ${noun} ${runs} run, and ${should} should`)
  }

  #note(words: string): void {
    this.#findings.note('files and resources', words)
  }
}

/** A job that reports by itself has no times; the defaults stand in their place. */
function timesOf({ job, intervalSeconds, timeoutSeconds }: PlannedMonitor) {
  return job === undefined
    ? { intervalMs: intervalSeconds * 1000, timeoutMs: timeoutSeconds * 1000 }
    : { intervalMs: 60_000, timeoutMs: 10_000 }
}
