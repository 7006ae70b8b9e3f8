// client/activate-operation.ts: activates an operation and waits until it ends. Activation is sent once; if
// its answer is lost, only the operation itself shows whether it started. If the user stops waiting, the
// operation keeps running and the command says what remains.
import { AmbiguousMutationError, CancelledError, type v2 } from '@pulseward/client'
import { counted } from '@pulseward/server'
import { awaitOperation, isRunning } from './await-operation.ts'
import type { Session } from './session.ts'

/** Returns the operation, or an exit code if its end is unknown; the reason has been printed then. */
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

/** Null if it is unknown whether the operation has started. */
async function startApplying(session: Session, id: string): Promise<v2.Operation | null> {
  try {
    // Without the abort signal: a user who stops wants to know whether it has started.
    return (await session.client.activateOperation({ id })).data
  } catch (error) {
    if (!(error instanceof AmbiguousMutationError)) throw error
    session.say(
      `Operation ${id} was told to apply once and its answer was lost, so it may be applying or not. Look with \`pulseward get operation ${id}\` before you apply again.`,
    )
    return null
  }
}

/** Null if the user stopped waiting. */
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

/** Empty if the service cannot be reached. */
async function remaining({ client }: Session, id: string): Promise<string> {
  try {
    const { applied = 0, itemCount = 0 } = (await client.getOperation({ id, limit: 1 })).data
    return `: ${applied} of ${counted(itemCount, 'item')} applied`
  } catch {
    return ''
  }
}
