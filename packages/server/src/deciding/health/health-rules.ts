// deciding/health/health-rules.ts: what the configuration says about when a monitor counts as broken and as recovered.

export interface HealthRules {
  /** At least 1. */
  readonly unhealthyThreshold: number
  /** At least 1. */
  readonly healthyThreshold: number
  readonly recoveryConfigured: boolean
  /** How long after an accepted intervention checks say nothing. */
  readonly settleMs: number
  /** How often red is sent again while an incident stays open; null is never. */
  readonly repeatMs: number | null
}
