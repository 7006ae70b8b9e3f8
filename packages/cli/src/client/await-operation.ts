// client/await-operation.ts: waits for an operation and shows how far it is. To stop waiting does not cancel it.
import { setTimeout as pause } from 'node:timers/promises'
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { mayPass } from './may-pass.ts'
import { Progress } from './progress.ts'
import type { Session } from './session.ts'

const lookEveryMs = 1_000

export function isRunning({ state }: wire.Operation): boolean {
  return (v2.runningOperationStates as readonly string[]).includes(state)
}

/** 1 when not everything that was asked for has happened. */
export function operationExitCode({ state }: wire.Operation): number {
  return ['rejected', 'partial', 'failed', 'cancelled', 'expired'].includes(state) ? 1 : 0
}

export async function awaitOperation(
  session: Session,
  id: string,
  signal: AbortSignal = session.signal,
): Promise<wire.Operation> {
  const ended = new AbortController()
  using progress = new Progress(session.terminal)
  const drawing = progress.isShown ? draw(session, id, progress, ended.signal) : null
  try {
    return (await session.client.waitForOperation({ id }, { signal })).data
  } finally {
    ended.abort()
    await drawing
  }
}

/** Reads of its own, and only on a terminal. One that fails draws nothing; the wait itself reports. */
async function draw(session: Session, id: string, progress: Progress, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      const { data } = await session.client.getOperation({ id, limit: 1 }, { signal: ended })
      progress.show(data.state, data.applied ?? 0, data.itemCount ?? 0)
      await pause(lookEveryMs, undefined, { signal: ended })
    } catch (error) {
      if (!mayPass(error)) return
      await pause(lookEveryMs, undefined, { signal: ended }).catch(() => {})
    }
  }
}
