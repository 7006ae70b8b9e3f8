// wait-for-operation.ts: polls an operation until it no longer moves by itself. Only reads: cancelling the wait cancels
// nothing. A service that is briefly unavailable, for example during a restart, does not end the wait.
import { call } from './core/call.ts'
import { PulsewardError } from './core/errors.ts'
import { failure } from './core/failure.ts'
import type { CallOptions } from './core/method.ts'
import type { Response } from './core/response.ts'
import type { Settings } from './core/settings.ts'
import { runningOperationStates } from './generated/figures.ts'
import { v2Table } from './generated/v2-operations.ts'
import type { Operation } from './generated/v2-types.ts'

const operation = 'waitForOperation'
const shortestPauseMs = 250
const longestPauseMs = 30_000
/** Consecutive failures, with pauses that grow to the longest: about two minutes. */
const mostFailures = 10

export async function waitForOperation(
  settings: Settings,
  given: { readonly id: string },
  options: CallOptions = {},
): Promise<Response<Operation>> {
  let failures = 0
  let pauseMs = shortestPauseMs
  for (;;) {
    const seen = await look(settings, given, options)
    if (seen instanceof PulsewardError) {
      if (++failures > mostFailures) throw seen
    } else if (runningOperationStates.includes(seen.data.state)) {
      failures = 0
    } else {
      return seen
    }
    const askedMs = (seen.retryAfter ?? 0) * 1000
    await pause(Math.min(Math.max(pauseMs, askedMs), longestPauseMs), options.signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

/** The operation, or an error that may be temporary. */
async function look(settings: Settings, given: { readonly id: string }, options: CallOptions) {
  try {
    return (await call(
      settings,
      operation,
      v2Table.getOperation,
      { id: given.id },
      options,
    )) as Response<Operation>
  } catch (error) {
    const mayPass =
      error instanceof PulsewardError && (error.category === 'unavailable' || error.category === 'transport')
    if (mayPass) return error
    throw error
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(cancelled())
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}

function cancelled(): PulsewardError {
  return failure({ operation, isMutation: false }, 'cancelled')
}
