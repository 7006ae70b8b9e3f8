// checks/tcp/peers.ts: the peers that the tcp check meets in its contract.
import {
  type CheckScenarios,
  checkFixture,
  fails,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { BlackHole, certificates, HttpTarget, type TcpBehaviour, TcpTarget } from '@pulseward/testing/targets'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'Nothing listens at the port.',
      sentence: 'connection refused by HOST:PORT',
    },
    {
      peer: 'resetting',
      trouble: 'The server accepts the connection and drops it at once.',
      sentence: 'connection reset by HOST:PORT',
    },
  ],
  black_hole: [
    {
      peer: 'black-holed',
      trouble: 'A firewall drops every packet.',
      sentence: 'no connection to HOST:PORT within TIMEOUT',
    },
  ],
  wrong_credentials: [],
  wrong_protocol: [
    {
      peer: 'garbage',
      trouble: 'The server says something else.',
      sentence: 'no reply with "ready" from HOST:PORT within TIMEOUT',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server accepts the connection and says nothing.',
      sentence: 'no reply from HOST:PORT within TIMEOUT',
    },
  ],
  certificate: [],
  unhealthy: [],
}

const password = 'correct horse battery staple'

export async function startPeers(): Promise<CheckScenarios> {
  await using owned = new AsyncDisposableStack()
  const targets: TcpTarget[] = []
  const target = async (behaviour: TcpBehaviour) => {
    const started = owned.use(await TcpTarget.start({ behaviour }))
    targets.push(started)
    return { host: started.host, port: started.port }
  }
  const closed = owned.use(await TcpTarget.start())
  await closed.refuses()
  const hole = owned.use(await BlackHole.start())
  const secured = owned.use(await HttpTarget.start({ tls: { identity: certificates.good } }))
  const expect = 'ready'
  const peers = {
    healthy: succeeds({ ...(await target({ kind: 'banner', text: 'ready' })), expect }),
    refusing: fails({ host: closed.host, port: closed.port }),
    silent: timesOut({ ...(await target({ kind: 'silent' })), expect }),
    'black-holed': timesOut({ host: hole.host, port: hole.port }),
    garbage: timesOut({ ...(await target({ kind: 'garbage' })), expect }),
    endless: fails({ ...(await target({ kind: 'endless' })), expect }),
    dripping: timesOut({ ...(await target({ kind: 'drip', text: 'not yet', everyMs: 20 })), expect }),
    resetting: fails({ ...(await target({ kind: 'reset' })), expect }),
    'half-closing': fails({ ...(await target({ kind: 'half-close' })), expect }),
    'TLS-speaking': fails({ host: '127.0.0.1', port: secured.port, send: 'PING\r\n\r\n', expect }),
    reflecting: timesOut({
      ...(await target({ kind: 'reply', text: `-ERR ${password}` })),
      send: { credential: 'LOGIN' },
      expect,
    }),
  }
  const fixture = owned.use(checkFixture())
  const opened = owned.move()
  return {
    network: fixture.network,
    credentials: new Map([['LOGIN', password]]),
    peers,
    troubles,
    openConnections: () =>
      targets.reduce((open, { connectionsOpen }) => open + connectionsOpen, secured.openSockets),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
