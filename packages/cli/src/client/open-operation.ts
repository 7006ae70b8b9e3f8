// client/open-operation.ts: opens an operation and lets it go again. A command that is stopped leaves none behind: it would
// keep its place until it expires, and people would have to find and cancel it.
import { CancelledError, ConflictError, type v2 } from '@pulseward/client'
import type { Session } from './session.ts'

export async function openOperation(
  { client, signal }: Session,
  body: v2.OperationCreateRequest,
): Promise<v2.Operation> {
  if (signal.aborted) throw stopped()
  // Without the signal: an operation whose id never arrives cannot be cancelled.
  const { data } = await client.createOperation({ body })
  if (!signal.aborted) return data
  await letGo({ client }, data.id)
  throw stopped()
}

/** Whether nothing is left of it. If not, it is staged only, and expires by itself. */
export async function letGo({ client }: Pick<Session, 'client'>, id: string): Promise<boolean> {
  try {
    await client.cancelOperation({ id })
    return true
  } catch (error) {
    // It has ended already.
    return error instanceof ConflictError
  }
}

function stopped(): CancelledError {
  return new CancelledError('it was stopped', { operation: 'createOperation', reason: 'cancelled' })
}
