// deciding/health/ancestors.ts: what the monitors that a monitor depends on mean for it. The caller walks the
// dependencies and passes what it finds; the result goes with every input that may open, recover or send something.
import type { Instant } from './health.ts'
import type { Status } from './status.ts'

export type Ancestors =
  | { readonly kind: 'clear' }
  /** An ancestor is in incident, verifying or down: the child opens, recovers and sends nothing. */
  | { readonly kind: 'in-trouble'; readonly by: string }
  /** A parent has not been checked since the child first failed, so it may still turn out to be the cause. */
  | { readonly kind: 'not-checked' }

export interface Ancestor {
  readonly monitorId: string
  readonly status: Status
  /** Named directly in depends_on. Only parents are waited for. */
  readonly isParent: boolean
  readonly lastCheckAt: Instant | null
  readonly intervalMs: number
}

export const clear: Ancestors = { kind: 'clear' }

export function isInTrouble(status: Status): boolean {
  return status === 'incident' || status === 'verifying' || status === 'down'
}

export function assessAncestors(
  ancestors: Iterable<Ancestor>,
  firstFailureAt: Instant,
  now: Instant,
): Ancestors {
  let awaited = false
  for (const ancestor of ancestors) {
    if (isInTrouble(ancestor.status)) return { kind: 'in-trouble', by: ancestor.monitorId }
    awaited ||= isAwaited(ancestor, firstFailureAt, now)
  }
  return awaited ? { kind: 'not-checked' } : clear
}

function isAwaited(ancestor: Ancestor, firstFailureAt: Instant, now: Instant): boolean {
  if (!ancestor.isParent || ancestor.status === 'disabled') return false
  const isStale = ancestor.lastCheckAt === null || ancestor.lastCheckAt < firstFailureAt
  return isStale && now < firstFailureAt + ancestor.intervalMs
}
