// checks/mongo/stand-in.fixture.ts: a stand-in for MongoDB, for which there is no Debian package: a standalone server
// that supports hello, the login with SCRAM and ping. A test with the official client shows that it speaks the protocol.
import { createHash } from 'node:crypto'
import { ScramServer, type Serve, type ServedConnection } from '@pulseward/testing/targets'
import { Binary, type Document, deserialize, serialize } from 'bson'

export interface MongoStandIn {
  readonly user?: string
  readonly password?: string
  /** How the user logs in; the newer way by default. */
  readonly mechanism?: 'SCRAM-SHA-1' | 'SCRAM-SHA-256'
  /** Replaces the greeting of a primary. */
  readonly greeting?: Document
  /** Answers of further commands, by their name. */
  readonly replies?: Readonly<Record<string, Document>>
  /** Accepts every login without proving that it knows the password. */
  readonly isImpostor?: boolean
}

const OP_MSG = 2013
const OP_QUERY = 2004
const OP_REPLY = 1

const PRIMARY = {
  isWritablePrimary: true,
  ismaster: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 25,
}

export function mongoStandIn(options: MongoStandIn = {}): Serve {
  return async (connection) => {
    const session = new MongoSession(options)
    for (;;) {
      const { id, code, command } = await readCommand(connection)
      connection.write(answer(id, code, session.reply(command)))
    }
  }
}

class MongoSession {
  readonly #options: MongoStandIn
  #scram: ScramServer | null = null
  #isLoggedIn: boolean

  constructor(options: MongoStandIn) {
    this.#options = options
    this.#isLoggedIn = options.password === undefined
  }

  reply(command: Document): Document {
    const name = Object.keys(command)[0]!
    switch (name) {
      case 'hello':
      case 'ismaster':
      case 'isMaster':
        return this.#greet(command)
      case 'saslStart':
        return this.#startLogin(command)
      case 'saslContinue':
        return this.#endLogin(command)
    }
    if (!this.#isLoggedIn) return refusal(13, 'Unauthorized', `command ${name} requires authentication`)
    if (name === 'ping' || name === 'endSessions') return { ok: 1 }
    return this.#options.replies?.[name] ?? refusal(59, 'CommandNotFound', `no such command: '${name}'`)
  }

  #greet(command: Document): Document {
    const { user, mechanism = 'SCRAM-SHA-256', greeting = PRIMARY } = this.#options
    const isOurs = String(command['saslSupportedMechs'] ?? '').endsWith(`.${user}`)
    return { ...greeting, ...(isOurs ? { saslSupportedMechs: [mechanism] } : {}), ok: 1 }
  }

  #startLogin({ payload }: Document): Document {
    const { user, password = '', mechanism } = this.#options
    const isOld = mechanism === 'SCRAM-SHA-1'
    const secret = isOld ? createHash('md5').update(`${user}:mongo:${password}`).digest('hex') : password
    this.#scram = new ScramServer(isOld ? 'sha1' : 'sha256', secret)
    return { conversationId: 1, done: false, payload: binary(this.#scram.first(textOf(payload))), ok: 1 }
  }

  #endLogin({ payload }: Document): Document {
    const proof = this.#options.isImpostor ? 'v=bm8gcHJvb2Y=' : this.#scram!.final(textOf(payload))
    if (proof === null)
      return refusal(18, 'AuthenticationFailed', `Authentication failed: ${textOf(payload)}`)
    this.#isLoggedIn = true
    return { conversationId: 1, done: true, payload: binary(proof), ok: 1 }
  }
}

function refusal(code: number, codeName: string, errmsg: string): Document {
  return { ok: 0, errmsg, code, codeName }
}

async function readCommand(connection: ServedConnection) {
  const head = Buffer.from(await connection.read(16))
  const body = await connection.read(head.readInt32LE(0) - 16)
  const code = head.readInt32LE(12)
  // The official client greets in the old way first: flags, a collection, two numbers, a document.
  const documentAt = code === OP_QUERY ? body.indexOf(0, 4) + 1 + 8 : 5
  return { id: head.readInt32LE(4), code, command: deserialize(body.subarray(documentAt)) }
}

function answer(id: number, code: number, document: Document): Buffer {
  const isOld = code === OP_QUERY
  const body = serialize(document)
  // Flags, a cursor, a start and a count of one; or flags and the kind of the only section.
  const before = isOld ? Buffer.alloc(20) : Buffer.alloc(5)
  if (isOld) before.writeInt32LE(1, 16)
  const head = Buffer.alloc(16)
  head.writeInt32LE(16 + before.length + body.length, 0)
  head.writeInt32LE(id, 8)
  head.writeInt32LE(isOld ? OP_REPLY : OP_MSG, 12)
  return Buffer.concat([head, before, body])
}

function binary(text: string): Binary {
  return new Binary(Buffer.from(text))
}

function textOf(payload: unknown): string {
  return Buffer.from((payload as Binary).value()).toString('utf8')
}
