// import/push-check.ts: the check of a job that reports by itself. Its key stays the one in the address that the job calls, so
// that moving in is a change of the host name.
import { newPushKey } from '@pulseward/server'
import type { Fields } from './fields.ts'
import type { CredentialReference, Secrets } from './secrets.ts'

/** What a key may be: shorter ones can be guessed. */
const form = /^[A-Za-z0-9_-]{22,128}$/

export interface OldKey {
  /** The field that has it. */
  readonly field: string
  readonly text: string | undefined
}

/** A credential with the old key, or with a new one if the old one cannot be kept, which is noted. */
export function keyOf(
  { field, text }: OldKey,
  owner: string,
  fields: Fields,
  secrets: Secrets,
): CredentialReference {
  if (text !== undefined && form.test(text)) return secrets.secret(owner, 'push key', text)
  const why =
    text === undefined ? 'is missing' : 'cannot be a key here, which has 22 to 128 letters, digits, - and _'
  fields.note(field, `${why}: the monitor has a new key, and its job needs the new address`)
  return secrets.secret(owner, 'push key', newPushKey())
}
