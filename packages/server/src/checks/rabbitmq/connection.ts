// checks/rabbitmq/connection.ts: the part of AMQP 0-9-1 that a check needs: logging in, opening a virtual
// host, asking for a queue, and closing cleanly, so that the server does not log a lost client. Every step is
// one method and the one method that answers it; if a close comes instead, it says why.
import { quote } from '../../platform/wording.ts'
import { discreetQuote } from '../driver/discreet-quote.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'
import { longText, type Method, methodFrame, readMethod, shortText, table } from './frames.ts'

const PROTOCOL_HEADER = Buffer.from('AMQP\0\0\x09\x01', 'latin1')
const ACCESS_REFUSED = 403
const NOT_FOUND = 404
const NOT_ALLOWED = 530

/** Class and method, as the specification numbers them. */
const methods = {
  connectionStart: [10, 10],
  connectionStartOk: [10, 11],
  connectionTune: [10, 30],
  connectionTuneOk: [10, 31],
  connectionOpen: [10, 40],
  connectionOpenOk: [10, 41],
  connectionClose: [10, 50],
  connectionCloseOk: [10, 51],
  channelOpen: [20, 10],
  channelOpenOk: [20, 11],
  channelClose: [20, 40],
  queueDeclare: [50, 10],
  queueDeclareOk: [50, 11],
} as const

type MethodName = keyof typeof methods

/** Asks the server to report a refused login instead of merely closing the connection. */
const CLIENT_PROPERTIES = table([
  ['product', 'Pulseward'],
  ['capabilities', [['authentication_failure_close', true]]],
])

export class AmqpConnection {
  readonly #session: Session
  readonly #secret: string

  constructor(session: Session, secret: string) {
    this.#session = session
    this.#secret = secret
  }

  async open(login: { user: string; password: string }, virtualHost: string): Promise<void> {
    this.#session.awaits('greeting')
    this.#session.write(PROTOCOL_HEADER)
    await this.#answer('connectionStart')
    this.#session.awaits('answer to the login')
    const response = longText(`\0${login.user}\0${login.password}`)
    this.#send(0, 'connectionStartOk', [CLIENT_PROPERTIES, shortText('PLAIN'), response, shortText('en_US')])
    const tune = await this.#answer('connectionTune', (code) =>
      code === ACCESS_REFUSED ? this.#session.loginRefused() : null,
    )
    this.#session.awaits(`answer about the virtual host ${quote(virtualHost)}`)
    // Channels and frame size as the server proposes; no heartbeat, because the check ends before one is due.
    this.#send(0, 'connectionTuneOk', [tune.fields.subarray(0, 6), Buffer.alloc(2)])
    this.#send(0, 'connectionOpen', [shortText(virtualHost), Buffer.alloc(2)])
    await this.#answer('connectionOpenOk', (code) =>
      code === NOT_ALLOWED
        ? new CheckFailure(
            `the virtual host ${quote(virtualHost)} is not open to this user on ${this.#session.peer}`,
          )
        : null,
    )
  }

  async queue(name: string): Promise<{ messages: number; consumers: number }> {
    this.#session.awaits(`answer about the queue ${quote(name)}`)
    this.#send(1, 'channelOpen', [Buffer.alloc(1)])
    await this.#answer('channelOpenOk')
    const passive = 1
    this.#send(1, 'queueDeclare', [Buffer.alloc(2), shortText(name), Buffer.from([passive]), table([])])
    const { fields } = await this.#answer('queueDeclareOk', (code) => {
      if (code === NOT_FOUND)
        return new CheckFailure(`there is no queue ${quote(name)} on ${this.#session.peer}`)
      return code === ACCESS_REFUSED
        ? new CheckFailure(`the user may not look at the queue ${quote(name)}`)
        : null
    })
    const countsAt = 1 + (fields[0] ?? 0)
    if (fields.length < countsAt + 8) throw this.#session.speaksOtherThan('AMQP 0-9-1')
    return { messages: fields.readUInt32BE(countsAt), consumers: fields.readUInt32BE(countsAt + 4) }
  }

  async close(): Promise<void> {
    this.#session.awaits('goodbye')
    const ok = Buffer.from([0, 200])
    this.#send(0, 'connectionClose', [ok, shortText(''), Buffer.alloc(4)])
    await this.#answer('connectionCloseOk')
  }

  #send(channel: number, name: MethodName, fields: readonly Buffer[]): void {
    this.#session.write(methodFrame(channel, methods[name], fields))
  }

  /** The method that must come next. `meaning` may say what the code of a close means here. */
  async #answer(
    name: MethodName,
    meaning: (code: number) => CheckFailure | null = () => null,
  ): Promise<Method> {
    const method = await readMethod(this.#session)
    if (is(method, name)) return method
    if (is(method, 'connectionClose') || is(method, 'channelClose')) throw this.#closed(method, meaning)
    throw this.#session.speaksOtherThan('AMQP 0-9-1')
  }

  #closed({ fields }: Method, meaning: (code: number) => CheckFailure | null): CheckFailure {
    if (fields.length < 3) return this.#session.speaksOtherThan('AMQP 0-9-1')
    const code = fields.readUInt16BE(0)
    const text = fields.toString('utf8', 3, 3 + fields.readUInt8(2))
    const said = `${this.#session.peer} ended the connection (${code}): ${discreetQuote(text, [this.#secret])}`
    return meaning(code) ?? new CheckFailure(said)
  }
}

function is(method: Method, name: MethodName): boolean {
  return method.classId === methods[name][0] && method.methodId === methods[name][1]
}
