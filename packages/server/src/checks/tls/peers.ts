// checks/tls/peers.ts: the peers that the tls check meets in its contract.
import {
  type CheckScenarios,
  fails,
  givesNoData,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import {
  certificates,
  HttpTarget,
  type Identity,
  SmtpTarget,
  type TlsSetup,
} from '@pulseward/testing/targets'
import { type StartTlsScript, StartTlsTarget } from './stand-in.fixture.ts'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'Nothing listens at the port.',
      sentence: 'connection refused by HOST:PORT',
    },
  ],
  black_hole: [
    {
      peer: 'black-holed',
      trouble: 'A firewall drops every packet.',
      sentence: 'no connection to HOST:PORT within TIMEOUT',
    },
  ],
  wrong_credentials: [
    {
      peer: 'refusing our certificate',
      trouble: 'The server does not accept the client certificate.',
      sentence: 'HOST:PORT closed the connection before its acceptance of the client certificate',
    },
  ],
  wrong_protocol: [
    {
      peer: 'plain-speaking',
      trouble: 'The server does not speak TLS.',
      sentence: 'the server did not speak TLS',
    },
    {
      peer: 'without STARTTLS',
      trouble: 'The mail server does not offer TLS.',
      sentence: 'HOST:PORT does not offer STARTTLS',
    },
    {
      peer: 'another protocol under STARTTLS',
      trouble: 'What listens is not a mail server.',
      sentence: 'HOST:PORT does not speak SMTP: its greeting is "SSH-2.0-OpenSSH_9.2p1"',
    },
    {
      peer: 'PostgreSQL without TLS',
      trouble: 'The database does not offer TLS.',
      sentence: 'HOST:PORT does not offer TLS',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server accepts the connection and says nothing.',
      sentence: 'no TLS handshake within TIMEOUT',
    },
  ],
  certificate: [
    {
      peer: 'expired',
      trouble: 'The certificate has expired.',
      sentence: 'the certificate expired on 2026-01-02',
    },
    {
      peer: 'expired and not verified',
      trouble: 'The certificate has expired, and nothing else is verified.',
      sentence: 'the certificate expired on 2026-01-02',
    },
    {
      peer: 'not valid yet',
      trouble: 'The certificate is not valid yet.',
      sentence: 'the certificate is not valid before 2120-01-01',
    },
    {
      peer: 'misnamed',
      trouble: 'The certificate is for another name.',
      sentence: 'the certificate is for other.test, not HOST',
    },
    {
      peer: 'self-signed',
      trouble: 'The certificate is signed by itself.',
      sentence: 'the certificate is not signed by a trusted authority (self-signed)',
    },
    {
      peer: 'of an unknown authority',
      trouble: 'The server sends its chain, whose root is not trusted here.',
      sentence: 'the certificate is not signed by a trusted authority (its issuer is not known here)',
    },
    {
      peer: 'with an incomplete chain',
      trouble: 'The server does not send its intermediate certificate.',
      sentence:
        'the certificate is not signed by a trusted authority (the server may not send its intermediate certificate)',
    },
    {
      peer: 'critical',
      trouble: 'The certificate ends within critical_days.',
      sentence: 'the certificate expires on 2125-12-31, in less than 36500 days',
    },
    {
      peer: 'healthy with a warning',
      trouble: 'The certificate ends within warn_days (a warning).',
      sentence: 'the certificate expires on 2125-12-31, in less than 36500 days',
    },
  ],
  unhealthy: [],
}

