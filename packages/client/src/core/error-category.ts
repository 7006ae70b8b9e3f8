// core/error-category.ts: maps an error answer to a category. The status decides. A write that failed inside
// the service may have happened, unless the service clearly says that it was not accepted.
import { categoryByStatus, type ErrorCategory, notServedCode } from '../generated/figures.ts'

export interface ErrorAnswer {
  readonly status: number
  readonly code: string
  readonly hasRetryAfter: boolean
  readonly isMutation: boolean
}

export function errorCategory({ status, code, hasRetryAfter, isMutation }: ErrorAnswer): ErrorCategory {
  if (status === 404 && code === notServedCode) return 'unavailableFeature'
  const known = categoryByStatus[status]
  if (known !== undefined) return known
  if (status < 500) return 'invalidInput'
  const isRefusal = status === 503 && (code === 'standby' || (hasRetryAfter && code === 'unavailable'))
  return isMutation && !isRefusal ? 'ambiguousMutation' : 'unavailable'
}
