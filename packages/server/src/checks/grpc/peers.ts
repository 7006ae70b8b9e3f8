// checks/grpc/peers.ts: the peers that the grpc check meets in its contract.
import {
  type CheckScenarios,
  fails,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { answers, certificates, HttpTarget, type Identity } from '@pulseward/testing/targets'
import { type GrpcBehaviour, GrpcTarget } from './stand-in.fixture.ts'

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
      trouble: 'The server answers only to those who log in.',
      sentence: 'HOST:PORT wants a login (UNAUTHENTICATED)',
    },
  ],
  wrong_protocol: [
    {
      peer: 'an ordinary web server',
      trouble: 'The server speaks HTTP/1.',
      sentence: 'HOST:PORT does not speak HTTP/2, which gRPC needs',
    },
    {
      peer: 'without the health protocol',
      trouble: 'The server does not offer the health protocol.',
      sentence: 'HOST:PORT does not offer the health protocol (UNIMPLEMENTED)',
    },
    {
      peer: 'plain-speaking',
      trouble: 'TLS is configured, and the server speaks none.',
      sentence: 'the server did not speak TLS',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The server accepts the connection and says nothing.',
      sentence: 'no answer from HOST:PORT within TIMEOUT',
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
      peer: 'not serving',
      trouble: 'The server says that it is not serving.',
      sentence: 'HOST:PORT is not serving (NOT_SERVING)',
    },
    {
      peer: 'with a service that is not serving',
      trouble: 'The server says that the service is not serving.',
      sentence: '"shop.Orders" at HOST:PORT is not serving (NOT_SERVING)',
    },
    {
      peer: 'without the service',
      trouble: 'The server has no such service.',
      sentence: 'HOST:PORT does not know the service "shop.Orders"',
    },
    {
      peer: 'unsure',
      trouble: 'The server does not know how it is.',
      sentence: 'HOST:PORT does not know whether it is serving (UNKNOWN)',
    },
    {
      peer: 'overloaded',
      trouble: 'The server is overloaded.',
      sentence: 'HOST:PORT is overloaded (RESOURCE_EXHAUSTED)',
    },
  ],
}

const service = 'shop.Orders'
const tls = { ca: certificates.authority }

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const serving = { '': 'SERVING' } as const
  const server = async (behaviour: GrpcBehaviour) => world.keep(await GrpcTarget.start(behaviour))
  const secured = (identity: Identity) => server({ identity, health: serving })
  const web = await HttpTarget.start()
  web.behave(answers())
  const peers = {
    healthy: succeeds(await server({ health: serving })),
    'healthy with a service': succeeds({ ...(await server({ health: { [service]: 'SERVING' } })), service }),
    'healthy with TLS': succeeds({ ...(await secured(certificates.good)), tls }),
    refusing: fails(await world.closedPort()),
    'black-holed': timesOut(await world.blackHole()),
    silent: timesOut(await world.tcp({ kind: 'silent' })),
    'silent after the question': timesOut(await server({ isSilent: true })),
    resetting: fails(await world.tcp({ kind: 'reset' })),
    'half-closing': fails(await world.tcp({ kind: 'half-close' })),
    garbage: fails(await world.tcp({ kind: 'garbage' })),
    endless: fails(await world.tcp({ kind: 'endless' })),
    reflecting: fails({
      ...(await world.tcp({ kind: 'echo' })),
      tls: { ...tls, certificate: certificates.client.certificate, key: { credential: 'CLIENT_KEY' } },
    }),
    'an ordinary web server': fails(world.keep(web)),
    'without the health protocol': fails(await server({ lacksHealth: true })),
    'plain-speaking': fails({ ...(await server({ health: serving })), tls }),
    forbidding: fails(await server({ endsWith: 'UNAUTHENTICATED' })),
    overloaded: fails(await server({ endsWith: 'RESOURCE_EXHAUSTED' })),
    'ending otherwise': fails(await server({ endsWith: 'DATA_LOSS' })),
    'not serving': fails(await server({ health: { '': 'NOT_SERVING' } })),
    'with a service that is not serving': fails({
      ...(await server({ health: { [service]: 'NOT_SERVING' } })),
      service,
    }),
    'without the service': fails({ ...(await server({ health: serving })), service }),
    unsure: fails(await server({ health: { '': 'UNKNOWN' } })),
    expired: fails({ ...(await secured(certificates.expired)), tls }),
    misnamed: fails({ ...(await secured(certificates.other)), tls }),
    'self-signed': fails({ ...(await secured(certificates.selfSigned)), tls }),
  }
  const credentials = new Map([['CLIENT_KEY', certificates.client.key]])
  return world.scenarios({ peers, troubles, credentials })
}
