// recovery/systemd/bus-connection.ts: a short conversation with a D-Bus message bus over a connected socket:
// authentication as our own user (EXTERNAL: the kernel vouches for it), the greeting, then calls, one at a
// time. Before a call has been written nothing can have happened; after that, a lost answer makes the outcome
// unknown. Reasons never contain text from the peer.
import type { Socket } from 'node:net'
import { type Deadline, late } from '../../platform/network/outbound-connect.ts'
import {
  type BusMessage,
  decodeMessage,
  encodeCall,
  MAX_MESSAGE_BYTES,
  type MethodCall,
  messageLength,
} from './bus-message.ts'

export type BusReply =
  | { readonly kind: 'returned' }
  | { readonly kind: 'error'; readonly name: string }
  /** The call was written but not answered. */
  | { readonly kind: 'lost'; readonly reason: string }

const hello: MethodCall = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
  member: 'Hello',
}

/** Authentication lines are far shorter. */
const MAX_LINE_BYTES = 1_024

export class BusConnection implements Disposable {
  readonly #socket: Socket
  readonly #name: string
  readonly #deadline: Deadline
  #received: Buffer = Buffer.alloc(0)
  #serial = 0
  /** Why nothing more will arrive. */
  #ended: string | null = null
  #wake: () => void = () => {}

  constructor(socket: Socket, name: string, deadline: Deadline) {
    this.#socket = socket
    this.#name = name
    this.#deadline = deadline
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      if (this.#received.length > 2 * MAX_MESSAGE_BYTES) this.#end(`${name} does not speak D-Bus`)
      this.#wake()
    })
    socket.on('error', () => this.#end(`${name} broke off`))
    socket.on('close', () => this.#end(`${name} closed the connection`))
    deadline.signal.addEventListener('abort', this.#expire)
    if (deadline.signal.aborted) this.#expire()
  }

  /** Null if the bus has accepted us, otherwise why not. */
  async enter(userId: number): Promise<string | null> {
    const identity = Buffer.from(String(userId)).toString('hex')
    this.#socket.write(`\0AUTH EXTERNAL ${identity}\r\n`)
    const answer = await this.#next(() => this.#takeLine())
    if (answer === null) return this.#ended
    if (!answer.startsWith('OK ')) return `${this.#name} does not let this process in`
    this.#socket.write('BEGIN\r\n')
    const greeting = await this.call(hello, [])
    if (greeting.kind === 'lost') return greeting.reason
    return greeting.kind === 'error' ? `${this.#name} does not let this process in` : this.#ended
  }

  async call(call: MethodCall, texts: readonly string[]): Promise<BusReply> {
    const serial = ++this.#serial
    this.#socket.write(encodeCall(serial, call, texts))
    for (;;) {
      const message = await this.#next(() => this.#takeMessage())
      if (message === null) return { kind: 'lost', reason: this.#ended ?? `no answer from ${this.#name}` }
      // Signals, such as the one with our own name, are not answers to a call.
      if (message.replySerial !== serial) continue
      if (message.type === 'return') return { kind: 'returned' }
      if (message.type === 'error') return { kind: 'error', name: plainName(message.errorName) }
    }
  }

  [Symbol.dispose](): void {
    this.#deadline.signal.removeEventListener('abort', this.#expire)
    this.#socket.destroy()
  }

  readonly #expire = (): void => this.#end(late(`no answer from ${this.#name}`, this.#deadline))

  #end(reason: string): void {
    this.#ended ??= reason
    this.#wake()
  }

  /** What `take` finds in the received bytes, now or later; null if the connection or the time ends first. */
  async #next<Value>(take: () => Value | null): Promise<Value | null> {
    for (;;) {
      const value = take()
      if (value !== null || this.#ended !== null) return value
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #takeLine(): string | null {
    const end = this.#received.indexOf('\r\n')
    if (end < 0) {
      if (this.#received.length > MAX_LINE_BYTES) this.#end(`${this.#name} does not speak D-Bus`)
      return null
    }
    const line = this.#received.toString('latin1', 0, end)
    this.#received = this.#received.subarray(end + 2)
    return line
  }

  #takeMessage(): BusMessage | null {
    const length = messageLength(this.#received)
    if (length === 0 || length > this.#received.length) return null
    const message = length < 0 ? null : decodeMessage(this.#received.subarray(0, length))
    if (message === null) this.#end(`${this.#name} does not speak D-Bus`)
    else this.#received = this.#received.subarray(length)
    return message
  }
}

/** Error names consist of letters, digits, underscores and dots; anything else is not shown. */
function plainName(name: string): string {
  return /^[A-Za-z0-9_.]{1,255}$/.test(name) ? name : 'an error without a name'
}
