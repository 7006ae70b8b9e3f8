// core/operation-row.ts: what the client must know of an operation to carry it out. The rows are generated.

export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `{name}` is replaced by the argument of that name, as one segment. */
  readonly path: string
  /** Arguments that travel in the query. */
  readonly query?: readonly string[]
  readonly precondition?: 'If-Match' | 'If-None-Match'
  /** The content type of the body; without it there is none. */
  readonly bodyType?: string
  /** Pages are chained by cursors. */
  readonly paged?: true
  /** The service may wait for as long as `body.waitSeconds` says before it answers. */
  readonly longPoll?: true
  /** The answer is text, not JSON. */
  readonly text?: true
  /** An error status that brings the data nevertheless. */
  readonly alsoAnswers?: number
}

export type OperationTable = Readonly<Record<string, OperationRow>>

/** Whether the state of the service may differ afterwards, also when no answer came. */
export function isMutation({ method }: OperationRow): boolean {
  return method !== 'GET'
}
