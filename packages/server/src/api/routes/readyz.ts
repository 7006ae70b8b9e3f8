// api/routes/readyz.ts: whether the service can do its work, with the reasons if not. Not a problem document:
// clients want the details in either case.
import type { CandidateReadyz, MainReadyz, ReadinessReason } from '@pulseward/contract'
import { json, type Route, route } from '../route.ts'

export interface Readiness {
  readonly reasons: readonly ReadinessReason[]
  readonly details: Omit<MainReadyz, 'status' | 'reasons'> | Omit<CandidateReadyz, 'status' | 'reasons'>
}

export function readyz(readiness: () => Readiness): Route {
  return route('GetReady', () => {
    const { reasons, details } = readiness()
    return reasons.length === 0
      ? json({ status: 'ready', ...details })
      : json({ status: 'not_ready', reasons, ...details }, 503)
  })
}
