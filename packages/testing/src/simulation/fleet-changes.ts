// simulation/fleet-changes.ts: what people do to their fleet files: monitors are added, removed and added
// again; checks, recoveries, destinations, windows and dependencies change. Each change is one reload.

import type { Random } from '../random.ts'
import {
  type FleetPlan,
  numberOf,
  type PlannedEndpoint,
  type PlannedMonitor,
  someDestinations,
  someHourlyWindow,
  someMonitor,
  someParents,
  someRecovery,
} from './fleet-plan.ts'

const minuteMs = 60_000

type MonitorChange = (
  monitor: PlannedMonitor,
  plan: FleetPlan,
  random: Random,
  wallMs: number,
) => Partial<PlannedMonitor>

export const monitorChanges: Readonly<Record<string, MonitorChange>> = {
  check: ({ checkVersion }) => ({ checkVersion: checkVersion + 1 }),
  thresholds: (_monitor, _plan, random) => ({
    unhealthyThreshold: random.whole(1, 4),
    healthyThreshold: random.whole(1, 3),
  }),
  recovery: (_monitor, _plan, random) => ({ recovery: random.chance(0.3) ? null : someRecovery(random) }),
  notify: (_monitor, { endpoints }, random) => ({
    destinations: someDestinations([...endpoints.keys()], random),
    repeatMinutes: random.chance(0.4) ? random.whole(2, 20) : null,
  }),
  enabled: ({ enabled }) => ({ enabled: !enabled }),
  window: (_monitor, _plan, random, wallMs) => ({ window: someWindow(random, wallMs) }),
  parents: ({ id }, { monitors }, random) => ({
    parents: random.chance(0.4) ? [] : someParents(id, monitors, random),
  }),
  name: ({ name }) => ({ name: `${name}!`.slice(0, 40) }),
}

export class FleetChanges {
  readonly #random: Random
  readonly #gone = new Map<string, PlannedMonitor>()
  readonly #goneEndpoints = new Map<string, PlannedEndpoint>()
  #highest: number

  constructor(plan: FleetPlan, random: Random) {
    this.#random = random
    this.#highest = Math.max(-1, ...Array.from(plan.monitors.keys(), numberOf))
  }

  /** A changed plan, and a word that says what is different. */
  next(plan: FleetPlan, wallMs: number): { readonly plan: FleetPlan; readonly word: string } {
    const random = this.#random
    const word = random.weighted({
      remove: 3,
      add: 2,
      'bring back': 3,
      'change endpoint': 2,
      'drop endpoint': 1,
      'add endpoint': 2,
      check: 3,
      thresholds: 1,
      recovery: 3,
      notify: 4,
      enabled: 4,
      window: 4,
      parents: 2,
      name: 1,
    })
    return { plan: this.#changed(plan, word, wallMs), word }
  }

  /** Gives every destination a new configuration, which revives dead ones, and enables every monitor. */
  settled(plan: FleetPlan): FleetPlan {
    const endpoints = new Map(
      Array.from(plan.endpoints, ([name, one]) => [name, { ...one, version: one.version + 1 }]),
    )
    const monitors = Array.from(plan.monitors, ([id, one]) => [id, { ...one, enabled: true, window: null }])
    return { endpoints, monitors: new Map(monitors as [string, PlannedMonitor][]) }
  }

  /** Removes these monitors from the files. */
  withoutAll(plan: FleetPlan, ids: readonly string[]): FleetPlan {
    return ids.reduce((left, id) => this.#without(left, id), plan)
  }

  /** Checks every monitor at this interval; null: as configured. */
  paced(plan: FleetPlan, intervalSeconds: number | null): FleetPlan {
    const pace = (one: PlannedMonitor): PlannedMonitor => ({
      ...one,
      intervalSeconds: intervalSeconds ?? 30,
      timeoutSeconds: Math.min(one.timeoutSeconds, intervalSeconds ?? 30),
    })
    return { ...plan, monitors: new Map(Array.from(plan.monitors, ([id, one]) => [id, pace(one)])) }
  }

  #changed(plan: FleetPlan, word: string, wallMs: number): FleetPlan {
    const random = this.#random
    switch (word) {
      case 'remove':
        return plan.monitors.size > 3 ? this.#without(plan, random.pick([...plan.monitors.keys()])) : plan
      case 'add':
        return withMonitor(plan, someMonitor(`m${++this.#highest}`, plan, random))
      case 'bring back':
        return this.#broughtBack(plan)
      case 'change endpoint':
        return changedEndpoint(plan, random.pick([...plan.endpoints.keys()]))
      case 'drop endpoint':
        return plan.endpoints.size > 2 ? this.#withoutEndpoint(plan) : plan
      case 'add endpoint':
        return this.#withEndpoint(plan)
      default: {
        const monitor = random.pick([...plan.monitors.values()])
        const changes = monitorChanges[word]!(monitor, plan, random, wallMs)
        return withMonitor(plan, { ...monitor, ...changes })
      }
    }
  }

  #without(plan: FleetPlan, id: string): FleetPlan {
    this.#gone.set(id, plan.monitors.get(id)!)
    const left = [...plan.monitors.values()].filter((one) => one.id !== id)
    const bereft = left.map((one): [string, PlannedMonitor] => [
      one.id,
      one.parents.includes(id) ? { ...one, parents: one.parents.filter((parent) => parent !== id) } : one,
    ])
    return { ...plan, monitors: new Map(bereft) }
  }

