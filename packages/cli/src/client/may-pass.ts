// client/may-pass.ts: whether a read may succeed the next time: the service is unreachable or overloaded.
import { PulsewardError } from '@pulseward/client'

export function mayPass(error: unknown): error is PulsewardError {
  return (
    error instanceof PulsewardError && (error.category === 'unavailable' || error.category === 'transport')
  )
}
