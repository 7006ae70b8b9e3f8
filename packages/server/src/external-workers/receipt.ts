// external-workers/receipt.ts: the answer to a worker's report: a receipt, which never changes, or the reason
// why there is none.
import { type ExecutionEnd, receiptIdOf } from '../store/execution.ts'
import type { ReportMistake } from './report.ts'

export interface Received {
  readonly receiptId: string
  readonly disposition: ExecutionEnd['disposition']
}

/** Why a call was refused. */
export type Refusal =
  /** There is no such job, or it belongs to another principal. */
  | { readonly kind: 'not found' }
  /** A different report about this job was received before. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'wrong'; readonly mistakes: readonly ReportMistake[] }
  /** The report cannot be stored now. */
  | { readonly kind: 'unavailable' }

export function receiptOf(executionId: string, disposition: ExecutionEnd['disposition']): Received {
  return { receiptId: receiptIdOf({ id: executionId }), disposition }
}
