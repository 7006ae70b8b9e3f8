// client/open-operation.ts: opens an operation and cancels it. A stopped command leaves no operation behind:
// it would keep its place until it expires, and the user would have to find and cancel it.
import { CancelledError, ConflictError, type v2 } from '@pulseward/client'
import type { Session } from './session.ts'

export async function openOperation(
  { client, signal }: Session,
  body: v2.OperationCreateRequest,
): Promise<v2.Operation> {
  if (signal.aborted) throw stopped()
  // Without the abort signal: an operation whose id never arrives cannot be cancelled.
  const { data } = await client.createOperation({ body })
  if (!signal.aborted) return data
  await letGo({ client }, data.id)
  throw stopped()
}

/** Whether the operation is gone. If not, it is only staged and expires by itself. */
export async function letGo({ client }: Pick<Session, 'client'>, id: string): Promise<boolean> {
  try {
    await client.cancelOperation({ id })
    return true
  } catch (error) {
    // It has already ended.
    return error instanceof ConflictError
  }
}

function stopped(): CancelledError {
  return new CancelledError('it was stopped', { operation: 'createOperation', reason: 'cancelled' })
}
