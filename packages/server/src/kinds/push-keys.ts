// kinds/push-keys.ts: the keys of monitors that report by themselves, as v2 refers to them. A key says which
// monitor a signal is for, so no two monitors have the same. Sentences never show a key.
import type { v2 } from '@pulseward/contract'
import { isReported } from '../config/push-check.ts'

/** Fields of the check that take a key. */
export const keyFields = ['key', 'previous_key'] as const

export interface KeyReference {
  readonly field: (typeof keyFields)[number]
  readonly credentialId: string
}

/** None for a check that is not reported. */
export function keyReferences({ type, credentialRefs = {} }: v2.DriverConfig): KeyReference[] {
  if (!isReported(type)) return []
  return keyFields.flatMap((field) => {
    const credentialId = credentialRefs[field]
    return credentialId === undefined ? [] : [{ field, credentialId }]
  })
}

/** Whose key it is already, in a sentence about the monitor `id`. */
export function ownerInWords(owner: string, id: string): string {
  return owner === id ? 'this monitor already' : `the monitor ${JSON.stringify(owner)}`
}