  #broughtBack(plan: FleetPlan): FleetPlan {
    const [id] = this.#gone.keys()
    if (id === undefined) return plan
    const monitor = this.#gone.get(id)!
    this.#gone.delete(id)
    const destinations = someDestinations([...plan.endpoints.keys()], this.#random)
    return withMonitor(plan, { ...monitor, destinations, parents: [] })
  }

  #withoutEndpoint(plan: FleetPlan): FleetPlan {
    const name = this.#random.pick([...plan.endpoints.keys()])
    this.#goneEndpoints.set(name, plan.endpoints.get(name)!)
    const endpoints = new Map([...plan.endpoints].filter(([one]) => one !== name))
    const monitors = Array.from(plan.monitors.values(), (one): [string, PlannedMonitor] => {
      const kept = Object.entries(one.destinations).map(([color, names]) => [
        color,
        names.filter((endpoint) => endpoint !== name),
      ])
      return [one.id, { ...one, destinations: Object.fromEntries(kept) }]
    })
    return { endpoints, monitors: new Map(monitors) }
  }

  #withEndpoint(plan: FleetPlan): FleetPlan {
    const [name] = this.#goneEndpoints.keys()
    if (name === undefined) return plan
    const endpoint = this.#goneEndpoints.get(name)!
    this.#goneEndpoints.delete(name)
    return { ...plan, endpoints: new Map(plan.endpoints).set(name, endpoint) }
  }
}

function withMonitor(plan: FleetPlan, monitor: PlannedMonitor): FleetPlan {
  return { ...plan, monitors: new Map(plan.monitors).set(monitor.id, monitor) }
}

function changedEndpoint(plan: FleetPlan, name: string): FleetPlan {
  const endpoint = plan.endpoints.get(name)!
  const endpoints = new Map(plan.endpoints).set(name, { ...endpoint, version: endpoint.version + 1 })
  return { ...plan, endpoints }
}

function someWindow(random: Random, wallMs: number): PlannedMonitor['window'] {
  if (random.chance(0.3)) return null
  if (random.chance(0.4)) return someHourlyWindow(random)
  const startMs = Math.floor(wallMs + random.between(-5, 15) * minuteMs)
  return { kind: 'once', startMs, endMs: Math.floor(startMs + random.between(1, 40) * minuteMs) }
}
