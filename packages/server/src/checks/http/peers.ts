// checks/http/peers.ts: the peers that the http check meets in its contract.
import {
  type CheckScenarios,
  checkFixture,
  fails,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import {
  answers,
  answersBy,
  type Behaviour,
  BlackHole,
  certificates,
  closesEarly,
  drips,
  HttpTarget,
  hangs,
  hangsAfterHead,
  type Identity,
  resets,
  sends,
  sendsEndlessBody,
  sendsEndlessHeaders,
  type TlsSetup,
} from '@pulseward/testing/targets'

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
      peer: 'forbidding',
      trouble: 'The server refuses the login.',
      sentence: 'status 401, expected 200-299',
    },
  ],
  wrong_protocol: [
    {
      peer: 'SSH-speaking',
      trouble: 'The server does not speak HTTP.',
      sentence: 'the server answered with something that is not HTTP: "SSH-2.0-OpenSSH_9.2p1"',
    },
    {
      peer: 'plain-speaking',
      trouble: 'The server speaks HTTP, and the URL says https.',
      sentence: 'the server did not speak TLS',
    },
    {
      peer: 'TLS-speaking',
      trouble: 'The server speaks TLS, and the URL says http.',
      sentence: 'the connection was closed before a response',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server takes the request and does not answer.',
      sentence: 'no response within TIMEOUT; connected, request sent',
    },
    {
      peer: 'dripping',
      trouble: 'The answer comes too slowly.',
      sentence: 'no complete response within TIMEOUT; the response has begun',
    },
  ],
  certificate: [
    {
      peer: 'untrusted',
      trouble: 'No trusted authority signed the certificate.',
      sentence:
        'the certificate is not signed by a trusted authority (the server may not send its intermediate certificate)',
    },
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
      peer: 'failing',
      trouble: 'The server answers with an error.',
      sentence: 'status 503, expected 200-299',
    },
  ],
}

const credentials = new Map([
  ['TOKEN', 'tok-6f1d0a9b3c5e7f'],
  ['PASSWORD', 'correct horse battery staple'],
  ['FORM', '{\n  "user": "ward",\n  "pin": "0451 9982 7734"\n}'],
])

const garbage = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167 + 13) & 0xff))
const reflects = answersBy((request) => ({ body: request }))
const reflectsBody = answersBy((request) => ({ body: request.slice(request.indexOf('\r\n\r\n') + 4) }))
const reflectsAuthorization = answersBy((request) => ({
  body: /^authorization: (.*)$/im.exec(request)?.[1] ?? '',
}))

export async function startPeers(): Promise<CheckScenarios> {
  await using owned = new AsyncDisposableStack()
  const targets: HttpTarget[] = []
  const target = async (behaviour: Behaviour, tls?: TlsSetup) => {
    const started = owned.use(await HttpTarget.start(tls === undefined ? {} : { tls }))
    started.behave(behaviour)
    targets.push(started)
    return started
  }
  const url = async (behaviour: Behaviour, path = '/') => (await target(behaviour)).url(path)
  const closed = await HttpTarget.start()
  await closed[Symbol.asyncDispose]()
  const hole = owned.use(await BlackHole.start())
  const secured = await target(answers(), { identity: certificates.good })
  const securedBy = async (identity: Identity) => ({
    url: (await target(answers(), { identity })).url(),
    tls: { ca: certificates.authority },
  })
  const plain = await target(sends(['HTTP/1.1 400 Bad Request\r\n\r\n'], 'close', 'accept'))
  // The reason quotes the body, because it is not JSON.
  const expect = { body: { json: [{ path: '$.ok', equals: true }] } }
  const peers = {
    healthy: succeeds({ url: await url(answers({ body: '{"ok":true}' })), expect }),
    'healthy and secured': succeeds({ url: secured.url(), tls: { ca: certificates.authority } }),
    refusing: fails({ url: closed.url() }),
    'black-holed': timesOut({ url: `http://${hole.host}:${hole.port}/` }),
    silent: timesOut({ url: await url(hangs()) }),
    'silent after its head': timesOut({ url: await url(hangsAfterHead()), expect }),
    garbage: fails({ url: await url(sends([garbage], 'close', 'accept')) }),
    endless: fails({ url: await url(sendsEndlessBody()), expect }),
    'endless in its head': fails({ url: await url(sendsEndlessHeaders()) }),
    dripping: timesOut({ url: await url(drips('HTTP/1.1 200 OK\r\nX-Slow: very', 20)) }),
    'half-closing': fails({ url: await url(closesEarly()) }),
    resetting: fails({ url: await url(resets()) }),
    'TLS-speaking': fails({ url: `http://127.0.0.1:${secured.port}/` }),
    'SSH-speaking': fails({ url: await url(sends(['SSH-2.0-OpenSSH_9.2p1\r\n'], 'hold', 'accept')) }),
    'plain-speaking': fails({ url: `https://127.0.0.1:${plain.port}/` }),
    untrusted: fails({ url: secured.url() }),
    expired: fails(await securedBy(certificates.expired)),
    misnamed: fails(await securedBy(certificates.other)),
    'self-signed': fails(await securedBy(certificates.selfSigned)),
    failing: fails({ url: await url(answers({ status: 503 })) }),
    forbidding: fails({
      url: await url(answers({ status: 401 })),
      auth: { basic: { username: 'ward', password: { credential: 'PASSWORD' } } },
    }),
    reflecting: fails({
      url: `${await url(reflects, '/path?token=hidden#hidden')}`.replace('//', '//ward:hidden@'),
      headers: { 'x-token': { credential: 'TOKEN' } },
      expect,
    }),
    'reflecting (bearer)': fails({
      url: await url(reflectsAuthorization),
      auth: { bearer: { credential: 'TOKEN' } },
      expect,
    }),
    'reflecting (basic)': fails({
      url: await url(reflectsAuthorization),
      auth: { basic: { username: 'ward', password: { credential: 'PASSWORD' } } },
      expect,
    }),
    'reflecting (body)': fails({
      url: await url(reflectsBody),
      body: { credential: 'FORM' },
      expect: { body: { json: [{ path: '$.pin', equals: 'another' }] } },
    }),
  }
  const fixture = owned.use(checkFixture())
  const opened = owned.move()
  return {
    network: fixture.network,
    credentials,
    peers,
    troubles,
    openConnections: () => targets.reduce((open, { openSockets }) => open + openSockets, 0),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
