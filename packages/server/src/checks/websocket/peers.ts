// checks/websocket/peers.ts: the peers that the websocket check meets in its contract.
import {
  type CheckScenarios,
  fails,
  givesNoData,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { answers, certificates, HttpTarget } from '@pulseward/testing/targets'
import { type WebSocketBehaviour, WebSocketTarget } from './stand-in.fixture.ts'

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
      trouble: 'The server does not accept the headers that prove who asks.',
      sentence: 'the login was refused by HOST:PORT (status 401)',
    },
  ],
  wrong_protocol: [
    {
      peer: 'an ordinary web server',
      trouble: 'The server speaks HTTP and no WebSocket.',
      sentence: 'HOST:PORT takes up no WebSocket (status 200)',
    },
    {
      peer: 'SSH-speaking',
      trouble: 'The server speaks another protocol.',
      sentence: 'HOST:PORT does not speak HTTP',
    },
    {
      peer: 'plain-speaking',
      trouble: 'The URL says wss, and the server speaks no TLS.',
      sentence: 'the server did not speak TLS',
    },
    {
      peer: 'without the subprotocol',
      trouble: 'The server does not choose the subprotocol.',
      sentence: 'HOST:PORT does not speak the subprotocol "chat"',
    },
    {
      peer: 'of many words',
      trouble: 'The server sends messages that are too long.',
      sentence: 'HOST:PORT sent a message of more than 64 KiB',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server does not answer the handshake.',
      sentence: 'no answer to the handshake from HOST:PORT within TIMEOUT',
    },
    {
      peer: 'silent after the handshake',
      trouble: 'The expected message does not come.',
      sentence: 'no message with "ready" from HOST:PORT within TIMEOUT',
    },
    {
      peer: 'leaving',
      trouble: 'The server ends the connection before the expected message.',
      sentence: 'HOST:PORT closed the connection before its message with "ready"',
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
      trouble: 'The server takes up no WebSocket now.',
      sentence: 'HOST:PORT takes up no WebSocket (status 503)',
    },
  ],
}

const token = 'tok-6f1d0a9b3c5e7f'
const tls = { ca: certificates.authority }
const expect = 'ready'

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const at = ({ port }: { port: number }, scheme = 'ws') => ({
    url: `${scheme}://127.0.0.1:${port}/feed?a=b`,
  })
  const server = async (behaviour: WebSocketBehaviour) =>
    at(world.keep(await WebSocketTarget.start(behaviour)), behaviour.identity === undefined ? 'ws' : 'wss')
  const web = await HttpTarget.start()
  web.behave(answers())
  const banner = await world.tcp({ kind: 'banner', text: 'SSH-2.0-OpenSSH_9.2p1\r\n' })
  const withSecrets = { headers: { 'x-token': { credential: 'TOKEN' } }, send: { credential: 'TOKEN' } }
  const peers = {
    healthy: succeeds({ ...(await server({ says: 'now ready' })), expect }),
    'healthy with TLS': succeeds({ ...(await server({ identity: certificates.good })), tls }),
    'healthy with a subprotocol': succeeds({
      ...(await server({ subprotocol: 'chat', reflects: true })),
      subprotocol: 'chat',
      send: 'are you ready?',
      expect,
    }),
    refusing: fails(at(await world.closedPort())),
    'black-holed': timesOut(at(await world.blackHole())),
    silent: timesOut(at(await world.tcp({ kind: 'silent' }))),
    'silent after the handshake': timesOut({ ...(await server({})), expect }),
    leaving: fails({ ...(await server({ closes: true })), expect }),
    resetting: fails(at(await world.tcp({ kind: 'reset' }))),
    garbage: fails(at(await world.tcp({ kind: 'garbage' }))),
    endless: fails({ ...(await server({ isEndless: true })), expect }),
    'endless from the beginning': fails(at(await world.tcp({ kind: 'endless' }))),
    'of many words': fails({ ...(await server({ says: 'x'.repeat(100_000) })), expect }),
    forbidding: fails({ ...(await server({ refuses: 401 })), headers: withSecrets.headers }),
    overloaded: fails(await server({ refuses: 503 })),
    'an ordinary web server': fails(at(world.keep(web))),
    'SSH-speaking': fails(at(banner)),
    'plain-speaking': fails(at(banner, 'wss')),
    'without the subprotocol': fails({ ...(await server({})), subprotocol: 'chat' }),
    reflecting: timesOut({ ...(await server({ reflects: true })), ...withSecrets, expect }),
    'with a header that cannot be sent': givesNoData({
      ...(await server({})),
      headers: { 'x-token': { credential: 'LINES' } },
    }),
    expired: fails({ ...(await server({ identity: certificates.expired })), tls }),
    misnamed: fails({ ...(await server({ identity: certificates.other })), tls }),
    'self-signed': fails({ ...(await server({ identity: certificates.selfSigned })), tls }),
  }
  const credentials = new Map([
    ['TOKEN', token],
    ['LINES', `${token}\r\nx-other: yes`],
  ])
  return world.scenarios({ peers, troubles, credentials })
}
