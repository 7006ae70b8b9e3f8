// client/activate-operation.ts: has an operation applied and waits for its end. Activation is sent once; what became of it
// when its answer is lost only the operation itself tells. To stop waiting leaves it running, and says what remains.
import { AmbiguousMutationError, CancelledError, type v2 } from '@pulseward/client'
import { counted } from '@pulseward/server'
import { awaitOperation, isRunning } from './await-operation.ts'
import type { Session } from './session.ts'

/** The operation, or the exit code of what is not known to its end; that is said already. */
export async function activateOperation(
  session: Session,
  id: string,
  mayWait: boolean,
): Promise<v2.Operation | number> {
  const started = await startApplying(session, id)
  if (started === null) return 3
  if (!mayWait || !isRunning(started)) return started
  return (await waited(session, id)) ?? 1
}

/** Null when it is unknown whether it has started. */
async function startApplying(session: Session, id: string): Promise<v2.Operation | null> {
  try {
    // Without the signal: whether it has started is what a person who stops wants to know.
    return (await session.client.activateOperation({ id })).data
  } catch (error) {
    if (!(error instanceof AmbiguousMutationError)) throw error
    session.say(
      `Operation ${id} was told to apply once and its answer was lost, so it may be applying or not. Look with \`pulseward get operation ${id}\` before you apply again.`,
    )
    return null
  }
}

/** Null when a person stopped to wait. */
async function waited(session: Session, id: string): Promise<v2.Operation | null> {
  try {
    return await awaitOperation(session, id)
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error
    session.say(`Stopped waiting; operation ${id} goes on${await remaining(session, id)}.`)
    session.say(
      `Look with \`pulseward get operation ${id}\`, wait with \`pulseward wait operation ${id}\`, or cancel what remains with \`pulseward delete operation ${id}\`.`,
    )
    return null
  }
}

/** As far as the service can still be asked. */
async function remaining({ client }: Session, id: string): Promise<string> {
  try {
    const { applied = 0, itemCount = 0 } = (await client.getOperation({ id, limit: 1 })).data
    return `: ${applied} of ${counted(itemCount, 'item')} applied`
  } catch {
    return ''
  }
}
