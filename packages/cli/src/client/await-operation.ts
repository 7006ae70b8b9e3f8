// client/await-operation.ts: waits for an operation and shows its progress. Stopping the wait does not cancel the
// operation. A service that is unreachable for a while, for example during a restart, does not end the wait.
import { setTimeout as pause } from 'node:timers/promises'
import { CancelledError, type v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { mayPass } from './may-pass.ts'
import { Progress } from './progress.ts'
import type { Session } from './session.ts'

const firstPauseMs = 100
/** The pause that the service asks for during an operation; a longer one would be noticeable at the end. */
const longestPauseMs = 1_000
const mostFailures = 120

export function isRunning({ state }: wire.Operation): boolean {
  return (v2.runningOperationStates as readonly string[]).includes(state)
}

/** 1 unless everything that was asked for has happened. */
export function operationExitCode({ state }: wire.Operation): number {
  return ['rejected', 'partial', 'failed', 'cancelled', 'expired'].includes(state) ? 1 : 0
}

export async function awaitOperation(
  session: Session,
  id: string,
  signal: AbortSignal = session.signal,
): Promise<wire.Operation> {
  using progress = new Progress(session.terminal)
  let failures = 0
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const { data } = await session.client.getOperation({ id }, { signal })
      if (!isRunning(data)) return data
      failures = 0
      show(progress, data)
    } catch (error) {
      if (!mayPass(error) || ++failures > mostFailures) throw error
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {
      throw new CancelledError('waiting was cancelled', { operation: 'getOperation', reason: 'cancelled' })
    })
  }
}

/** Validation has no partial progress. */
function show(progress: Progress, { state, applied = 0, itemCount = 0 }: wire.Operation): void {
  progress.show(state, state === 'validating' ? null : applied, itemCount)
}
