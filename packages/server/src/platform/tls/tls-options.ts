// platform/tls/tls-options.ts: what a fleet file may say about a TLS connection, the same words for every driver.
import type { Static } from 'typebox'
import { parseDuration } from '../duration.ts'
import { closed, Duration, OpenOrSecret, Secret } from '../schema.ts'
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

const DEFAULT_FULL_HANDSHAKE_MS = 300_000
const MAX_FULL_HANDSHAKE_MS = 86_400_000

const FullHandshakeEvery = Type.Union(
  [
    Type.Refine(
      Duration,
      (text) => (parseDuration(text) ?? 0) <= MAX_FULL_HANDSHAKE_MS,
      () => 'must be at most 24h',
    ),
    Type.Literal(0),
  ],
  {
    default: '5m',
    description:
      'How often a check makes a full handshake at least, at most 24h. Checks in between resume its TLS session, which ' +
      'costs less but shows no certificate: a certificate that was replaced is seen by the next full handshake, and when a ' +
      'connection fails. The first check, one after a failure, and all in the last 14 days of a certificate make a full ' +
      'handshake anyway. 0 resumes nothing.',
  },
)

/** For how long a session may be resumed after its full handshake; 0 for never. */
export function fullHandshakeEveryMs(written: string | 0 | undefined): number {
  if (written === 0) return 0
  return written === undefined ? DEFAULT_FULL_HANDSHAKE_MS : (parseDuration(written) ?? 0)
}

/** As a nested object of a driver whose protocol may run over TLS. */
export const tlsOptions = closed(
  {
    verify: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether the certificate must be valid.' }),
    ),
    ...tlsIdentityFields,
    full_handshake_every: Type.Optional(FullHandshakeEvery),
  },
  { description: 'How TLS connections are made.' },
)
