// client/apply/without-operations.ts: tells a service that has v2 but no operations, so that a command can do without them.
import { UnavailableFeatureError } from '@pulseward/client'
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
