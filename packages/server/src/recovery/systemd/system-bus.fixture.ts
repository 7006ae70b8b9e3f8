// recovery/systemd/system-bus.fixture.ts: a stand-in for the system bus with systemd behind it: reads the protocol of the
// D-Bus specification and answers each call as a test specifies. It deliberately shares no code with the client.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface ReceivedCall {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly texts: readonly string[]
}

/** An error by its name, a job for an acceptance, raw bytes, or a fault. */
export type BusBehaviour =
  | 'job'
  | 'silent'
  | 'cut'
  | { readonly error: string }
  | { readonly bytes: string | Buffer }

export interface SystemBusOptions {
  /** What a restart leads to, by unit. */
  readonly units?: Readonly<Record<string, BusBehaviour>>
  /** The answer to the authentication; null for none. */
  readonly welcome?: string | null
  /** Whether everything is sent byte by byte, after a signal that is not an answer to a call. */
  readonly isTiresome?: boolean
}

/** The text of this bus's errors, in addition to their names. */
export const ERROR_TEXT = 'hushed-details-from-inside'

const FIELD_NAMES: Readonly<Record<number, string>> = {
  1: 'path',
  2: 'interface',
  3: 'member',
  6: 'destination',
}

export class SystemBus implements AsyncDisposable {
  readonly path: string
  readonly calls: ReceivedCall[] = []
  /** The lines of each authentication. */
  readonly authentications: string[] = []
  readonly #options: SystemBusOptions
  readonly #server = createServer((socket) => this.#serve(socket))
  readonly #sockets = new Set<Socket>()
  acceptedSockets = 0

  private constructor(path: string, options: SystemBusOptions) {
    this.path = path
    this.#options = options
  }

  static async start(path: string, options: SystemBusOptions = {}): Promise<SystemBus> {
    const bus = new SystemBus(path, options)
    bus.#server.listen(path)
    await once(bus.#server, 'listening')
    return bus
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #serve(socket: Socket): void {
    this.acceptedSockets++
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    let rest: Buffer = Buffer.alloc(0)
    let isMember = false
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (!isMember) {
        const end = rest.indexOf('\r\n')
        if (end < 0) return
        const line = rest.toString('latin1', 0, end)
        rest = rest.subarray(end + 2)
        this.authentications.push(line)
        isMember = line === 'BEGIN'
        const { welcome = 'OK 1234deadbeef1234deadbeef1234dead\r\n' } = this.#options
        if (!isMember && welcome !== null) socket.write(welcome)
      }
      for (let length = lengthOf(rest); length > 0 && length <= rest.length; length = lengthOf(rest)) {
        this.#answer(socket, rest.subarray(0, length))
        rest = rest.subarray(length)
      }
    })
  }

  #answer(socket: Socket, message: Buffer): void {
    const call = readCall(message)
    const serial = message.readUInt32LE(8)
    if (call.member === 'Hello') {
      this.#send(socket, reply(2, serial, [], 's', text(':1.42')))
      return
    }
    this.calls.push(call)
    const behaviour = this.#options.units?.[call.texts[0]!] ?? {
      error: 'org.freedesktop.systemd1.NoSuchUnit',
    }
    if (behaviour === 'silent') return
    if (behaviour === 'cut') socket.destroy()
    else if (behaviour === 'job')
      this.#send(socket, reply(2, serial, [], 'o', text('/org/freedesktop/systemd1/job/4711')))
    else if ('bytes' in behaviour) socket.write(behaviour.bytes)
    else {
      const name = field(4, 's', text(behaviour.error))
      this.#send(socket, reply(3, serial, [name], 's', text(ERROR_TEXT)))
    }
  }

  #send(socket: Socket, message: Buffer): void {
    if (this.#options.isTiresome !== true) {
      socket.write(message)
      return
    }
    for (const byte of Buffer.concat([signal(), message])) socket.write(Buffer.of(byte))
  }
}

function lengthOf(bytes: Buffer): number {
  if (bytes.length < 16) return 0
  return 16 + roundedUp(bytes.readUInt32LE(12)) + bytes.readUInt32LE(4)
}

function readCall(message: Buffer): ReceivedCall {
  const fields: Record<string, string> = {}
  const fieldsEnd = 16 + message.readUInt32LE(12)
  for (let at = 16; at < fieldsEnd; at = roundedUp(at)) {
    const name = FIELD_NAMES[message[at]!]
    const isSignature = message[at + 2] === 0x67
    const length = isSignature ? message[at + 4]! : message.readUInt32LE(at + 4)
    const from = at + (isSignature ? 5 : 8)
    if (name !== undefined) fields[name] = message.toString('utf8', from, from + length)
    at = from + length + 1
  }
  const texts: string[] = []
  for (let at = roundedUp(fieldsEnd); at < message.length; at = Math.ceil(at / 4) * 4) {
    const length = message.readUInt32LE(at)
    texts.push(message.toString('utf8', at + 4, at + 4 + length))
    at += 4 + length + 1
  }
  return { destination: '', path: '', interface: '', member: '', ...fields, texts }
}

function reply(type: number, serial: number, more: Buffer[], signature: string, body: Buffer): Buffer {
  const answered = Buffer.alloc(8)
  answered.set([5, 1, 0x75, 0])
  answered.writeUInt32LE(serial, 4)
  const fields = [answered, ...more, field(8, 'g', Buffer.from(`\x01${signature}\0`))]
  return message(type, fields, body)
}

function signal(): Buffer {
  return message(
    4,
    [field(3, 's', text('NameAcquired')), field(8, 'g', Buffer.from('\x01s\0'))],
    text(':1.42'),
  )
}

function message(type: number, fields: Buffer[], body: Buffer): Buffer {
  const padded = Buffer.concat(fields.map((entry) => filledUp(entry)))
  const last = fields.at(-1)!
  const header = Buffer.alloc(16)
  header.set([0x6c, type, 1, 1])
  header.writeUInt32LE(body.length, 4)
  header.writeUInt32LE(7, 8)
  header.writeUInt32LE(padded.length - (roundedUp(last.length) - last.length), 12)
  return Buffer.concat([header, padded, body])
}

function field(code: number, signature: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code, 1, signature.charCodeAt(0), 0]), value])
}

function text(content: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(Buffer.byteLength(content))
  return Buffer.concat([length, Buffer.from(`${content}\0`)])
}

function filledUp(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(roundedUp(bytes.length) - bytes.length)])
}

function roundedUp(length: number): number {
  return Math.ceil(length / 8) * 8
}
