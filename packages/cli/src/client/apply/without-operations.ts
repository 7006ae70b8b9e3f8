// client/apply/without-operations.ts: recognizes a service that has v2 but no operations, or no place left
// for one, so that a command can do without them.
import { UnavailableError, UnavailableFeatureError } from '@pulseward/client'
import { v2 } from '@pulseward/contract'

export async function orWithoutOperations<Answer>(
  work: () => Promise<Answer>,
  otherwise: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    const isWithout = error instanceof UnavailableFeatureError && error.code !== v2.notServedCode
    if (!isWithout) throw error
  }
  return otherwise()
}

/** The service has reached its limit of open operations; everything else still works. */
export function isWithoutPlace(error: unknown): boolean {
  return (
    error instanceof UnavailableError && error.code === 'tooBusy' && error.operation === 'createOperation'
  )
}
