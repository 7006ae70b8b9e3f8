// checks/grpc/grpc.ts: does a gRPC server say that it, or one of its services, is serving? Uses the standard health
// protocol (grpc.health.v1.Health/Check) over HTTP/2. The two messages of that protocol are a few bytes each and are
// written by hand, so that no library resolves names or opens connections past the network policy.
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { closed, Host, Port } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { IpFamily, MaxLatency, Tls } from '../driver/server-config.ts'
import { inSession } from '../driver/session.ts'
import { defineCheck } from '../driver.ts'
import { askHealth } from './ask-health.ts'

export const grpc = defineCheck({
  summary: 'Asks a gRPC server by the health protocol whether a service is serving.',
  config: closed({
    host: Host,
    port: Port,
    service: Type.Optional(
      Type.String({
        maxLength: 512,
        default: '',
        description:
          'The full name of the service, such as shop.v1.Orders; empty asks about the whole server.',
      }),
    ),
    tls: Type.Optional(Tls),
    family: Type.Optional(IpFamily),
    max_latency: Type.Optional(MaxLatency),
  }),
  target: ({ host, port, service = '' }) =>
    service === '' ? formatEndpoint(host, port) : `${formatEndpoint(host, port)} ${service}`,
  check({ host, port, family = 'any', tls, service = '', max_latency }, run) {
    return inSession(run, { host, port, family }, max_latency, async (session) => {
      if (tls !== undefined) await session.secure(tls, { protocols: ['h2'] })
      session.awaits('answer')
      const scheme = tls === undefined ? 'http' : 'https'
      // Node's HTTP/2 reads the socket itself, so the session does not see the first byte.
      const onResponse = (): void => run.mark('first_byte')
      await session.lend((socket) => askHealth(socket, { scheme, service, onResponse }, session))
    })
  },
})
