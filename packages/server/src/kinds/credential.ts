// kinds/credential.ts: the kind Credential: a named secret that drivers use.
import { credentialName } from '../config/fleet-file/credentials.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { driversUsing } from './named-in-fleet.ts'
import { placeholdersIn } from './redact-config.ts'

/** What other programs show instead of a secret, and a client may send back by mistake. */
const placeholder = /^(redacted|\[hidden\]|\*{3,}|<hidden>)$/i

export const credentialKind = defineKind<'Credential'>({
  secret: 'value',
  // A new credential needs a value; an update without one keeps the existing value.
  judge:
    () =>
    ({ metadata, spec: { value } }, _around, isNew) => {
      const errors = idErrors(metadata)
      if (value === undefined && isNew)
        errors.push({
          field: '/spec/value',
          reason: 'required',
          message: 'is missing: a new credential needs a value',
        })
      else if (value !== undefined && (placeholder.test(value) || placeholdersIn(value).length > 0))
        errors.push({
          field: '/spec/value',
          reason: 'notAllowed',
          message: 'is a placeholder and not a secret; leave it out to keep the value',
        })
      return errors
    },
  usersIn: (running, id) => driversUsing(running, credentialName(id)),
})
