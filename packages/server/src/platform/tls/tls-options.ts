// platform/tls/tls-options.ts: what a fleet file may say about a TLS connection, the same words for every driver.
import type { Static } from 'typebox'
import { closed, OpenOrSecret, Secret } from '../schema.ts'
import { Type } from '../schema-type.ts'

/** The authorities, the client's own proof and the name that is asked for. */
export const tlsIdentityFields = {
  ca: Type.Optional(
    Type.Unsafe<string>({
      ...OpenOrSecret,
      description: 'Certificates of authorities in PEM, trusted instead of the public ones.',
    }),
  ),
  certificate: Type.Optional(
    Type.Unsafe<string>({ ...OpenOrSecret, description: 'The client certificate to present, in PEM.' }),
  ),
  key: Type.Optional(
    Type.Unsafe<string>({ ...Secret, description: 'The private key of the client certificate, in PEM.' }),
  ),
  server_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: '^[A-Za-z0-9_.-]+$',
      description: 'The name to ask for and to verify, instead of the host.',
    }),
  ),
}

const identity = closed(tlsIdentityFields)
export type TlsIdentity = Static<typeof identity>

/** As a nested object of a driver whose protocol may run over TLS. */
export const tlsOptions = closed(
  {
    verify: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether the certificate must be valid.' }),
    ),
    ...tlsIdentityFields,
  },
  { description: 'How TLS connections are made.' },
)
