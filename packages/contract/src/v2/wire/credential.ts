// v2/wire/credential.ts: a secret by name. Its value can be written but never read: reads show that it
// exists, which version it has and what refers to it.
import { type Static, Type } from 'typebox'
import { observedStatus, resourceType } from './resource.ts'
import { flag, listing, listOf, text, wireType } from './wire-type.ts'

export const CredentialSpec = wireType(
  'CredentialSpec',
  'A secret. Without a value, an update keeps the old one.',
  {
    value: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 65_536,
        writeOnly: true,
        description:
          'The secret itself. Never part of an answer; placeholders such as [REDACTED] are refused.',
      }),
    ),
    description: Type.Optional(text('What it is for.', { maxLength: 1024 })),
  },
)

export const CredentialStatus = wireType('CredentialStatus', 'What may be shown of a credential.', {
  ...observedStatus,
  available: Type.Optional(flag('Whether a value is stored and can be decrypted.')),
  references: Type.Optional(
    listing(Type.String(), 'What refers to it, each as kind and id: monitor/checkout-api. The first 100.'),
  ),
  version: Type.Optional(text('Changes with every change of the value.')),
})

export const Credential = resourceType('Credential', 'A secret by name, write-only.', {
  spec: CredentialSpec,
  status: CredentialStatus,
})
export const CredentialList = listOf('CredentialList', Credential)

export type Credential = Static<typeof Credential>
export type CredentialList = Static<typeof CredentialList>
