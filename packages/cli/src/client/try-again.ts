// client/try-again.ts: retries what may succeed the next time, a bounded number of times, with a growing pause that is
// never shorter than the service asks for. Only for requests that may be repeated: reads, and uploads of a collection.
import { setTimeout as pause } from 'node:timers/promises'
import { PulsewardError } from '@pulseward/client'

const firstPauseMs = 250
const longestPauseMs = 10_000

export interface Tries {
  readonly most: number
  mayPass(error: PulsewardError): boolean
}

export async function tryAgain<Result>(
  signal: AbortSignal | undefined,
  { most, mayPass }: Tries,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PulsewardError) || !mayPass(error)) throw error
      if (signal?.aborted || tries === most) throw error
      const askedMs = (error.retryAfter ?? 0) * 1_000
      const pauseMs = Math.min(Math.max(firstPauseMs * 2 ** (tries - 1), askedMs), longestPauseMs)
      await pause(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {
        throw error
      })
    }
  }
}

/** Retries while the service is slow or overloaded, but not if it is absent or another program. */
const ofReads: Tries = {
  most: 4,
  mayPass: ({ category, reason }) => category === 'unavailable' || reason === 'timeout',
}

/** For one of many reads, so that one slow answer does not lose the earlier ones. */
export function readAgain<Result>(
  signal: AbortSignal | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  return tryAgain(signal, ofReads, read)
}
