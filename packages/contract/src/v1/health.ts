// v1/health.ts: liveness and readiness. Readiness answers plain JSON, even when the service is not ready.
import { type Static, Type } from 'typebox'
import { ActiveProcess } from './processes.ts'
import { Flag, field, Measure, nullable, oneOf, Timestamp } from './values.ts'

export const Healthz = Type.Object(
  { status: Type.Literal('ok', { description: 'The process answers.' }) },
  { description: 'The process is alive. Says nothing about targets.' },
)

export const mainReasons = ['no_snapshot', 'empty_snapshot', 'stale_snapshot'] as const
export const candidateReasons = [
  'admission_not_initialized',
  'controller_stalled',
  'storage_unavailable',
  'standby',
  'files_differ',
] as const

export const readinessReasons = [...mainReasons, ...candidateReasons] as const
export type ReadinessReason = (typeof readinessReasons)[number]

export const readiness = ['ready', 'not_ready'] as const

function readinessFields<Reasons extends readonly ReadinessReason[]>(reasons: Reasons) {
  return {
    status: field(oneOf(readiness), 'Ready with status 200, or not with 503.'),
    reasons: Type.Optional(
      Type.Array(oneOf(reasons), { minItems: 1, description: 'Why not, when not ready.' }),
    ),
  }
}

export const CandidateReadyz = Type.Object(
  {
    ...readinessFields(candidateReasons),
    projection_fresh: field(Flag, 'At most 30 s behind what is committed. Not a condition of readiness.'),
    admission_initialized: field(Flag, 'The fleet is loaded, the store recovered, the schedule armed.'),
    controller_progress_at: nullable(Timestamp, 'When the controller last made progress.'),
    storage_available: field(Flag, 'Decisions can be stored.'),
    active: Type.Optional(ActiveProcess),
  },
  { description: 'Whether the service can do its work. Unhealthy targets do not count.' },
)

export const MainReadyz = Type.Object(
  {
    ...readinessFields(mainReasons),
    snapshot_at: nullable(Timestamp, 'When the snapshot was taken.'),
    snapshot_age_seconds: nullable(Measure, 'How old it is.'),
  },
  { description: 'Whether there is a nonempty snapshot of at most 30 s. Unhealthy targets do not count.' },
)

export type CandidateReadyz = Static<typeof CandidateReadyz>
export type MainReadyz = Static<typeof MainReadyz>
