// api/v2/routes/resource-writes.ts: what all routes have in common that write resources: who asks, and why a write was refused.
import type { Author } from '../../../managing/resource-desk.ts'
import { WriteRefusal } from '../../../managing/write-refusal.ts'
import { refusal, V2Problem } from '../../../requests/v2-problem.ts'
import type { V2RouteRequest } from '../v2-route.ts'

export function authorOf({
  principal,
  operation,
}: Pick<V2RouteRequest<never>, 'principal' | 'operation'>): Author {
  return { principal: principal.name, operation: operation.number }
}

export async function made<Written>(write: Promise<Written>): Promise<Written> {
  try {
    return await write
  } catch (error) {
    throw error instanceof WriteRefusal ? problemOf(error) : error
  }
}

function problemOf({ code, message, errors }: WriteRefusal): V2Problem {
  if (code === 'invalidResource') return refusal(code, 'body', errors)
  if (code === 'jobTypeImmutable') return new V2Problem(code, message, { errors })
  // Nothing was written, and clients may rely on that: Retry-After says so.
  return new V2Problem(code, message, code === 'unavailable' ? { retryAfterSeconds: 1 } : {})
}
