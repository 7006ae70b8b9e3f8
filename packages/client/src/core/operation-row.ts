// core/operation-row.ts: what the client must know about an operation to carry it out. The rows are generated.

export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `{name}` is replaced by the argument of that name, as one segment. */
  readonly path: string
  /** Arguments that are sent in the query. */
  readonly query?: readonly string[]
  readonly precondition?: 'If-Match' | 'If-None-Match'
  /** The content type of the body; absent if there is no body. */
  readonly bodyType?: string
  /** The answer is a page of a list that is continued by a cursor. */
  readonly paged?: true
  /** The service may wait up to `body.waitSeconds` before it answers. */
  readonly longPoll?: true
  /** The answer is text, not JSON. */
  readonly text?: true
  /** An error status whose answer contains the data nevertheless. */
  readonly alsoAnswers?: number
}

export type OperationTable = Readonly<Record<string, OperationRow>>

/** Whether it may change the state of the service, even if no answer came. */
export function isMutation({ method }: OperationRow): boolean {
  return method !== 'GET'
}
