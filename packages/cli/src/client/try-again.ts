// client/try-again.ts: does again what may succeed the next time, a bounded number of times, with a pause that grows and
// is never shorter than what the service asks for. Only for what may be sent twice: reads, and uploads of a collection.
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

/** The service is slow or has too much to do. One that is not there, or is another program, stays so. */
const ofReads: Tries = {
  most: 4,
  mayPass: ({ category, reason }) => category === 'unavailable' || reason === 'timeout',
}

/** One of many reads: what was read before it is not lost because the service was slow once. */
export function readAgain<Result>(
  signal: AbortSignal | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  return tryAgain(signal, ofReads, read)
}
