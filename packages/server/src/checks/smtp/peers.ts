// checks/smtp/peers.ts: the peers that the smtp check meets in its contract.
import {
  type CheckScenarios,
  fails,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { certificates, SmtpTarget, type SmtpTargetOptions } from '@pulseward/testing/targets'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'Nothing listens at the port.',
      sentence: 'connection refused by HOST:PORT',
    },
    {
      peer: 'cutting',
      trouble: 'The server accepts the connection and ends it without a word.',
      sentence: 'HOST:PORT closed the connection before its greeting',
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
      peer: 'forbidding',
      trouble: 'The user or the password is wrong.',
      sentence: 'the login was refused by HOST:PORT (535)',
    },
    {
      peer: 'without a login',
      trouble: 'The server offers no login by password.',
      sentence: 'HOST:PORT offers no login by password',
    },
  ],
  wrong_protocol: [
    {
      peer: 'SSH-speaking',
      trouble: 'What listens is not a mail server.',
      sentence: 'HOST:PORT does not speak SMTP: its greeting is "SSH-2.0-OpenSSH_9.2p1"',
    },
    {
      peer: 'without STARTTLS',
      trouble: 'The server does not offer TLS.',
      sentence: 'HOST:PORT does not offer STARTTLS',
    },
    {
      peer: 'plain-speaking',
      trouble: 'TLS is expected at once, and the server begins in the clear.',
      sentence: 'the server did not speak TLS',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server accepts the connection and does not greet.',
      sentence: 'no greeting from HOST:PORT within TIMEOUT',
    },
    {
      peer: 'silent after its greeting',
      trouble: 'The server greets and answers no more.',
      sentence: 'no answer to EHLO from HOST:PORT within TIMEOUT',
    },
  ],
  certificate: [
    {
      peer: 'expired',
      trouble: 'The certificate has expired.',
      sentence: 'the certificate expired on 2026-01-02',
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
  ],
  unhealthy: [
    {
      peer: 'overloaded',
      trouble: 'The server takes no mail now.',
      sentence: 'HOST:PORT takes no mail now: "421 too busy"',
    },
    {
      peer: 'another server',
      trouble: 'The greeting is not the expected one.',
      sentence: 'the greeting of HOST:PORT is without "relay.test": "mail.test ready"',
    },
  ],
}

const password = 'correct horse battery staple'
const encoded = Buffer.from(`\0ward\0${password}`).toString('base64')

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const mail = async (options: SmtpTargetOptions) => world.keep(await SmtpTarget.start(options))
  const plain = await mail({ security: 'none' })
  const tls = { ca: certificates.authority }
  const starttls = { security: 'starttls', tls }
  const login = { ...starttls, username: 'ward', password: { credential: 'PASSWORD' } }
  const authenticating = (auth: string) => mail({ extensions: ['AUTH PLAIN LOGIN'], script: { auth } })
  const peers = {
    healthy: succeeds({ ...plain, banner: 'mail.test' }),
    'healthy with TLS': succeeds({ ...(await mail({ security: 'tls' })), security: 'tls', tls }),
    'healthy with STARTTLS': succeeds({ ...(await mail({})), ...starttls }),
    'healthy with a login': succeeds({ ...(await authenticating('235 welcome')), ...login }),
    refusing: fails(await world.closedPort()),
    'black-holed': timesOut(await world.blackHole()),
    cutting: fails(await mail({ script: { greeting: 'cut' } })),
    'cutting during the login': fails({ ...(await authenticating('cut')), ...login }),
    silent: timesOut(await world.tcp({ kind: 'silent' })),
    'silent after its greeting': timesOut(await mail({ script: { ehlo: 'hang' } })),
    dripping: timesOut(await world.tcp({ kind: 'drip', text: '220-not yet', everyMs: 20 })),
    garbage: timesOut(await world.tcp({ kind: 'garbage' })),
    endless: fails(await world.tcp({ kind: 'endless' })),
    'endless in lines': fails(await world.tcp({ kind: 'banner', text: '220-again\r\n'.repeat(5_000) })),
    resetting: fails(await world.tcp({ kind: 'reset' })),
    'SSH-speaking': fails(await world.tcp({ kind: 'banner', text: 'SSH-2.0-OpenSSH_9.2p1\r\n' })),
    'plain-speaking': fails({ ...plain, security: 'tls' }),
    'without STARTTLS': fails({ ...plain, ...starttls }),
    'without a login': fails({ ...(await mail({})), ...login }),
    forbidding: fails({ ...(await authenticating('535 no')), ...login }),
    reflecting: fails({ ...(await authenticating(`535 no to ${encoded}, that is ${password}`)), ...login }),
    'reflecting outside of the protocol': fails({ ...(await authenticating(`? ${password}`)), ...login }),
    overloaded: fails(await mail({ script: { greeting: '421 too busy' } })),
    'another server': fails({ ...plain, banner: 'relay.test' }),
    expired: fails({ ...(await mail({ identity: certificates.expired })), ...starttls }),
    misnamed: fails({ ...(await mail({ identity: certificates.other })), ...starttls }),
    'self-signed': fails({ ...(await mail({ identity: certificates.selfSigned })), ...starttls }),
  }
  return world.scenarios({ peers, troubles, credentials: new Map([['PASSWORD', password]]) })
}
