// checks/tls/tls.ts: is the certificate of a server good, and for how long? Makes one handshake and sends nothing after
// it. A certificate that has expired is a failure whatever else is configured.
import type { Socket } from 'node:net'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { closed, Host, type Infer, oneOf, Port } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { tlsIdentityFields } from '../../platform/tls/tls-options.ts'
import { dayOf } from '../../platform/wording.ts'
import { IpFamily, MaxLatency } from '../driver/server-config.ts'
import { inSession } from '../driver/session.ts'
import { CheckFailure, defineCheck } from '../driver.ts'
import { startTls } from './start-tls.ts'

const DEFAULT_PORT = 443
/** Certificates of 90 days are renewed 30 days before their end: by then renewal has failed for 9 days. */
const DEFAULT_WARN_DAYS = 21
const DAY_MS = 86_400_000
/** How long a server may take to refuse the client's certificate, where it gives no sign of accepting it. */
const REFUSED_WITHIN_MS = 250

const config = closed({
  host: Host,
  port: Type.Optional(
    Type.Unsafe<number>({
      ...Port,
      description: 'The port; by default 443, or the usual one of the protocol in starttls.',
    }),
  ),
  starttls: Type.Optional(
    oneOf(['smtp', 'imap', 'postgres'], 'The protocol in which TLS begins; by default TLS begins at once.'),
  ),
  verify: Type.Optional(
    closed(
      {
        chain: Type.Optional(
          Type.Boolean({ default: true, description: 'Whether a trusted authority must have signed it.' }),
        ),
        name: Type.Optional(
          Type.Boolean({ default: true, description: 'Whether it must be for the name that was asked for.' }),
        ),
      },
      { description: 'What is verified of the certificate besides its end.' },
    ),
  ),
  ...tlsIdentityFields,
  warn_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 36_500,
      default: DEFAULT_WARN_DAYS,
      description: 'A success carries a warning when the certificate ends in less than so many days.',
    }),
  ),
  critical_days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 36_500,
      default: 0,
      description: 'The check fails when the certificate ends in less than so many days.',
    }),
  ),
  family: Type.Optional(IpFamily),
  max_latency: Type.Optional(MaxLatency),
})

type TlsConfig = Infer<typeof config>

export const tls = defineCheck({
  summary: 'Makes a TLS handshake and checks the certificate and how long it is still valid.',
  config,
  target: (config) => formatEndpoint(config.host, portOf(config)),
  async check(config, run) {
    const { verify, ...others } = config
    const { host, family = 'any', starttls } = others
    const target = { host, port: portOf(config), family }
    const outcome = await inSession(run, target, config.max_latency, async (session) => {
      if (starttls !== undefined) await startTls[starttls].agree(session)
      await session.secure(others, {
        verify: { chain: verify?.chain !== false, name: verify?.name !== false },
        // The handshake is what is checked.
        fullEveryMs: 0,
      })
      const problem = endProblem(session.certificateExpiresAt, config.critical_days ?? 0)
      if (problem !== null) throw new CheckFailure(problem)
      session.awaits('acceptance of the client certificate')
      if (config.certificate !== undefined) await session.lend(accepted)
    })
    const warning = endProblem(outcome.certificateExpiresAt, config.warn_days ?? DEFAULT_WARN_DAYS)
    return outcome.status === 'success' && warning !== null ? { ...outcome, warning } : outcome
  },
})

function portOf({ port, starttls }: TlsConfig): number {
  return port ?? (starttls === undefined ? DEFAULT_PORT : startTls[starttls].port)
}

/** A sentence about a certificate that ends in less than so many days; null for any other. */
function endProblem(expiresAt: number | null, days: number): string | null {
  if (expiresAt === null) return null
  const leftMs = expiresAt - Date.now()
  if (leftMs <= 0) return `the certificate expired on ${dayOf(expiresAt)}`
  if (leftMs >= days * DAY_MS) return null
  return `the certificate expires on ${dayOf(expiresAt)}, in less than ${days === 1 ? 'a day' : `${days} days`}`
}

/**
 * In TLS 1.3 our side of the handshake is done before the server has verified our certificate. A session ticket says
 * yes, and a refusal breaks the session; a server that gives no tickets is taken to agree when nothing comes.
 */
function accepted(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, REFUSED_WITHIN_MS)
    socket.once('session', () => resolve())
    socket.once('data', () => resolve())
    socket.once('close', () => clearTimeout(patience))
  })
}
