// api/routes/readyz.ts: whether the service can do its work now. The rule is the edition's.
import type { ReadinessReason } from '@pulseward/contract'
import type { Route } from '../route.ts'

export interface Readiness {
  readonly reasons: readonly ReadinessReason[]
  /** What the edition reports beside its verdict. */
  readonly details: object
}

export function readyz(readiness: () => Readiness): Route {
  return {
    path: '/api/v1/readyz',
    answer() {
      const { reasons, details } = readiness()
      if (reasons.length === 0) return { status: 200, body: { status: 'ready', ...details } }
      return { status: 503, body: { status: 'not_ready', reasons, ...details } }
    },
  }
}
