// client/may-pass.ts: errors of a read that may be gone the next time: the service is away or has too much to do.
import { PulsewardError } from '@pulseward/client'

export function mayPass(error: unknown): error is PulsewardError {
  return (
    error instanceof PulsewardError && (error.category === 'unavailable' || error.category === 'transport')
  )
}
