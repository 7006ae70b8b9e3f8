// checks/kafka/stand-in.fixture.ts: a stand-in for a Kafka broker, for which there is no Debian package: its
// versions, the login with SASL and what it knows about the cluster. A test with an ordinary client shows
// that it speaks the protocol.
import { ScramServer, type Serve, type ServedConnection } from '@pulseward/testing/targets'

export interface KafkaPartition {
  readonly leader: number
  readonly inSync: readonly number[]
}

export interface KafkaStandIn {
  readonly brokers?: number
  readonly topics?: Readonly<Record<string, readonly KafkaPartition[]>>
  readonly login?: { readonly mechanism: string; readonly user: string; readonly password: string }
  /** The versions of metadata requests that it speaks. */
  readonly metadata?: readonly [min: number, max: number]
}

const [METADATA, SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE] = [3, 17, 18, 36]
const [UNKNOWN_TOPIC, UNSUPPORTED_MECHANISM, LOGIN_FAILED] = [3, 33, 58]

export function kafkaStandIn(options: KafkaStandIn = {}): Serve {
  return async (connection) => {
    let scram: ScramServer | null = null
    let isLoggedIn = options.login === undefined
    for (;;) {
      const { key, version, id, fields } = await readRequest(connection)
      const reply = (...parts: Buffer[]): void => {
        const body = Buffer.concat([int32(id), ...parts])
        connection.write(Buffer.concat([int32(body.length), body]))
      }
      if (key === API_VERSIONS) reply(versions(options.metadata ?? [0, 12], version))
      else if (key === SASL_HANDSHAKE) {
        const { mechanism = '' } = options.login ?? {}
        const isRight = fields.toString('utf8', 2) === mechanism
        const hash = mechanism === 'SCRAM-SHA-512' ? 'sha512' : 'sha256'
        scram = mechanism.startsWith('SCRAM') ? new ScramServer(hash, options.login!.password) : null
        reply(int16(isRight ? 0 : UNSUPPORTED_MECHANISM), list([text(mechanism)]))
      } else if (key === SASL_AUTHENTICATE) {
        const answer = authenticate(fields.toString('utf8', 4), options, scram)
        isLoggedIn = answer !== null && !answer.startsWith('r=')
        const error = answer === null ? LOGIN_FAILED : 0
        const lifetime = version > 0 ? [Buffer.alloc(8)] : []
        reply(
          int16(error),
          answer === null ? text('Authentication failed') : int16(-1),
          long(answer ?? ''),
          ...lifetime,
        )
        // Like the real broker: the reason is sent, then the connection is closed.
        if (answer === null) return
      } else if (key === METADATA && isLoggedIn) reply(metadata(options, fields, version))
      else return
    }
  }
}

function authenticate(message: string, { login }: KafkaStandIn, scram: ScramServer | null): string | null {
  if (scram === null) return message === `\0${login?.user}\0${login?.password}` ? '' : null
  return message.startsWith('n,,') ? scram.first(message) : scram.final(message)
}

function versions(metadata: readonly [number, number], version: number): Buffer {
  const spoken = [
    [METADATA, ...metadata],
    [SASL_HANDSHAKE, 1, 1],
    [API_VERSIONS, 0, 2],
    [SASL_AUTHENTICATE, 0, 1],
  ]
  const entries = spoken.map((numbers) => Buffer.concat(numbers.map((number) => int16(number!))))
  return Buffer.concat([int16(0), list(entries), ...(version > 0 ? [int32(0)] : [])])
}

function metadata({ brokers = 1, topics = {} }: KafkaStandIn, fields: Buffer, version: number): Buffer {
  const asked = Array.from({ length: fields.readInt32BE(0) }, () => '')
  let at = 4
  for (const index of asked.keys()) {
    const length = fields.readInt16BE(at)
    asked[index] = fields.toString('utf8', at + 2, at + 2 + length)
    at += 2 + length
  }
  const nodes = Array.from({ length: brokers }, (_, id) =>
    Buffer.concat([int32(id), text('127.0.0.1'), int32(9092 + id), int16(-1)]),
  )
  const told = asked.map((name) => topic(name, topics[name], version))
  return Buffer.concat([int32(0), list(nodes), text('stand-in'), int32(0), list(told)])
}

function topic(name: string, partitions: readonly KafkaPartition[] | undefined, version: number): Buffer {
  const told = (partitions ?? []).map(({ leader, inSync }, index) =>
    Buffer.concat([
      int16(leader < 0 ? 5 : 0),
      int32(index),
      int32(leader),
      ...(version >= 7 ? [int32(0)] : []),
      list([int32(0), int32(1), int32(2)]),
      list(inSync.map(int32)),
      ...(version >= 5 ? [list([])] : []),
    ]),
  )
  return Buffer.concat([
    int16(partitions === undefined ? UNKNOWN_TOPIC : 0),
    text(name),
    Buffer.alloc(1),
    list(told),
  ])
}

async function readRequest(connection: ServedConnection) {
  const size = (await connection.read(4)).readInt32BE(0)
  const request = Buffer.from(await connection.read(size))
  const clientIdBytes = request.readInt16BE(8)
  return {
    key: request.readInt16BE(0),
    version: request.readInt16BE(2),
    id: request.readInt32BE(4),
    fields: request.subarray(10 + Math.max(0, clientIdBytes)),
  }
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}

function long(value: string): Buffer {
  return Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)])
}

function list(items: readonly Buffer[]): Buffer {
  return Buffer.concat([int32(items.length), ...items])
}
