// checks/mongo/connection.ts: commands to one MongoDB server as OP_MSG, and the login with SCRAM. Each
// command is one message and one answer; an answer that is not ok is a CheckFailure.
import { createHash } from 'node:crypto'
import { Binary, type Document, deserialize, serialize } from 'bson'
import { discreetQuote } from '../driver/discreet-quote.ts'
import { Scram } from '../driver/scram.ts'
import { MAX_ANSWER_BYTES, type Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'

export type { Document } from 'bson'

const OP_MSG = 2013
const HEADER_BYTES = 16
/** The header, the flags, and the kind of the only section. */
const BEFORE_DOCUMENT_BYTES = HEADER_BYTES + 5
const MORE_TO_COME = 0x02
const CHECKSUM_PRESENT = 0x01
const CHECKSUM_BYTES = 4

const codes = {
  unauthorized: 13,
  authenticationFailed: 18,
  commandNotFound: 59,
  mechanismUnavailable: 334,
} as const

export class MongoConnection {
  readonly #session: Session
  readonly #secret: string | null
  #lastId = 0

  constructor(session: Session, secret: string | null) {
    this.#session = session
    this.#secret = secret
  }

  /** What the server is and, for a user ("database.name"), which mechanisms it may log in with. */
  async greet(user: string | null): Promise<Document> {
    this.#session.awaits('greeting')
    const question = user === null ? { hello: 1 } : { hello: 1, saslSupportedMechs: user }
    const answer = await this.#ask(question, 'admin')
    if (answer['ok'] !== 1) throw this.#fault(answer, 'the greeting')
    return answer
  }

  async logIn(greeting: Document, database: string, user: string, password: string): Promise<void> {
    this.#session.awaits('answer to the login')
    const offered: unknown = greeting['saslSupportedMechs']
    // A server offers nothing for a user that it does not know; SCRAM-SHA-256 is then refused like a wrong password.
    const isOldUser =
      Array.isArray(offered) && offered.includes('SCRAM-SHA-1') && !offered.includes('SCRAM-SHA-256')
    const scram = isOldUser
      ? new Scram('sha1', user, createHash('md5').update(`${user}:mongo:${password}`).digest('hex'))
      : new Scram('sha256', user, password.normalize('NFKC'))
    const start = await this.#authenticate(
      {
        saslStart: 1,
        mechanism: isOldUser ? 'SCRAM-SHA-1' : 'SCRAM-SHA-256',
        payload: binary(scram.first()),
        options: { skipEmptyExchange: true },
      },
      database,
    )
    const proof = await scram.final(payloadOf(start))
    if (proof === null) throw this.#session.speaksOtherThan('SCRAM')
    const { conversationId } = start
    const end = await this.#authenticate(
      { saslContinue: 1, conversationId, payload: binary(proof) },
      database,
    )
    if (!scram.isProof(payloadOf(end)))
      throw new CheckFailure(`${this.#session.peer} did not prove that it knows the password`)
    if (end['done'] === true) return
    await this.#authenticate({ saslContinue: 1, conversationId, payload: binary('') }, database)
  }

  /** The answer to a command. The name is for the reason if there is no answer. */
  async command(command: Document, database: string, name: string): Promise<Document> {
    const answer = await this.#ask(command, database)
    if (answer['ok'] !== 1) throw this.#fault(answer, name)
    return answer
  }

  async #authenticate(step: Document, database: string): Promise<Document> {
    const answer = await this.#ask(step, database)
    if (answer['ok'] === 1) return answer
    const isRefused =
      answer['code'] === codes.authenticationFailed || answer['code'] === codes.mechanismUnavailable
    throw isRefused ? this.#session.loginRefused() : this.#fault(answer, 'the login')
  }

  #fault(answer: Document, name: string): CheckFailure {
    const { peer } = this.#session
    const { code, codeName, errmsg } = answer
    if (code === codes.unauthorized)
      return new CheckFailure(
        this.#secret === null ? `${peer} asks for a login` : `the user may not run ${name} on ${peer}`,
      )
    if (code === codes.commandNotFound) return new CheckFailure(`${peer} does not know ${name}`)
    const said = discreetQuote(String(errmsg ?? codeName ?? 'no reason'), [this.#secret])
    return new CheckFailure(`${peer} answered ${name} with an error: ${said}`)
  }

  async #ask(command: Document, database: string): Promise<Document> {
    const id = ++this.#lastId
    this.#session.write(message(id, serialize({ ...command, $db: database })))
    const head = await this.#session.read(HEADER_BYTES)
    const length = head.readInt32LE(0)
    const isAnswer = head.readInt32LE(8) === id && head.readInt32LE(12) === OP_MSG
    if (!isAnswer || length < BEFORE_DOCUMENT_BYTES + 5 || length > MAX_ANSWER_BYTES)
      throw this.#session.speaksOtherThan('MongoDB')
    const body = await this.#session.read(length - HEADER_BYTES)
    const flags = body.readUInt32LE(0)
    if ((flags & MORE_TO_COME) !== 0 || body[4] !== 0) throw this.#session.speaksOtherThan('MongoDB')
    const end = (flags & CHECKSUM_PRESENT) === 0 ? body.length : body.length - CHECKSUM_BYTES
    try {
      return deserialize(body.subarray(5, end))
    } catch {
      throw this.#session.speaksOtherThan('MongoDB')
    }
  }
}

function message(id: number, document: Uint8Array): Buffer {
  const head = Buffer.alloc(BEFORE_DOCUMENT_BYTES)
  head.writeInt32LE(BEFORE_DOCUMENT_BYTES + document.length, 0)
  head.writeInt32LE(id, 4)
  head.writeInt32LE(OP_MSG, 12)
  return Buffer.concat([head, document])
}

function binary(text: string): Binary {
  return new Binary(Buffer.from(text))
}

function payloadOf(answer: Document): string {
  const { payload } = answer
  return payload instanceof Binary ? Buffer.from(payload.buffer).toString('utf8', 0, payload.position) : ''
}
