// v1/health.ts: liveness and readiness. Readiness answers plain JSON, also when it says no.
import { type Static, Type } from 'typebox'
import { nullable, Timestamp } from './values.ts'

export const Healthz = Type.Object({ status: Type.Literal('ok') })

export const readinessReasons = [
  'no_snapshot',
  'empty_snapshot',
  'stale_snapshot',
  'admission_not_initialized',
  'controller_stalled',
  'storage_unavailable',
] as const
export type ReadinessReason = (typeof readinessReasons)[number]

const verdict = {
  status: Type.Union([Type.Literal('ready'), Type.Literal('not_ready')]),
  reasons: Type.Optional(Type.Array(Type.Enum([...readinessReasons]), { minItems: 1 })),
}

export const CandidateReadyz = Type.Object({
  ...verdict,
  projection_fresh: Type.Boolean(),
  admission_initialized: Type.Boolean(),
  controller_progress_at: nullable(Timestamp),
  storage_available: Type.Boolean(),
})

export const MainReadyz = Type.Object({
  ...verdict,
  snapshot_at: nullable(Timestamp),
  snapshot_age_seconds: nullable(Type.Number({ minimum: 0 })),
})

export type CandidateReadyz = Static<typeof CandidateReadyz>
export type MainReadyz = Static<typeof MainReadyz>