const ca = certificates.authority
const { chain, client, selfSigned } = certificates
const wholeChain = { certificate: chain.leaf.certificate + chain.intermediate, key: chain.leaf.key }

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const secured = async (identity: Identity, setup: Partial<TlsSetup> = {}) =>
    world.keep(await HttpTarget.start({ tls: { identity, ...setup } }))
  const starting = async (script: StartTlsScript) => world.keep(await StartTlsTarget.start(script))
  const good = await secured(certificates.good)
  const wanting = await secured(certificates.good, { clientAuthority: ca })
  const expired = await secured(certificates.expired)
  const mail = world.keep(await SmtpTarget.start({ security: 'starttls' }))
  const plainMail = world.keep(await SmtpTarget.start({ security: 'none' }))
  const banner = await world.tcp({ kind: 'banner', text: 'SSH-2.0-OpenSSH_9.2p1\r\n' })
  const peers = {
    healthy: succeeds({ ...good, ca }),
    'healthy with a warning': succeeds({ ...good, ca, warn_days: 36_500 }),
    'healthy with a whole chain': succeeds({ ...(await secured(wholeChain)), ca: chain.root }),
    'healthy with a client': succeeds({
      ...wanting,
      ca,
      certificate: client.certificate,
      key: { credential: 'CLIENT_KEY' },
    }),
    'healthy by SMTP': succeeds({ ...mail, ca, starttls: 'smtp' }),
    'healthy by IMAP': succeeds({
      ...(await starting({ greeting: '* OK ready\r\n', reply: 'a OK go on\r\n', agrees: true })),
      ca,
      starttls: 'imap',
    }),
    'healthy by PostgreSQL': succeeds({
      ...(await starting({ reply: 'S', agrees: true })),
      ca,
      starttls: 'postgres',
    }),
    refusing: fails(await world.closedPort()),
    'black-holed': timesOut(await world.blackHole()),
    silent: timesOut(await world.tcp({ kind: 'silent' })),
    resetting: fails(await world.tcp({ kind: 'reset' })),
    garbage: fails(await world.tcp({ kind: 'garbage' })),
    endless: fails(await world.tcp({ kind: 'endless' })),
    'endless by SMTP': fails({ ...(await world.tcp({ kind: 'endless' })), starttls: 'smtp' }),
    reflecting: fails({
      ...(await world.tcp({ kind: 'echo' })),
      certificate: client.certificate,
      key: { credential: 'CLIENT_KEY' },
    }),
    'plain-speaking': fails(banner),
    'another protocol under STARTTLS': fails({ ...banner, starttls: 'smtp' }),
    'without STARTTLS': fails({ ...plainMail, starttls: 'smtp' }),
    'refusing IMAP': fails({
      ...(await starting({ greeting: '* OK ready\r\n', reply: 'a BAD not now\r\n', agrees: false })),
      starttls: 'imap',
    }),
    'PostgreSQL without TLS': fails({
      ...(await starting({ reply: 'N', agrees: false })),
      starttls: 'postgres',
    }),
    'speaking before TLS': fails({
      ...(await starting({ reply: 'SEarly', agrees: false })),
      starttls: 'postgres',
    }),
    expired: fails({ ...expired, ca }),
    'expired and not verified': fails({ ...expired, verify: { chain: false, name: false } }),
    'not valid yet': fails({ ...(await secured(certificates.future)), ca }),
    misnamed: fails({ ...(await secured(certificates.other)), ca }),
    'misnamed and not verified': succeeds({
      ...(await secured(certificates.other)),
      ca,
      verify: { name: false },
    }),
    'self-signed': fails({ ...(await secured(selfSigned)), ca }),
    'self-signed and not verified': succeeds({ ...(await secured(selfSigned)), verify: { chain: false } }),
    'of an unknown authority': fails(await secured(wholeChain)),
    'with an incomplete chain': fails({ ...(await secured(chain.leaf)), ca: chain.root }),
    critical: fails({ ...good, ca, critical_days: 36_500 }),
    'refusing our certificate': fails({
      ...wanting,
      ca,
      certificate: selfSigned.certificate,
      key: { credential: 'OTHER_KEY' },
    }),
    unreadable: givesNoData({ ...good, ca, certificate: 'no certificate at all' }),
  }
  const credentials = new Map([
    ['CLIENT_KEY', client.key],
    ['OTHER_KEY', selfSigned.key],
  ])
  return world.scenarios({ peers, troubles, credentials })
}
