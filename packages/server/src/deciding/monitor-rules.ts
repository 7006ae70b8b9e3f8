// deciding/monitor-rules.ts: the health rules of each monitor. Monitors share policies, recoveries and
// notification settings, so rules are built once per combination, on first use.
import { isReported } from '../config/push-check.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { HealthRules } from './health/health.ts'

/** What reports by itself has no interval. */
const reportedSettleMs = 60_000

export class MonitorRules {
  readonly #fleet: Fleet
  readonly #rules = new Map<number, HealthRules>()

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  of(row: number): HealthRules {
    const { policies, recoveries, notifications } = this.#fleet.definition
    const key =
      (policies.of[row]! * recoveries.values.length + recoveries.of[row]!) * notifications.values.length +
      notifications.of[row]!
    let rules = this.#rules.get(key)
    if (rules === undefined) {
      rules = this.#make(row)
      this.#rules.set(key, rules)
    }
    return rules
  }

  /** The fleet was rearranged, so shared values have new numbers. */
  fleetChanged(): void {
    this.#rules.clear()
  }

  #make(row: number): HealthRules {
    const policy = this.#fleet.policyOf(row)
    const recovery = this.#fleet.recoveryOf(row)
    return {
      unhealthyThreshold: policy.unhealthyThreshold,
      healthyThreshold: policy.healthyThreshold,
      recoveryConfigured: recovery !== null,
      settleMs: recovery?.settleMs ?? (isReported(policy.type) ? reportedSettleMs : policy.intervalMs),
      repeatMs: this.#fleet.notifyOf(row).repeatMs,
    }
  }
}
