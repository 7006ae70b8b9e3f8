// external-workers/receipt.ts: what a worker is answered when it reports: a receipt, which never changes, or why there is none.
import { type ExecutionEnd, receiptIdOf } from '../store/execution.ts'
import type { ReportMistake } from './report.ts'

export interface Received {
  readonly receiptId: string
  readonly disposition: ExecutionEnd['disposition']
}

/** Why a call is not answered with what it asked for. */
export type Refusal =
  /** No such job, or not one of this principal's. */
  | { readonly kind: 'not found' }
  /** Something else was reported of it before. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'wrong'; readonly mistakes: readonly ReportMistake[] }
  /** It cannot be stored now. */
  | { readonly kind: 'unavailable' }

export function receiptOf(executionId: string, disposition: ExecutionEnd['disposition']): Received {
  return { receiptId: receiptIdOf({ id: executionId }), disposition }
}
