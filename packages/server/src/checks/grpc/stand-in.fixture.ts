// checks/grpc/stand-in.fixture.ts: a gRPC server on loopback, by the usual library, with the health protocol and services
// whose health a test sets. Owned: `await using server = await GrpcTarget.start({ health: { '': 'SERVING' } })`.
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { certificates, type Identity } from '@pulseward/testing/targets'

const statuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const
interface Request {
  readonly service: string
}

type Health = (typeof statuses)[number]

export interface GrpcBehaviour {
  readonly identity?: Identity
  /** By the name of the service; '' is the whole server. Others are not found. */
  readonly health?: Readonly<Record<string, Health>>
  /** Ends every call with this status instead of answering it. */
  readonly endsWith?: keyof typeof status
  /** Does not offer the health protocol. */
  readonly lacksHealth?: boolean
  readonly isSilent?: boolean
}

export class GrpcTarget implements AsyncDisposable {
  readonly port: number
  /** Connections are the library's; a client that leaves one open keeps the server from shutting down. */
  readonly openSockets = 0
  readonly #server: Server

  private constructor(server: Server, port: number) {
    this.#server = server
    this.port = port
  }

  static async start(behaviour: GrpcBehaviour = {}): Promise<GrpcTarget> {
    const server = new Server()
    if (!behaviour.lacksHealth) server.addService(healthService, { check: checkBy(behaviour) })
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', credentialsOf(behaviour.identity), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      )
    })
    return new GrpcTarget(server, port)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.forceShutdown()
  }
}

/** As its definition in protocol buffers says, with the two messages written by hand. */
const healthService = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: ({ service }: Request) => Buffer.from(service),
    // Field 1, a string: tag, length, text.
    requestDeserialize: (bytes: Buffer): Request => ({ service: bytes.subarray(2).toString('utf8') }),
    responseSerialize: (health: Health) => Buffer.from([0x08, statuses.indexOf(health)]),
    responseDeserialize: (bytes: Buffer) => statuses[bytes[1] ?? 0]!,
  },
} as const

function checkBy({ health = {}, endsWith, isSilent }: GrpcBehaviour): handleUnaryCall<Request, Health> {
  return ({ request }: ServerUnaryCall<Request, Health>, answer: sendUnaryData<Health>) => {
    if (isSilent) return
    const known = health[request.service]
    if (endsWith !== undefined) answer({ code: status[endsWith] })
    else if (known === undefined) answer({ code: status.NOT_FOUND })
    else answer(null, known)
  }
}

function credentialsOf(identity: Identity | undefined): ServerCredentials {
  if (identity === undefined) return ServerCredentials.createInsecure()
  const pair = { cert_chain: Buffer.from(identity.certificate), private_key: Buffer.from(identity.key) }
  return ServerCredentials.createSsl(Buffer.from(certificates.authority), [pair])
}
