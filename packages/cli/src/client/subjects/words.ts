// client/subjects/words.ts: the terms of the wire as tables show them: one word for one thing, in v1 and v2 alike.
import type { v1, v2 } from '@pulseward/client'
import type { Pipeline, Status } from '@pulseward/contract'
import { pipelineWords } from '@pulseward/contract/v1/words'

/** Checks, recoveries and notifications, where the wire says pulse, intervention and code. */
export function pipelineWord(pipeline: string): string {
  // A newer service may have further ones.
  return (pipelineWords[pipeline as Pipeline] ?? pipeline).toLowerCase()
}

const actionWords = { intervention: 'recovery', code: 'notification' } as const

export function actionWord(kind: v1.NextActionEntry['kind'] | undefined): string | null {
  return kind === undefined ? null : actionWords[kind]
}

/** `timed out` for timed_out. */
export function spaced(term: string | null | undefined): string | null {
  return term?.replaceAll('_', ' ') ?? null
}

/** Snoozed monitors are disabled on the wire of v1. */
export function statusWord(row: { readonly status: Status; readonly snoozed_until?: string | null }): string {
  const { status, snoozed_until: snoozedUntil = null } = row
  return status === 'disabled' && snoozedUntil !== null ? 'snoozed' : status
}

/** What v1 says where v2 says how healthy a monitor is. */
export const statusOfHealth = {
  healthy: 'up',
  warning: 'degraded',
  unhealthy: 'down',
  unknown: 'unknown',
} as const

/** The status of a resource of v2, which says less than v1: a monitor that verifies is down. */
export function statusOfResource({ spec, status = {} }: v2.Monitor): string {
  if (spec.enabled === false) return 'disabled'
  if (status.snoozedUntil !== undefined) return 'snoozed'
  if (status.incidentID !== undefined) return 'incident'
  return statusOfHealth[status.health ?? 'unknown']
}
